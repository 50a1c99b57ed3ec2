/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* The table of waits: what a reader sees of one, whatever other processes write. */
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/test.h"
#include "job/waits.h"

#define SIZE 4 /* ranks of the job */

static hy_waits waits;

static int clear(void **state)
{
    (void)state;
    memset(&waits, 0, sizeof waits);
    return 0;
}

static hy_awaited receive(int peer, uint64_t bytes)
{
    return (hy_awaited){
        .kind = HY_AWAITED_RECEIVE, .peer = peer, .place = 7, .bytes = bytes, .step = 3};
}

TEST(should_show_what_a_thread_waits_for_until_it_ends)
{
    hy_waits_seen seen;
    hy_awaited awaited = receive(2, 8000);
    assert_false(hy_waits_read(&waits, 0, SIZE, &seen));
    uint8_t told = hy_waits_begin(&waits, &awaited);
    assert_int_equal(told, 1);
    assert_true(hy_waits_read(&waits, 0, SIZE, &seen));
    assert_int_equal(seen.awaited.kind, HY_AWAITED_RECEIVE);
    assert_int_equal(seen.awaited.peer, 2);
    assert_int_equal(seen.awaited.place, 7);
    assert_int_equal(seen.awaited.bytes, 8000);
    assert_int_equal(seen.awaited.thread, syscall(SYS_gettid));
    assert_memory_equal(seen.awaited.name, "waits_test", 11);
    assert_true(seen.awaited.since_ns > 0);
    hy_waits_end(&waits, told);
    assert_false(hy_waits_read(&waits, 0, SIZE, &seen));
}

TEST(should_change_only_what_gets_further)
{
    hy_waits_seen first, second;
    hy_awaited awaited = receive(2, 8000);
    uint8_t told = hy_waits_begin(&waits, &awaited);
    assert_true(hy_waits_read(&waits, 0, SIZE, &first));
    awaited = receive(2, 8000);
    hy_waits_look(&waits, told, &awaited);
    assert_true(hy_waits_read(&waits, 0, SIZE, &second));
    assert_int_equal(second.sequence, first.sequence);
    assert_int_equal(second.looks, first.looks + 1);
    assert_int_equal(awaited.since_ns, first.awaited.since_ns);
    awaited = receive(2, 8000);
    awaited.step++;
    hy_waits_look(&waits, told, &awaited);
    assert_true(hy_waits_read(&waits, 0, SIZE, &second));
    assert_int_not_equal(second.sequence, first.sequence);
    assert_true(second.awaited.since_ns > first.awaited.since_ns);
    assert_int_equal(second.awaited.thread, first.awaited.thread);
    hy_waits_end(&waits, told);
}

TEST(should_tell_a_second_wait_from_the_first)
{
    hy_waits_seen first, second;
    hy_awaited awaited = receive(2, 8000);
    uint8_t told = hy_waits_begin(&waits, &awaited);
    assert_true(hy_waits_read(&waits, 0, SIZE, &first));
    hy_waits_end(&waits, told);
    awaited = receive(2, 8000);
    told = hy_waits_begin(&waits, &awaited);
    assert_true(hy_waits_read(&waits, told - 1, SIZE, &second));
    assert_int_not_equal(second.sequence, first.sequence);
}

TEST(should_not_tell_more_waits_than_there_are_entries)
{
    for (int i = 0; i < HY_WAITS; i++) {
        hy_awaited awaited = receive(1, 1);
        assert_int_equal(hy_waits_begin(&waits, &awaited), i + 1);
    }
    hy_awaited awaited = receive(1, 1);
    assert_int_equal(hy_waits_begin(&waits, &awaited), 0);
    hy_waits_end(&waits, 0);
    hy_waits_end(&waits, 5);
    assert_int_equal(hy_waits_begin(&waits, &awaited), 5);
}

/* Any other process of the node can write into the table. */
TEST(should_not_believe_impossible_contents)
{
    hy_waits_seen seen;
    hy_awaited awaited = receive(SIZE, 1);
    hy_waits_begin(&waits, &awaited);
    assert_false(hy_waits_read(&waits, 0, SIZE, &seen));
    awaited = receive(-2, 1);
    hy_waits_look(&waits, 1, &awaited);
    assert_false(hy_waits_read(&waits, 0, SIZE, &seen));
    awaited = receive(0, 1);
    awaited.kind = HY_AWAITED_KINDS;
    hy_waits_look(&waits, 1, &awaited);
    assert_false(hy_waits_read(&waits, 0, SIZE, &seen));
    awaited.kind = 0;
    hy_waits_look(&waits, 1, &awaited);
    assert_true(hy_waits_read(&waits, 0, SIZE, &seen));
    hy_store_relaxed(&waits.entries[0].sequence, 9); /* for ever */
    assert_false(hy_waits_read(&waits, 0, SIZE, &seen));
    hy_store_relaxed(&waits.entries[0].sequence, 10);
    for (size_t i = 0; i < HY_WAITS_WORDS; i++)
        hy_store_relaxed(&waits.entries[0].words[i], UINT64_C(0x1b5b1b5b00000000));
    if (hy_waits_read(&waits, 0, SIZE, &seen))
        for (int i = 0; i < HY_AWAITED_NAME; i++) assert_int_not_equal(seen.awaited.name[i], 0x1b);
}

static _Atomic uint32_t stop;

/* In each version, bytes, number and step are the same. */
static void *change(void *unused)
{
    hy_awaited awaited = {.peer = 1};
    uint8_t told = hy_waits_begin(&waits, &awaited);
    for (uint32_t i = 1; !hy_load_relaxed(&stop); i++) {
        awaited = (hy_awaited){.peer = 1, .bytes = i, .number = i, .step = i};
        if (i % 64) hy_waits_look(&waits, told, &awaited);
        else {
            hy_waits_end(&waits, told);
            told = hy_waits_begin(&waits, &awaited);
        }
    }
    hy_waits_end(&waits, told);
    return unused;
}

TEST(should_never_show_half_of_a_change)
{
    pthread_t thread;
    int seen_any = 0;
    hy_store_relaxed(&stop, 0);
    assert_int_equal(pthread_create(&thread, NULL, change, NULL), 0);
    for (int i = 0; i < 20000 || !seen_any; i++) {
        hy_waits_seen seen;
        if (!hy_waits_read(&waits, 0, SIZE, &seen)) continue;
        seen_any++;
        assert_int_equal(seen.awaited.bytes, seen.awaited.number);
        assert_int_equal(seen.awaited.bytes, seen.awaited.step);
    }
    hy_store_relaxed(&stop, 1);
    pthread_join(thread, NULL);
}

int main(void)
{
    tests_each(clear, NULL);
    return tests_run();
}
