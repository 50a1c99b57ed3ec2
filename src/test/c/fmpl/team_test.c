/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that are threads of one process. tsan would see the user's data race with copies that are
 * ordered by signals only of one message, so it is left out: conformance covers the order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fmpl/context.h"
#include "job/job.h"

#define BYTES (UINT64_C(8) << 20)
#define ROUNDS 60

typedef struct member {
    hy_team *team;
    int rank, rc;
    hy_job *job;
    hy_fmpl *fmpl;
} member;

static void *open_one(void *argument)
{
    member *m = argument;
    m->rc = hy_job_open_in(&m->job, m->team, m->rank);
    if (!m->rc) m->rc = hy_fmpl_open(&m->fmpl, m->job, NULL, NULL, 1);
    return NULL;
}

static void open_pair(member pair[2])
{
    pthread_t threads[2];
    hy_team *team;
    setenv("HAYATE_HEAP", "8M", 1);
    assert_int_equal(hy_team_create(2, &team), HAYATE_OK);
    for (int i = 0; i < 2; i++) {
        pair[i] = (member){.team = team, .rank = i};
        assert_int_equal(pthread_create(&threads[i], NULL, open_one, &pair[i]), 0);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) assert_int_equal(pair[i].rc, HAYATE_OK);
    hy_team_drop(team);
}

static void close_pair(member pair[2])
{
    for (int i = 0; i < 2; i++) {
        hy_fmpl_close(pair[i].fmpl);
        hy_job_close(pair[i].job);
    }
    for (int i = 0; i < 2; i++) {
        hy_fmpl_free(pair[i].fmpl);
        hy_job_free(pair[i].job);
    }
}

typedef struct transfer {
    hy_fmpl *fmpl;
    uint8_t *memory;
    int rc;
} transfer;

static uint8_t *map_memory(void)
{
    void *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    return memory;
}

static void *receive(void *argument)
{
    transfer *t = argument;
    uint64_t received;
    const hy_buffer buffer = {.address = t->memory};
    t->rc = hy_recv(t->fmpl, buffer, (int64_t)BYTES, 0, 0, &received, NULL);
    return NULL;
}

/* The memory is gone as soon as the call is over: who still reads it dies. */
static void *send_and_unmap(void *argument)
{
    transfer *t = argument;
    const hy_buffer buffer = {.address = t->memory};
    t->rc = hy_send(t->fmpl, buffer, (int64_t)BYTES, 1, 0, NULL);
    munmap(t->memory, BYTES);
    return NULL;
}

static void should_move_any_memory_directly(void **state)
{
    (void)state;
    member pair[2];
    open_pair(pair);
    assert_true(pair[0].job->direct && pair[1].job->direct);
    transfer out = {pair[0].fmpl, map_memory(), 0}, in = {pair[1].fmpl, map_memory(), 0};
    pthread_t sender, receiver;
    memset(out.memory, 7, BYTES);
    pthread_create(&receiver, NULL, receive, &in);
    pthread_create(&sender, NULL, send_and_unmap, &out);
    pthread_join(sender, NULL);
    pthread_join(receiver, NULL);
    assert_int_equal(out.rc, HAYATE_OK);
    assert_int_equal(in.rc, HAYATE_OK);
    for (uint64_t i = 0; i < BYTES; i++) assert_int_equal(in.memory[i], 7);
    assert_int_equal(hy_counter_sum(pair[0].job->counters, HY_COUNT_DIRECT), 1);
    munmap(in.memory, BYTES);
    close_pair(pair);
}

/* Closed at another moment of the transfer each time. */
static void should_not_read_a_buffer_of_a_send_that_was_closed(void **state)
{
    (void)state;
    int closed = 0, failed = 0;
    for (int round = 0; round < ROUNDS; round++) {
        member pair[2];
        open_pair(pair);
        transfer out = {pair[0].fmpl, map_memory(), 0}, in = {pair[1].fmpl, map_memory(), 0};
        pthread_t sender, receiver;
        pthread_create(&sender, NULL, send_and_unmap, &out);
        pthread_create(&receiver, NULL, receive, &in);
        for (volatile int spin = 0; spin < round * 20000; spin++) continue;
        hy_fmpl_close(pair[0].fmpl);
        pthread_join(sender, NULL);
        hy_fmpl_close(pair[1].fmpl);
        pthread_join(receiver, NULL);
        closed += out.rc == HAYATE_ERR_CLOSED;
        failed += in.rc == HAYATE_ERR_PEER_FAILED || in.rc == HAYATE_ERR_CLOSED;
        assert_true(out.rc == HAYATE_OK || out.rc == HAYATE_ERR_CLOSED);
        munmap(in.memory, BYTES);
        close_pair(pair);
    }
    assert_true(closed > 0 && failed > 0);
}

static void should_refuse_a_rank_that_is_taken_or_is_not_there(void **state)
{
    (void)state;
    hy_team *team;
    hy_boot first, second;
    assert_int_equal(hy_team_create(0, &team), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_team_create(2, &team), HAYATE_OK);
    assert_int_equal(hy_boot_open_in(&first, team, 2), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_boot_open_in(&first, team, -1), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_boot_open_in(&first, team, 1), HAYATE_OK);
    assert_int_equal(hy_boot_open_in(&second, team, 1), HAYATE_ERR_STATE);
    hy_team_drop(team);
    assert_int_equal(first.control->size, 2); /* the rank still holds it */
    hy_boot_release(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_move_any_memory_directly),
        cmocka_unit_test(should_not_read_a_buffer_of_a_send_that_was_closed),
        cmocka_unit_test(should_refuse_a_rank_that_is_taken_or_is_not_there),
    };
    unsetenv("HAYATE_RENDEZVOUS");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
