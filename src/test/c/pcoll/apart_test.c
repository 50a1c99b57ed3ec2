/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions whose data are in separate memory at the start: ordinary and persistent ones. */
#include "fmpl/members_fixture.h"

#include <stdio.h>
#include <string.h>

#include "coll/collective.h"
#include "pcoll/pcoll.h"

#define MOST 20000 /* longs */
#define RUNS 3
#define UNTOUCHED 77

/* What a member does, in a thread of its own. */
typedef struct caller {
    int rank, root; /* root -1: an allreduce */
    size_t count;
    bool heap, persistent, in_place;
    int rc, wrong;
    char said[256];
    pthread_t thread;
} caller;

static int64_t value(int rank, int run, size_t i)
{
    return rank * 1000 + run * 17 + (int64_t)(i % 131);
}

static int64_t *memory(hy_job *job, bool heap)
{
    const size_t bytes = MOST * sizeof(int64_t);
    return heap ? (int64_t *)(void *)hy_job_alloc(job, bytes) : malloc(bytes);
}

static void release(hy_job *job, bool heap, int64_t *array)
{
    if (heap) hy_job_release(job, (uint8_t *)array);
    else free(array);
}

static hy_arguments call_of(const caller *c, int64_t *in, int64_t *out)
{
    const bool to_all = c->root < 0, result = to_all || c->root == c->rank;
    return (hy_arguments){.coll = to_all ? HY_COLL_ALLREDUCE : HY_COLL_REDUCE,
                          .in = {.address = c->in_place ? NULL : (uint8_t *)in},
                          .out = {.address = c->in_place ? (uint8_t *)in
                                             : result    ? (uint8_t *)out
                                                         : NULL},
                          .apart = !c->in_place,
                          .count = (int64_t)c->count,
                          .op = FMPL_LONG_SUM,
                          .root = to_all ? 0 : c->root,
                          .in_limit = -1,
                          .out_limit = -1};
}

static bool is_right(const caller *c, int run, size_t i, const int64_t *in, const int64_t *out)
{
    const bool result = c->root < 0 || c->root == c->rank;
    const int64_t sum = value(0, run, i) + value(1, run, i), own = value(c->rank, run, i);
    if (c->in_place) return in[i] == (result ? sum : own);
    return in[i] == own && out[i] == (result ? sum : UNTOUCHED);
}

static int run_once(hy_comms *comms, const hy_arguments *call, hy_pcoll *op)
{
    if (!op) return hy_collective_two_sided(comms, 0, call, 0);
    int rc = hy_pcoll_start(op);
    return rc ? rc : hy_pcoll_wait(op, false);
}

static void *reduce(void *argument)
{
    caller *c = argument;
    hy_job *job = members[c->rank].job;
    hy_comms *comms = members[c->rank].fmpl->comms;
    int64_t *in = memory(job, c->heap), *out = memory(job, c->heap);
    const hy_pcoll_call prepared = {.arguments = call_of(c, in, out)};
    hy_pcoll *op = NULL;
    if (c->persistent) c->rc = hy_pcoll_init(comms, 0, &prepared, &op);
    for (int run = 0; run < RUNS && !c->rc; run++) {
        for (size_t i = 0; i < c->count; i++) in[i] = value(c->rank, run, i), out[i] = UNTOUCHED;
        c->rc = run_once(comms, &prepared.arguments, op);
        for (size_t i = 0; i < c->count && !c->rc; i++) c->wrong += !is_right(c, run, i, in, out);
    }
    snprintf(c->said, sizeof c->said, "%s", hayate_error());
    if (op) hy_pcoll_free(op);
    release(job, c->heap, in);
    release(job, c->heap, out);
    return NULL;
}

static void both(caller callers[RANKS])
{
    for (int i = 0; i < RANKS; i++)
        assert_int_equal(pthread_create(&callers[i].thread, NULL, reduce, &callers[i]), 0);
    for (int i = 0; i < RANKS; i++) pthread_join(callers[i].thread, NULL);
    for (int i = 0; i < RANKS; i++) {
        const caller *c = &callers[i];
        if (c->rc || c->wrong)
            fail_msg("rank %d, root %d, %zu longs%s%s: code %d, %d are wrong, %s", i, c->root,
                     c->count, c->heap ? " of the heap" : "", c->persistent ? ", persistent" : "",
                     c->rc, c->wrong, c->said);
    }
}

static void in_all_forms(bool persistent)
{
    static const size_t counts[] = {0, 1, 500, MOST};
    for (int i = 0; i < 4; i++)
        for (int root = -1; root < RANKS; root++)
            for (int heaps = 0; heaps < 4; heaps++) {
                caller callers[RANKS] = {{.rank = 0, .heap = heaps & 1}, {.rank = 1}};
                callers[1].heap = heaps & 2;
                callers[1].in_place = heaps == 3; /* members may mix both forms */
                for (int rank = 0; rank < RANKS; rank++) {
                    callers[rank].root = root;
                    callers[rank].count = counts[i];
                    callers[rank].persistent = persistent;
                }
                both(callers);
            }
}

TEST(should_reduce_into_separate_memory)
{
    in_all_forms(false);
}

TEST(should_reduce_into_separate_memory_again_and_again)
{
    in_all_forms(true);
}

static void refuse(const hy_arguments *call)
{
    const hy_pcoll_call prepared = {.arguments = *call};
    hy_comms *comms = members[0].fmpl->comms;
    hy_pcoll *op = NULL;
    assert_code(hy_collective_two_sided(comms, 0, call, 0), HAYATE_ERR_ARGUMENT);
    assert_code(hy_pcoll_init(comms, 0, &prepared, &op), HAYATE_ERR_ARGUMENT);
}

TEST(should_refuse_wrong_memory_before_anything_is_changed)
{
    int64_t in[4] = {1, 2, 3, 4}, out[4] = {5, 6, 7, 8};
    const caller c = {.root = 0, .count = 3};
    const hy_arguments good = call_of(&c, in, out);
    hy_arguments overlaps = call_of(&c, out, out + 1), same = call_of(&c, out, out), none = good,
                 nothing = good, misaligned = good, short_in = good, short_out = good;
    none.out.address = NULL;
    nothing.in.address = NULL;
    misaligned.in.address += 1;
    short_in.in_limit = 16;
    short_out.out_limit = 16;
    refuse(&overlaps), refuse(&same), refuse(&none), refuse(&nothing), refuse(&misaligned);
    refuse(&short_in), refuse(&short_out);
    assert_memory_equal(in, ((int64_t[]){1, 2, 3, 4}), sizeof in);
    assert_memory_equal(out, ((int64_t[]){5, 6, 7, 8}), sizeof out);
}

int main(void)
{
    tests_each(members_set_up, members_tear_down);
    return tests_run();
}
