/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cost of delegation between two nodes over tcp: `deleg_speed_program [ROUNDS [TURNS]]`. Two ranks
 * play ping-pong over libfabric, then two ranks with delegatees do, in turn; printed are medians
 * over rounds in us for half a ping-pong. HAYATE_WAIT applies to ranks and delegatees.
 */
#include "deleg/deleg_fixture.h"

#define MOST_ROUNDS 100
#define LONGEST (4 << 20)

static const size_t lengths[] = {8, 1024, 8192, 65536, 1 << 20, 4 << 20};
#define KINDS (sizeof lengths / sizeof *lengths)

static uint64_t turns = 1000;
static double (*results)[KINDS][MOST_ROUNDS]; /* [2], shared with the ranks */
static int which, round_now;

static uint64_t turns_of(size_t len)
{
    return len <= 8192 ? turns : len <= 65536 ? turns / 4 + 1 : turns / 50 + 1;
}

static void hand_over(member *me, size_t kind, const uint8_t *data, uint64_t turn)
{
    hy_ep *ep = &me->eps[1 - me->rank];
    const hy_flag flag = {turn, {0, 0, 0}};
    if (kind == 0) {
        ep->ops->signal(ep, 0, turn, data, lengths[kind]);
        return;
    }
    CHECK_OK(ep->ops->put(ep, DATA_AT, data, lengths[kind]));
    CHECK_OK(ep->ops->put_flag(ep, 0, &flag));
}

/* As a rank waits: with the policy of HAYATE_WAIT on its bell. */
static int look(member *me, uint64_t turn)
{
    const _Atomic uint64_t *word = (const _Atomic uint64_t *)(void *)me->part;
    return hy_load_acquire(word) == turn;
}

static bool lifted(void *context)
{
    member *me = context;
    return me->net->ops->watches && me->net->ops->watches(me->net);
}

static void see(member *me, hy_wait_policy *policy, uint64_t turn)
{
    hy_wait wait = hy_wait_begin(policy, me->bell);
    while (!look(me, turn)) {
        hy_wait_once(&wait);
        me->net->ops->progress(me->net);
    }
    hy_wait_end(&wait);
}

static void play(member *me)
{
    uint64_t turn = 0;
    hy_wait_policy policy;
    CHECK_OK(hy_wait_policy_choose(&policy, 2, hy_cpus()));
    policy.limit = (hy_wait_limit){.us = 500, .lifted = lifted, .context = me};
    for (size_t kind = 0; kind < KINDS; kind++) {
        uint64_t count = turns_of(lengths[kind]), start = 0;
        uint8_t *data = me->part + DATA_AT + LONGEST; /* the heap */
        for (uint64_t i = 0; i < count + count / 10; i++) {
            if (i == count / 10) start = hy_now_ns();
            turn++;
            if (me->rank == 0) hand_over(me, kind, data, turn);
            see(me, &policy, turn);
            if (me->rank == 1) hand_over(me, kind, data, turn);
        }
        if (me->rank == 0)
            results[which][kind][round_now] = (double)(hy_now_ns() - start) / (double)count / 2000;
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 5;
    if (argc > 2) turns = strtoull(argv[2], NULL, 10);
    if (rounds < 1 || rounds > MOST_ROUNDS || turns < 10) return 2;
    setenv("HAYATE_OFI_PROVIDER", "tcp;ofi_rxm", 0);
    limit_s = 600;
    hy_wait_setup();
    results = mmap(NULL, 2 * sizeof *results, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                   -1, 0);
    for (round_now = 0; round_now < rounds; round_now++) {
        tested = &hy_net_ofi;
        place = NULL;
        which = 0;
        run_lives(2, play);
        deleg_use();
        which = 1;
        run_lives(2, play);
    }
    printf("%10s %14s %14s %8s %8s   (us; medians of %d rounds)\n", "bytes", "undelegated",
           "delegated", "more", "ratio", rounds);
    for (size_t kind = 0; kind < KINDS; kind++) {
        double a = median(results[0][kind], (size_t)rounds);
        double b = median(results[1][kind], (size_t)rounds);
        printf("%10zu %14.2f %14.2f %8.2f %8.2f\n", lengths[kind], a, b, b - a, b / a);
    }
    return 0;
}
