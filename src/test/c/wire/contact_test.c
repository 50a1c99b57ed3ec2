/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* Channels whose slots are taken in inboxes: both ways, full inboxes, and what others may write. */
#include "base/test.h"
#include "job/world_fixture.h"
#include "wire/contact.h"

#define PLACES 1024
#define HEAP (UINT64_C(4) << 20)

static world w;
static hy_inbox inboxes[2];
static hy_contact contacts[2];
static hy_channel channels[2];
static hy_inbox_cursor hearings[2];

static int set_up(void **state)
{
    (void)state;
    world_open(&w, 2, HEAP);
    for (int i = 0; i < 2; i++) {
        uint8_t *memory = hy_job_alloc(w.jobs[i], hy_inbox_bytes(PLACES));
        assert_non_null(memory);
        memset(memory, 0, hy_inbox_bytes(PLACES));
        inboxes[i] = (hy_inbox){(uint64_t)(memory - w.jobs[i]->part), PLACES};
        hearings[i] = (hy_inbox_cursor){0};
    }
    for (int i = 0; i < 2; i++) {
        contacts[i] = (hy_contact){
            .theirs = inboxes[1 - i], .number = 7, .match_offset = hy_inbox_match(&inboxes[i], 3)};
        hy_contact_open(&channels[i], &contacts[i], w.jobs[i], 1 - i);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) hy_channel_close(&channels[i]);
    world_close(&w);
    return 0;
}

static int calls;

static bool take(void *context, const hy_inbox_record *what)
{
    int rank = *(int *)context;
    calls++;
    if (what->rank > 1 || what->number != 7) return true;
    hy_contact_accept(&channels[rank], what->slots, what->match_offset);
    return true;
}

static void hear(int rank)
{
    hy_inbox_scan(w.jobs[rank], &inboxes[rank], &hearings[rank], take, &rank);
}

/* Until nothing new is found. */
static void hear_all(int rank)
{
    for (int before = -1; before != calls;) {
        before = calls;
        hear(rank);
    }
}

static void send(int from, uint64_t value)
{
    assert_true(hy_channel_room(&channels[from]));
    hy_channel_post(&channels[from], HY_KIND_INLINE, &value, sizeof value);
}

static void expect(int to, uint64_t value)
{
    uint64_t head, seen;
    hy_slot *slot = hy_channel_peek(&channels[to], &head);
    assert_non_null(slot);
    memcpy(&seen, slot->payload, sizeof seen);
    assert_int_equal(seen, value);
    hy_channel_take(&channels[to], head);
}

TEST(should_carry_messages_both_ways_from_the_first_on)
{
    uint64_t head;
    for (int i = 0; i < 2; i++) send(i, 100 + (uint64_t)i); /* both begin at once */
    for (int i = 0; i < 2; i++) {
        assert_false(hy_contact_is_accepted(&channels[i]));
        assert_null(hy_channel_peek(&channels[i], &head));
        assert_true(hy_inbox_has_news(w.jobs[i], &inboxes[i], &hearings[i]));
        hear(i);
        assert_true(hy_contact_is_accepted(&channels[i]));
        assert_false(hy_inbox_has_news(w.jobs[i], &inboxes[i], &hearings[i]));
        expect(i, 101 - (uint64_t)i);
    }
    for (uint64_t k = 0; k < 100; k++) { /* with acknowledgements by the match entries */
        send(0, k);
        expect(1, k);
    }
}

TEST(should_say_that_the_inbox_is_full)
{
    *(_Atomic uint64_t *)(void *)(w.jobs[1]->part + inboxes[1].at) = PLACES;
    for (int i = 0; i < 3; i++) {
        assert_false(hy_channel_room(&channels[0]));
        assert_int_equal(hy_channel_connect(&channels[0]), HAYATE_ERR_NO_MEMORY);
        assert_int_equal(hayate_error_peer(), 1);
    }
    send(1, 5); /* the other direction is not concerned */
    hear(0);
    expect(0, 5);
}

TEST(should_find_a_record_that_comes_after_its_place_was_taken)
{
    *(_Atomic uint64_t *)(void *)(w.jobs[1]->part + inboxes[1].at) = 1; /* somebody is about to */
    send(0, 9);
    calls = 0;
    hear(1);
    expect(1, 9);
    hear(1);
    assert_int_equal(calls, 1);
    assert_int_equal(hearings[1].taken_before, 0);
    assert_true(hy_inbox_has_news(w.jobs[1], &inboxes[1], &hearings[1]));
    hy_flag *record = (hy_flag *)(void *)(w.jobs[1]->part + inboxes[1].at + HY_LINE);
    record->value = 1;
    record->data[0] = UINT64_MAX;
    hear(1);
    assert_int_equal(calls, 2);
    assert_int_equal(hearings[1].taken_before, 2);
}

TEST(should_stay_in_the_inbox_whatever_is_written_there)
{
    memset(w.jobs[1]->part + inboxes[1].at, 0xff, HY_LINE);
    for (int i = 0; i < PLACES; i++)
        ((hy_flag *)(void *)(w.jobs[1]->part + inboxes[1].at + HY_LINE))[i] = (hy_flag){
            1, {UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    calls = 0;
    hear_all(1);
    assert_int_equal(calls, PLACES);
    assert_int_equal(hearings[1].taken_before, PLACES);
    assert_false(hy_contact_is_accepted(&channels[1]));
}

/* The sender of the first record has died: it never comes, and whoever waits hears in each turn. */
TEST(should_not_look_at_all_places_in_each_turn_when_a_record_never_comes)
{
    hy_flag *records = (hy_flag *)(void *)(w.jobs[1]->part + inboxes[1].at + HY_LINE);
    *(_Atomic uint64_t *)(void *)(w.jobs[1]->part + inboxes[1].at) = PLACES;
    for (int i = 1; i < PLACES; i++) records[i] = (hy_flag){1, {UINT64_MAX, 0, 0}};
    for (int accepted = 0; accepted < PLACES - 1; accepted += calls) {
        calls = 0;
        hear(1);
        assert_in_range(calls, 1, 64);
    }
    records[0] = (hy_flag){1, {UINT64_MAX, 0, 0}}; /* it was only late */
    for (int i = 0; i < 2 * PLACES / 64 && hearings[1].taken_before < PLACES; i++) hear(1);
    assert_int_equal(hearings[1].taken_before, PLACES);
}

int main(void)
{
    tests_each(set_up, tear_down);
    return tests_run();
}
