/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for whom: cycles in tables of waits that are written here, without any rank. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/test.h"
#include "base/status.h"
#include "boot/boot.h"
#include "boot/segment.h"
#include "observe/stat.h"
#include "sched/schedule.h"
#include "watchdog/look.h"

#define RANKS 5

static struct {
    int fd;
    uint64_t bytes;
    hy_control *control;
    hy_view *stat;
    hy_look *before, *look;
} node;

static int make_node(void **state)
{
    (void)state;
    assert_ok(hy_segment_create(RANKS, UINT64_C(1) << 20, &node.fd, &node.bytes));
    assert_ok(hy_segment_map(node.fd, RANKS, node.bytes, &node.control));
    assert_ok(hy_stat_open_fd(node.fd, &node.stat));
    for (int i = 0; i < RANKS; i++)
        hy_store_release(&hy_control_live_of(node.control)->ranks[i].state, HY_RANK_JOINED);
    return 0;
}

static int drop_node(void **state)
{
    (void)state;
    hy_look_free(node.before);
    hy_look_free(node.look);
    node.before = node.look = NULL;
    hy_stat_close(node.stat);
    munmap(node.control, node.bytes);
    close(node.fd);
    return 0;
}

/* ---- what ranks do ---- */

static hy_counters *counters_of(int rank)
{
    return (void *)hy_control_part(node.control, rank);
}

static hy_waits *waits_of(int rank)
{
    return (void *)(counters_of(rank) + 1);
}

static uint8_t wait_as(int rank, hy_awaited awaited)
{
    uint8_t told = hy_waits_begin(waits_of(rank), &awaited);
    assert_int_not_equal(told, 0);
    return told;
}

static void receive_from(int rank, int peer)
{
    wait_as(rank,
            (hy_awaited){.kind = HY_AWAITED_RECEIVE, .peer = peer, .place = 3, .bytes = 8000});
}

static void fence_as(int rank, uint64_t number)
{
    wait_as(rank, (hy_awaited){.kind = HY_AWAITED_FENCE, .peer = -1, .number = number});
}

/* Some thread has counted a message, in a stripe that no wait has. */
static void work_as(int rank, int stripe)
{
    hy_store_relaxed(&counters_of(rank)->stripe[stripe][HY_COUNT_SENT], 1);
}

/* Looks of the waiting threads, in vain, without any change. */
static void pass(int rank, int looks)
{
    for (int i = 0; i < HY_WAITS; i++) {
        hy_waits_entry *entry = &waits_of(rank)->entries[i];
        if (hy_load_relaxed(&entry->looks)) atomic_fetch_add(&entry->looks, (uint32_t)looks);
    }
}

/* Two looks, between which all threads have looked `looks` times. */
static bool look_twice(int looks)
{
    hy_look_free(node.before);
    hy_look_free(node.look);
    node.before = hy_look_take(node.stat);
    for (int i = 0; i < RANKS; i++) pass(i, looks);
    node.look = hy_look_take(node.stat);
    assert_non_null(node.look);
    return hy_look_compare(node.look, node.before);
}

static const char *first_cycle(void)
{
    static char text[400];
    assert_true(look_twice(2));
    if (!hy_look_find_cycles(node.look)) return "";
    hy_look_print_cycle(node.look, hy_look_cycle(node.look, 0), text, sizeof text);
    return text;
}

static const char *text_of(uint32_t wait)
{
    static char text[400];
    assert_true(wait < node.look->wait_count);
    hy_look_print_wait(node.look, &node.look->waits[wait], text, sizeof text);
    return text;
}

/* ---- cycles ---- */

TEST(should_name_a_ring_of_ranks_a_deadlock)
{
    receive_from(3, 1);
    receive_from(1, 2);
    receive_from(2, 3);
    receive_from(4, 2); /* waits for one of them, but nobody for it */
    assert_string_equal(first_cycle(), "deadlock: rank 1 -> rank 2 -> rank 3 -> rank 1");
    assert_int_equal(hy_look_cycle(node.look, 1), -1);
}

TEST(should_find_a_rank_that_waits_for_itself)
{
    receive_from(2, 2);
    assert_string_equal(first_cycle(), "deadlock: rank 2 -> rank 2");
}

TEST(should_find_two_cycles)
{
    receive_from(0, 3);
    receive_from(3, 0);
    receive_from(1, 2);
    receive_from(2, 1);
    assert_string_equal(first_cycle(), "deadlock: rank 0 -> rank 3 -> rank 0");
    assert_int_equal(node.look->ranks[hy_look_cycle(node.look, 1)].rank, 1);
}

