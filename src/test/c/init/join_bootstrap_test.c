/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* Ranks that join through an exchange of records, and records that lie. */
#include "base/test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "init/join.h"
#include "init/join_bootstrap.h"

enum { RANKS = 3, DAMAGES = 2000 };

/* An allgather among threads. */
typedef struct table {
    pthread_barrier_t barrier;
    uint8_t records[2][RANKS][HY_OFFER_BYTES];
    size_t lengths[2][RANKS];
} table;

typedef struct member {
    table *with;
    int rank;
    int code;
    uint64_t sum;
} member;

static const uint8_t machine[HY_MACHINE_BYTES] = "this one";

typedef struct flat {
    uint8_t bytes[RANKS * HY_OFFER_BYTES];
    int32_t lengths[RANKS];
} flat;

static hy_records flatten(const table *t, int round, flat *into)
{
    uint8_t *at = into->bytes;
    for (int rank = 0; rank < RANKS; rank++) {
        memcpy(at, t->records[round][rank], t->lengths[round][rank]);
        at += t->lengths[round][rank];
        into->lengths[rank] = (int32_t)t->lengths[round][rank];
    }
    return (hy_records){.count = RANKS, .bytes = into->bytes, .lengths = into->lengths};
}

static hy_records gather(table *t, int round, flat *into)
{
    pthread_barrier_wait(&t->barrier);
    return flatten(t, round, into);
}

/* Each leaves its number where the next one finds it. */
static void communicate(member *m, hy_job *job)
{
    void *memory = hy_job_alloc(job, sizeof m->sum);
    uint64_t offset = hy_job_heap_offset(job, memory, sizeof m->sum);
    uint64_t value = (uint64_t)m->rank + 1;
    hy_ep *next = hy_job_ep(job, (m->rank + 1) % RANKS);
    if (!next->here) m->code = HAYATE_ERR_STATE;
    next->ops->put(next, offset, &value, sizeof value);
    hy_boot_fence(&job->boot);
    memcpy(&m->sum, memory, sizeof m->sum);
}

static void *be_rank(void *argument)
{
    member *m = argument;
    table *t = m->with;
    hy_bootstrap_join *join;
    hy_job *job;
    flat all;
    m->code = hy_join_offer(&join, m->rank, RANKS, machine, t->records[0][m->rank],
                            &t->lengths[0][m->rank]);
    if (m->code) return NULL;
    hy_records offers = gather(t, 0, &all);
    t->lengths[1][m->rank] = hy_join_begin(join, &offers, t->records[1][m->rank]);
    hy_records addresses = gather(t, 1, &all);
    m->code = hy_join_finish(join, &addresses, &job);
    if (m->code) return NULL;
    communicate(m, job);
    hy_job_close(job);
    hy_job_free(job);
    return NULL;
}

TEST(should_join_threads_of_one_process)
{
    table t;
    pthread_t threads[RANKS];
    member members[RANKS];
    setenv("HAYATE_HEAP", "1M", 1);
    pthread_barrier_init(&t.barrier, NULL, RANKS);
    for (int rank = 0; rank < RANKS; rank++) {
        members[rank] = (member){.with = &t, .rank = rank};
        pthread_create(&threads[rank], NULL, be_rank, &members[rank]);
    }
    for (int rank = 0; rank < RANKS; rank++) pthread_join(threads[rank], NULL);
    for (int rank = 0; rank < RANKS; rank++) {
        assert_int_equal(members[rank].code, HAYATE_OK);
        assert_int_equal(members[rank].sum, (rank + RANKS - 1) % RANKS + 1);
    }
    pthread_barrier_destroy(&t.barrier);
}

/* ---- records that lie ---- */

static void make_ranks(hy_bootstrap *ranks[RANKS], table *t)
{
    for (int rank = 0; rank < RANKS; rank++) {
        assert_ok(hy_bootstrap_create(&ranks[rank], rank, RANKS, machine));
        t->lengths[0][rank] = hy_bootstrap_offer(ranks[rank], HAYATE_OK, "1.1.",
                                                 t->records[0][rank]);
    }
}

static void free_ranks(hy_bootstrap *ranks[RANKS])
{
    for (int rank = 0; rank < RANKS; rank++) hy_bootstrap_abandon(ranks[rank]);
}

static int offer_all(hy_bootstrap *to, const table *t)
{
    flat all;
    hy_records offers = flatten(t, 0, &all);
    return hy_bootstrap_offers(to, &offers);
}

