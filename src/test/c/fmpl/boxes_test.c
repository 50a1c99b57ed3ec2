/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* aarch64 */
/* Ranks that fetch from each other's boxes, while one of them is ahead: what is read must still be
 * that of its collective. */
#include "fmpl/members_fixture.h"

#include <string.h>

#include "base/level_fixture.h"
#include "choose/hint.h"
#include "coll/collective.h"

#define MOST_BYTES HY_SCHED_BOX
#define CALLS (LEVEL_SANITIZED ? 2000 : 20000)

static const hy_hint fetched[] = {
    {.algorithm = "linear", .way = {.transfer = HY_TRANSFER_GET, .buffers = HY_BUFFERS_PREPARED}},
    {.algorithm = "exchange", .way = {.transfer = HY_TRANSFER_GET, .buffers = HY_BUFFERS_PREPARED}},
};

static int64_t data[RANKS][MOST_BYTES / 8];
static unsigned seed;

static int64_t value_of(int call, int rank, int i)
{
    return (int64_t)call * 1000000 + rank * 100000 + i;
}

/* Runs of one kind, so that a root can be ahead; of one box, two or four. */
static hy_collective_call call_of(int number, int rank)
{
    unsigned of_kind = seed + (unsigned)number / 50, of_length = seed + (unsigned)number;
    int kind = rand_r(&of_kind) % 3, bytes = 64 << rand_r(&of_length) % 9;
    bool sum = kind == 2;
    return (hy_collective_call){.coll = sum ? HY_COLL_ALLREDUCE : HY_COLL_BCAST,
                                .buffer = {.address = (uint8_t *)data[rank]},
                                .count = sum ? bytes / 8 : bytes,
                                .op = FMPL_LONG_SUM,
                                .root = sum ? 0 : kind,
                                .hint = &fetched[sum]};
}

static bool is_right(const hy_collective_call *call, int number, int rank)
{
    bool sum = call->coll == HY_COLL_ALLREDUCE;
    int64_t elements = sum ? call->count : call->count / 8;
    for (int i = 0; i < elements; i++) {
        int64_t right = value_of(number, call->root, i);
        for (int other = 1; sum && other < RANKS; other++) right += value_of(number, other, i);
        if (data[rank][i] != right) return false;
    }
    return true;
}

static void *call_often(void *argument)
{
    member *m = argument;
    for (int number = 0; number < CALLS && !m->rc; number++) {
        const hy_collective_call call = call_of(number, m->rank);
        for (int i = 0; i < MOST_BYTES / 8; i++) data[m->rank][i] = value_of(number, m->rank, i);
        m->rc = hy_collective(m->fmpl->comms, FMPL_COMM_WORLD, &call, false);
        if (!m->rc && !is_right(&call, number, m->rank)) m->rc = HAYATE_ERR_CORRUPT;
    }
    return NULL;
}

/* Whether a plan of the rank fetches from boxes. */
static bool has_fetched(const hy_comm *comm)
{
    bool has = false;
    for (int i = 0; i < HY_PLANS_CHAINS; i++)
        for (const hy_plan *plan = comm->plans.chains[i]; plan; plan = plan->next)
            has = has || hy_way_bit(&plan->schedule.way) == HY_WAY_GET_PREPARED;
    return has;
}

TEST_WITH(should_read_what_is_in_a_box_before_it_is_written_again, members_set_up,
          members_tear_down)
{
    for (int round = 0; round < level_seeds(2); round++) {
        seed = 20261127 + (unsigned)round * 1000003;
        for (int i = 0; i < RANKS; i++)
            assert_int_equal(pthread_create(&members[i].thread, NULL, call_often, &members[i]), 0);
        for (int i = 0; i < RANKS; i++) pthread_join(members[i].thread, NULL);
        for (int i = 0; i < RANKS; i++) {
            const hy_comm *comm = hy_comm_find(members[i].fmpl->comms, FMPL_COMM_WORLD);
            assert_ok(members[i].rc);
            assert_true(has_fetched(comm));
        }
    }
}

int main(void)
{
    return tests_run();
}