TEST(should_find_no_cycle_in_a_chain)
{
    receive_from(0, 1);
    receive_from(1, 2);
    receive_from(2, 3);
    assert_string_equal(first_cycle(), "");
}

TEST(should_not_count_a_wait_for_any_of_several)
{
    receive_from(0, 1);
    wait_as(1, (hy_awaited){.kind = HY_AWAITED_REQUESTS, .peer = -1, .number = 2});
    assert_string_equal(first_cycle(), "");
}

TEST(should_find_a_rank_that_misses_in_a_fence)
{
    for (int i = 0; i < RANKS; i++)
        if (i != 3) fence_as(i, 4);
    receive_from(3, 1);
    assert_string_equal(first_cycle(), "deadlock: rank 1 -> rank 3 -> rank 1");
    assert_non_null(strstr(text_of(0), "collective set-up"));
    assert_non_null(strstr(text_of(0), "; rank 3 waits for rank 1, receive with mai 3"));
}

TEST(should_not_take_a_fence_of_all_ranks_for_a_deadlock)
{
    for (int i = 0; i < RANKS; i++) fence_as(i, 4); /* they are about to wake up */
    assert_string_equal(first_cycle(), "");
}

/* ---- what is not certain ---- */

TEST(should_doubt_a_deadlock_if_another_thread_may_go_on)
{
    receive_from(0, 1);
    receive_from(1, 0);
    work_as(1, 9);
    assert_string_equal(first_cycle(),
                        "these ranks wait for each other: rank 0 -> rank 1 -> rank 0; a deadlock "
                        "unless another thread of theirs goes on");
}

TEST(should_doubt_a_deadlock_of_virtual_threads)
{
    receive_from(0, 1);
    wait_as(1, (hy_awaited){.kind = HY_AWAITED_RECEIVE, .peer = 0, .is_virtual = 1, .thread = 37});
    assert_memory_equal(first_cycle(), "these ranks", 11);
    assert_non_null(strstr(text_of(1), "rank 1, virtual thread #37: waits for rank 0"));
}

TEST(should_doubt_a_deadlock_if_some_waits_may_be_missing)
{
    receive_from(0, 1);
    for (int i = 0; i < HY_WAITS; i++) receive_from(1, 0);
    assert_memory_equal(first_cycle(), "these ranks", 11);
}

TEST(should_doubt_a_deadlock_if_a_second_thread_waits_for_a_free_rank)
{
    receive_from(0, 1);
    receive_from(1, 0);
    receive_from(1, 4);
    assert_memory_equal(first_cycle(), "these ranks", 11);
}

TEST(should_find_no_cycle_of_a_thread_that_has_not_looked)
{
    receive_from(0, 1);
    receive_from(1, 0);
    assert_false(look_twice(1)); /* it may have looked before the first look */
    assert_false(hy_look_find_cycles(node.look));
    assert_true(look_twice(2));
    assert_true(hy_look_find_cycles(node.look));
}

/* The third look is compared with the second, which was compared with the first. */
TEST(should_remember_over_several_looks_what_got_further)
{
    receive_from(0, 1);
    receive_from(1, 0);
    assert_true(look_twice(2));
    assert_int_equal(node.look->rounds, 1);
    hy_look_free(node.before);
    node.before = node.look;
    hy_awaited later = {.kind = HY_AWAITED_RECEIVE, .peer = 0, .place = 3, .step = 1};
    hy_waits_look(waits_of(1), 1, &later);
    node.look = hy_look_take(node.stat);
    assert_false(hy_look_compare(node.look, node.before)); /* rank 0 has not looked */
    for (int i = 0; i < RANKS; i++) pass(i, 2);
    hy_look_free(node.look);
    node.look = hy_look_take(node.stat);
    assert_true(hy_look_compare(node.look, node.before));
    assert_int_equal(node.look->rounds, 2);
    assert_false(hy_look_find_cycles(node.look));
    hy_look_free(node.before);
    node.before = node.look;
    for (int i = 0; i < RANKS; i++) pass(i, 2);
    node.look = hy_look_take(node.stat);
    assert_true(hy_look_compare(node.look, node.before));
    assert_false(hy_look_find_cycles(node.look)); /* it began in the second look */
}