TEST(should_refuse_two_records_of_a_rank_and_other_sizes)
{
    table t;
    hy_bootstrap *ranks[RANKS];
    make_ranks(ranks, &t);
    memcpy(t.records[0][1], t.records[0][2], t.lengths[0][2]);
    assert_refused(offer_all(ranks[0], &t), HAYATE_ERR_LAUNCH, "two records");
    assert_int_equal(hayate_error_peer(), 2);
    free_ranks(ranks);
    make_ranks(ranks, &t);
    t.records[0][1][12]++; /* the size */
    assert_refused(offer_all(ranks[0], &t), HAYATE_ERR_LAUNCH, "is of rank 1 of 4");
    free_ranks(ranks);
}

TEST(should_refuse_a_record_of_another_attempt_of_itself)
{
    table t, before;
    hy_bootstrap *ranks[RANKS];
    make_ranks(ranks, &before);
    free_ranks(ranks);
    make_ranks(ranks, &t);
    assert_ok(offer_all(ranks[1], &t));
    memcpy(t.records[0][0], before.records[0][0], before.lengths[0][0]);
    assert_refused(offer_all(ranks[0], &t), HAYATE_ERR_LAUNCH, "has not given");
    free_ranks(ranks);
}

TEST(should_tell_why_another_rank_cannot_join)
{
    table t;
    hy_bootstrap *ranks[RANKS];
    make_ranks(ranks, &t);
    hy_fail(HAYATE_ERR_NO_MEMORY, "no memory\033[31m here");
    t.lengths[0][2] = hy_bootstrap_offer(ranks[2], HAYATE_ERR_NO_MEMORY, "", t.records[0][2]);
    assert_refused(offer_all(ranks[0], &t), HAYATE_ERR_LAUNCH,
                   "rank 2 cannot join: no memory?[31m here");
    assert_refused(offer_all(ranks[2], &t), HAYATE_ERR_NO_MEMORY, "no memory");
    free_ranks(ranks);
}

/* A failure that is the cause of others is told by all. */
TEST(should_tell_the_failure_that_explains_the_others)
{
    table t;
    hy_bootstrap *ranks[RANKS];
    flat all;
    make_ranks(ranks, &t);
    for (int rank = 0; rank < RANKS; rank++) {
        assert_ok(offer_all(ranks[rank], &t));
        int code = rank == 2 ? hy_fail(HAYATE_ERR_NO_MEMORY, "no memory")
                             : hy_fail_peer(HAYATE_ERR_PEER_FAILED, 2, "rank 2 is gone");
        t.lengths[1][rank] = hy_bootstrap_address(ranks[rank], code, t.records[1][rank]);
    }
    hy_records addresses = flatten(&t, 1, &all);
    for (int rank = 0; rank < RANKS - 1; rank++)
        assert_refused(hy_bootstrap_addresses(ranks[rank], &addresses), HAYATE_ERR_LAUNCH,
                       "rank 2 could not join: no memory");
    assert_refused(hy_bootstrap_addresses(ranks[2], &addresses), HAYATE_ERR_NO_MEMORY, "no memory");
    free_ranks(ranks);
}

static void damage(uint8_t *record, size_t *length, unsigned *seed)
{
    switch (rand_r(seed) % 3) {
    case 0: record[(size_t)rand_r(seed) % *length] ^= (uint8_t)(1 << rand_r(seed) % 8); break;
    case 1: *length = (size_t)rand_r(seed) % HY_OFFER_BYTES; break;
    default: memset(record, rand_r(seed), (size_t)rand_r(seed) % *length);
    }
}

/* The sanitizers see what is read or written outside of a record. */
TEST(should_take_or_refuse_any_bytes)
{
    int taken = 0, refused = 0;
    for (unsigned number = 0; number < DAMAGES; number++) {
        unsigned seed = number;
        table t = {0};
        flat all;
        hy_bootstrap *ranks[RANKS];
        make_ranks(ranks, &t);
        if (seed % 2) damage(t.records[0][1], &t.lengths[0][1], &seed);
        for (int rank = 0; rank < RANKS; rank++) {
            int rc = offer_all(ranks[rank], &t);
            rc ? refused++ : taken++;
            t.lengths[1][rank] = hy_bootstrap_address(ranks[rank], rc, t.records[1][rank]);
        }
        if (number % 2 == 0) damage(t.records[1][1], &t.lengths[1][1], &seed);
        hy_records addresses = flatten(&t, 1, &all);
        for (int rank = 0; rank < RANKS; rank++)
            hy_bootstrap_addresses(ranks[rank], &addresses) ? refused++ : taken++;
        free_ranks(ranks);
    }
    assert_true(taken > DAMAGES && refused > DAMAGES);
}

int main(void)
{
    return tests_run();
}
