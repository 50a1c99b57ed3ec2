/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* Splits of communicators, and the memory of communicators. */
#include "coll/creation_fixture.h"
#include "coll/split.h"

/* ---- memory ---- */

static void free_on(const creation *made)
{
    assert_ok(hy_comm_free(members[made->rank].fmpl->comms, made->comm));
}

static uint64_t used_by(int rank)
{
    return members[rank].job->system.used;
}

/* Takes all that is left of a rank's system area and heap. */
typedef struct hoard {
    uint64_t system[64];
    void *heap[64];
    int systems, heaps;
} hoard;

static void hoard_system(hoard *h, int rank)
{
    hy_job *job = members[rank].job;
    for (uint64_t bytes = hy_job_system_left(job); bytes >= HY_LINE;) {
        if (hy_job_system_take(job, bytes, &h->system[h->systems])) bytes /= 2;
        else if (++h->systems == 64) break;
    }
    uint64_t page;
    assert_code(hy_job_system_take(job, HY_LINE, &page), HAYATE_ERR_NO_MEMORY);
}

static void hoard_heap(hoard *h, int rank)
{
    hy_job *job = members[rank].job;
    for (uint64_t bytes = job->heap.size; bytes >= HY_LINE;) {
        if (!(h->heap[h->heaps] = hy_job_alloc(job, bytes))) bytes /= 2;
        else if (++h->heaps == 64) break;
    }
    assert_int_equal(hy_heap_longest(&job->heap), 0);
}

static void hoard_release(hoard *h, int rank)
{
    while (h->systems) hy_job_system_give(members[rank].job, h->system[--h->systems]);
    while (h->heaps) hy_job_release(members[rank].job, h->heap[--h->heaps]);
}

TEST(should_have_as_many_communicators_as_memory_allows)
{
    enum { MANY = 300 };
    static creation made[MANY][RANKS];
    for (int i = 0; i < MANY; i++) {
        made[i][0] = (creation){.rank = 0, .splits = i % 2, .from = i ? made[i - 1][0].comm : 0};
        made[i][1] = (creation){.rank = 1, .splits = i % 2, .from = i ? made[i - 1][1].comm : 0};
        create_on_both(made[i]);
    }
    for (int i = 0; i < MANY; i++) assert_works(made[i]);
    for (int i = 0; i < MANY; i++)
        for (int rank = 0; rank < RANKS; rank++) free_on(&made[i][rank]);
}

TEST(should_take_memory_of_the_heap_when_the_system_area_is_full)
{
    hoard full[RANKS] = {0};
    creation made[] = {{.rank = 0}, {.rank = 1}}, part[] = {{.rank = 0}, {.rank = 1}};
    uint64_t before = members[0].job->heap.used;
    for (int i = 0; i < RANKS; i++) hoard_system(&full[i], i);
    create_on_both(made);
    for (int i = 0; i < RANKS; i++) part[i].splits = true, part[i].from = made[i].comm;
    create_on_both(part);
    assert_true(members[0].job->heap.used > before);
    assert_works(made);
    assert_works(part);
    for (int i = RANKS - 1; i >= 0; i--) free_on(&made[i]), free_on(&part[i]);
    assert_int_equal(members[0].job->heap.used, before);
    for (int i = 0; i < RANKS; i++) hoard_release(&full[i], i);
}

/* The parent stays usable, whoever has no memory. */
TEST(should_give_no_member_a_communicator_if_one_has_no_memory)
{
    for (int poor = 0; poor < RANKS; poor++) {
        for (int joins = 0; joins < 2; joins++) {
            hoard full = {0};
            creation made[] = {{.rank = 0, .splits = true}, {.rank = 1, .splits = true}};
            made[!poor].stays_out = !joins;
            hoard_system(&full, poor);
            hoard_heap(&full, poor);
            hy_comms_trim(members[!poor].fmpl->comms); /* what all have freed by now */
            uint64_t used = used_by(!poor);
            create_on_both_expecting(made, HAYATE_ERR_NO_MEMORY);
            assert_non_null(strstr(made[poor].said, "no memory for a communicator: the system"));
            assert_int_equal(made[!poor].peer, poor);
            assert_int_equal(used_by(!poor), used);
            hoard_release(&full, poor);
            create_on_both(made);
            if (!joins) continue;
            assert_works(made);
            for (int i = 0; i < RANKS; i++) free_on(&made[i]);
        }
    }
}