TEST(should_find_no_cycle_of_waits_that_got_further)
{
    receive_from(0, 1);
    receive_from(1, 0);
    assert_false(look_twice(0));
    for (int i = 0; i < 2; i++) pass(i, 2);
    hy_awaited later = {.kind = HY_AWAITED_RECEIVE, .peer = 0, .place = 3, .step = 1};
    hy_waits_look(waits_of(1), 1, &later);
    hy_look_free(node.look);
    node.look = hy_look_take(node.stat);
    assert_true(hy_look_compare(node.look, node.before));
    assert_false(hy_look_find_cycles(node.look));
}

/* ---- text ---- */

TEST(should_tell_tags_from_mais)
{
    static const struct {
        uint8_t kind;
        int32_t peer, place;
        const char *text;
    } cases[] = {
        {HY_AWAITED_SEND, 1, 7, "waits for rank 1, send with tag 7, 40 bytes"},
        {HY_AWAITED_RECEIVE, 1, -1, "waits for rank 1, receive with any tag, 40 bytes"},
        {HY_AWAITED_PROBE, -1, 9, "waits for a message with tag 9 from any rank"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wait_as(0, (hy_awaited){.kind = cases[i].kind,
                                .what = HY_AWAITED_BY_TAG,
                                .peer = cases[i].peer,
                                .place = cases[i].place,
                                .bytes = 40});
        look_twice(1);
        if (!strstr(text_of((int)i), cases[i].text))
            fail_msg("%s: %s", cases[i].text, text_of((int)i));
    }
}

TEST(should_tell_what_the_awaited_rank_does)
{
    receive_from(0, 1);
    wait_as(1, (hy_awaited){.kind = HY_AWAITED_COLLECTIVE,
                            .what = HY_COLL_ALLREDUCE,
                            .peer = 2,
                            .number = 17,
                            .bytes = 64});
    hy_control_publish(node.control, 2, HY_RANK_LEFT, 0);
    look_twice(2);
    assert_memory_equal(text_of(0), "rank 0, thread look_test (", 26);
    assert_non_null(strstr(text_of(0), "): waits for rank 1, receive with mai 3, 8000 bytes, "
                                       "since 0."));
    assert_non_null(strstr(text_of(0), " s; rank 1 waits for rank 2, allreduce #17 of the world "
                                       "communicator, 64 bytes"));
    assert_non_null(strstr(text_of(1), "; rank 2 has left"));
}

TEST(should_tell_whose_choice_is_awaited)
{
    wait_as(0,
            (hy_awaited){.kind = HY_AWAITED_CHOICE, .what = HY_COLL_BCAST, .peer = 2, .bytes = 64});
    look_twice(1);
    assert_non_null(strstr(text_of(0), "): waits for rank 2, the choice of an algorithm for bcast "
                                       "of the world communicator, 64 bytes, since 0."));
}

TEST(should_tell_who_accumulates_into_the_same_part)
{
    wait_as(0, (hy_awaited){.kind = HY_AWAITED_ACCUMULATE, .peer = 2});
    look_twice(1);
    assert_non_null(strstr(text_of(0),
                           "): waits for rank 2, the end of an accumulate into the same "
                           "part, since 0."));
}

TEST(should_keep_to_the_room_for_text)
{
    char text[160];
    for (int i = 0; i < RANKS; i++) receive_from(i, (i + 1) % RANKS);
    look_twice(2);
    assert_true(hy_look_find_cycles(node.look));
    memset(text, 'x', sizeof text);
    hy_look_print_cycle(node.look, 0, text, 110);
    assert_true(strlen(text) < 110);
    assert_non_null(strstr(text, "... -> rank 0"));
    hy_look_print_wait(node.look, &node.look->waits[0], text, 20);
    assert_int_equal(strlen(text), 19);
}

/* Numbers that no rank writes. */
TEST(should_survive_any_contents_of_the_tables)
{
    uint32_t seed = 5;
    char text[300];
    for (int run = 0; run < 200; run++) {
        for (int rank = 0; rank < RANKS; rank++) {
            uint32_t *words = (void *)waits_of(rank);
            for (size_t i = 0; i < sizeof(hy_waits) / sizeof *words; i++) {
                seed = seed * 1664525 + 1013904223;
                words[i] = seed >> 24 < 128 ? seed % 7 : seed;
            }
        }
        look_twice(0);
        hy_look_find_cycles(node.look);
        for (uint32_t i = 0; i < node.look->wait_count; i++)
            hy_look_print_wait(node.look, &node.look->waits[i], text, sizeof text);
        for (int i = 0, cycle; (cycle = hy_look_cycle(node.look, i)) >= 0; i++)
            hy_look_print_cycle(node.look, cycle, text, sizeof text);
    }
}

int main(void)
{
    tests_each(make_node, drop_node);
    return tests_run();
}