/* The next communicator takes memory from the system, not that of one that was freed. */
static void forget_spares(int rank)
{
    hy_comms *comms = members[rank].fmpl->comms;
    for (hy_comm *comm = comms->spare, *next; comm; comm = next) {
        next = comm->next;
        free(comm);
    }
    comms->spare = NULL;
}

/* Before the first exchange of the split, and between the two. */
TEST(should_agree_that_one_member_failed_at_any_step)
{
    for (int i = 0; i < 4; i++) {
        creation made[] = {{.rank = 0, .splits = true}, {.rank = 1, .splits = true}};
        int poor = i % 2;
        forget_spares(poor);
        made[poor].scarce = 1 + i / 2;
        uint64_t used = used_by(0) + used_by(1);
        create_on_both_expecting(made, HAYATE_ERR_NO_MEMORY);
        assert_int_equal(made[!poor].peer, poor);
        assert_int_equal(used_by(0) + used_by(1), used);
        made[poor].scarce = 0;
        create_on_both(made);
        assert_works(made);
        for (int rank = 0; rank < RANKS; rank++) free_on(&made[rank]);
        for (int rank = 0; rank < RANKS; rank++) hy_comms_trim(members[rank].fmpl->comms);
    }
}

static void broadcast(int rank, int comm, uint64_t *value)
{
    const hy_collective_call call = {
        .coll = HY_COLL_BCAST, .buffer = {.address = (uint8_t *)value}, .count = sizeof *value};
    assert_ok(hy_collective(members[rank].fmpl->comms, comm, &call, false));
}

/* The acknowledgement of a member that is slow comes after the free of the other one. */
TEST(should_keep_the_memory_until_the_last_member_has_freed)
{
    enum { MESSAGES = 12 };
    creation made[] = {{.rank = 0}, {.rank = 1}}, other = {.rank = 0, .splits = true};
    uint64_t used = used_by(0);
    create_on_both(made);
    creation alone[] = {{.rank = 0, .splits = true, .from = made[0].comm},
                        {.rank = 1, .splits = true, .from = made[1].comm, .stays_out = true}};
    create_on_both(alone);
    uint64_t held = used_by(0);
    for (uint64_t i = 0; i < MESSAGES; i++) broadcast(0, made[0].comm, &i);
    free_on(&made[0]);
    other.from = alone[0].comm;
    create(&other); /* alone: nobody else takes part */
    assert_ok(other.rc);
    assert_true(used_by(0) > held); /* it has memory of its own */
    for (uint64_t i = 0, value = 99; i < MESSAGES; i++) {
        broadcast(1, made[1].comm, &value);
        assert_int_equal(value, i);
    }
    free_on(&made[1]);
    free_on(&other);
    free_on(&alone[0]);
    assert_int_equal(used_by(0), used);
    assert_int_equal(used_by(1), used);
}

static bool overlap(const hy_group *one, const hy_group *other)
{
    uint64_t bytes = (uint64_t)RANKS * HY_CHANNEL_FLAG_BYTES;
    return one->own.flag_offset < other->own.flag_offset + bytes &&
           other->own.flag_offset < one->own.flag_offset + bytes;
}

/* A rank closes its FMPL and opens another one, while the other still has the first one open. */
TEST(should_keep_the_memory_of_a_closed_fmpl_until_the_others_close_theirs)
{
    creation made[] = {{.rank = 0}, {.rank = 1}};
    uint64_t used = used_by(0);
    create_on_both(made);
    const hy_group old = hy_comm_find(members[0].fmpl->comms, made[0].comm)->group;
    hy_fmpl *slow = members[1].fmpl;
    hy_fmpl_close(members[0].fmpl);
    hy_fmpl_free(members[0].fmpl);
    members_open();
    for (int i = 0; i < RANKS; i++) made[i].splits = true, made[i].from = FMPL_COMM_WORLD;
    create_on_both(made);
    for (int number = 0; number < 2; number++)
        assert_false(overlap(&old, &hy_comm_find(members[0].fmpl->comms, number)->group));
    hy_fmpl_close(slow);
    hy_fmpl_free(slow);
    assert_works(made);
    for (int i = 0; i < RANKS; i++) free_on(&made[i]);
    hy_groups_reap(members[0].job);
    assert_int_equal(used_by(0), used);
}

/* ---- splits ---- */

TEST(should_number_members_by_key)
{
    for (int round = 0; round < ROUNDS / 4; round++) {
        creation made[] = {{.rank = 0, .splits = true, .key = INT32_MAX},
                           {.rank = 1, .splits = true, .key = round % 2 ? INT32_MIN : INT32_MAX}};
        create_on_both(made);
        for (int i = 0; i < RANKS; i++) {
            const hy_group *group = &hy_comm_find(members[i].fmpl->comms, made[i].comm)->group;
            assert_int_equal(group->size, 2);
            assert_int_equal(group->rank, round % 2 ? 1 - i : i);
        }
        assert_works(made);
        for (int i = 0; i < RANKS; i++) free_on(&made[i]);
    }
}

/* ---- several at once ---- */

#define PARTS HY_SPLIT_PARTS

/* Of both ranks: a world, one of this rank alone, none, and a world the other way around. */
typedef struct several {
    int rank, before, between, scarce; /* codes of this rank's own failures */
    hy_split_part parts[PARTS];
    int rc, peer;
    uint32_t posted;
    pthread_t thread;
} several;

static void *make_several(void *argument)
{
    several *s = argument;
    hy_comms *comms = members[s->rank].fmpl->comms;
    const hy_channel *channel = &hy_comm_find(comms, 0)->group.channels[1 - s->rank];
    hy_split split;
    s->parts[0] = (hy_split_part){.color = 7};
    s->parts[1] = (hy_split_part){.color = s->rank};
    s->parts[2] = (hy_split_part){.color = -1};
    s->parts[3] = (hy_split_part){.color = 7, .key = -s->rank};
    uint32_t posted = hy_load_relaxed(&channel->sent);
    scarce = s->scarce;
    if (s->before) hy_fail(s->before, "before");
    s->rc = hy_split_begin(&split, comms, FMPL_COMM_WORLD, s->parts, PARTS, s->before);
    if (!s->rc && s->between) s->rc = hy_fail(s->between, "between");
    s->rc = hy_split_agree(&split, s->rc);
    s->peer = hayate_error_peer();
    hy_split_end(&split, s->rc);
    scarce = 0;
    s->posted = hy_load_relaxed(&channel->sent) - posted;
    return NULL;
}

/* Both fail with the code, or both succeed with 0. */
static void make_on_both(several made[RANKS], int expected)
{
    for (int i = 0; i < RANKS; i++) {
        made[i].rank = i;
        assert_int_equal(pthread_create(&made[i].thread, NULL, make_several, &made[i]), 0);
    }
    for (int i = 0; i < RANKS; i++) pthread_join(made[i].thread, NULL);
    for (int i = 0; i < RANKS; i++) assert_int_equal(made[i].rc, expected);
}

static void use_and_free(several made[RANKS])
{
    for (int part = 0; part < PARTS; part++) {
        creation its[RANKS] = {{.rank = 0, .comm = made[0].parts[part].made.number},
                               {.rank = 1, .comm = made[1].parts[part].made.number}};
        assert_int_equal(its[0].comm == FMPL_COMM_NULL, part == 2);
        if (part == 2) continue;
        assert_works(its);
        for (int i = 0; i < RANKS; i++) {
            const hy_group *group = &hy_comm_find(members[i].fmpl->comms, its[i].comm)->group;
            assert_int_equal(group->size, part == 1 ? 1 : RANKS);
            assert_int_equal(group->rank, part == 1 ? 0 : part == 3 ? 1 - i : i);
        }
        for (int i = 0; i < RANKS; i++) free_on(&its[i]);
    }
    for (int i = 0; i < RANKS; i++) hy_comms_trim(members[i].fmpl->comms);
}

/* One message with the records of all four, and one with the outcome. */
TEST(should_make_several_communicators_in_one_exchange)
{
    several made[RANKS] = {0};
    make_on_both(made, HAYATE_OK);
    uint32_t slots = hy_slots_of(sizeof(hy_tag) + PARTS * sizeof(hy_group_record));
    for (int i = 0; i < RANKS; i++) assert_int_equal(made[i].posted, slots + 1);
    use_and_free(made);
}

TEST(should_make_none_of_several_if_a_member_fails)
{
    static const int codes[] = {HAYATE_ERR_NO_MEMORY, HAYATE_ERR_MISMATCH, HAYATE_ERR_CORRUPT};
    uint64_t used = used_by(0) + used_by(1);
    for (int i = 0; i < 12; i++) {
        several made[RANKS] = {0};
        int poor = i % 2, code = codes[i / 4];
        if (i / 2 % 2) made[poor].between = code;
        else made[poor].before = code;
        make_on_both(made, code);
        assert_int_equal(made[!poor].peer, poor);
        assert_int_equal(used_by(0) + used_by(1), used);
    }
    several made[RANKS] = {0};
    make_on_both(made, HAYATE_OK);
    use_and_free(made);
}

/* Each rank in turn has no memory for the first allocation, for the second one, and so on. */
TEST(should_make_none_of_several_if_any_allocation_fails)
{
    for (int i = 0; i < 12; i++) {
        several made[RANKS] = {0};
        forget_spares(i % 2);
        made[i % 2].scarce = 1 + i / 2; /* three communicators, and the channels of each */
        uint64_t used = used_by(0) + used_by(1);
        make_on_both(made, HAYATE_ERR_NO_MEMORY);
        assert_int_equal(made[1 - i % 2].peer, i % 2);
        assert_int_equal(used_by(0) + used_by(1), used);
        made[i % 2].scarce = 0;
        make_on_both(made, HAYATE_OK);
        use_and_free(made);
    }
}

static void await_busy(int rank)
{
    hy_comm *world = hy_comm_find(members[rank].fmpl->comms, FMPL_COMM_WORLD);
    while (!hy_load_acquire(&world->busy)) sched_yield();
}

TEST(should_refuse_a_second_split_of_the_same_communicator)
{
    creation waiting = {.rank = 0, .splits = true}, second = waiting, last = waiting;
    last.rank = 1;
    begin(&waiting);
    await_busy(0);
    begin(&second);
    finish(&second, HAYATE_ERR_BUSY);
    begin(&last);
    finish(&waiting, HAYATE_OK);
    finish(&last, HAYATE_OK);
    assert_works((creation[]){waiting, last});
}

TEST(should_end_a_split_when_a_rank_leaves)
{
    creation waiting = {.rank = 0, .splits = true}, again = waiting;
    begin(&waiting);
    await_busy(0);
    hy_job_close(members[1].job);
    finish(&waiting, HAYATE_ERR_PEER_FAILED);
    assert_int_equal(waiting.peer, 1);
    begin(&again);
    finish(&again, HAYATE_ERR_PEER_FAILED); /* the parent is broken */
}

TEST(should_close_at_any_moment_of_a_split)
{
    unsigned seed = 20261123;
    int made_it = 0;
    for (int round = 0; round < ROUNDS; round++) {
        creation made[] = {{.rank = 0, .splits = true}, {.rank = 1, .splits = true}};
        begin(&made[0]);
        if (rand_r(&seed) % 8 == 0) hy_fmpl_close(members[0].fmpl);
        begin(&made[1]);
        for (int i = rand_r(&seed) % 60; i > 0; i--) sched_yield();
        for (int i = 0; i < RANKS; i++) hy_fmpl_close(members[i].fmpl);
        for (int i = 0; i < RANKS; i++) {
            pthread_join(made[i].thread, NULL);
            bool other = made[i].rc == HAYATE_ERR_PEER_FAILED && made[i].peer == 1 - i;
            if (made[i].rc != HAYATE_OK && !other) finish(&made[i], HAYATE_ERR_CLOSED);
        }
        made_it += made[0].rc == HAYATE_OK;
        members_close_fmpls();
        members_open();
    }
    assert_in_range(made_it, 0, ROUNDS - 1);
}

int main(void)
{
    tests_each(members_set_up, members_tear_down);
    return tests_run();
}
