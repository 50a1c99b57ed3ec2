/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 1 dies after a run; with "started" as a second argument after a start of its own. The others
 * must be told within a second, and not be able to go on. The first argument is the operation's
 * options. */
#include <hayate/pcoll.h>

#include <signal.h>

#include "fmpl/scenario.h"

#define COUNT 100

static int64_t memory[COUNT];

static int start(pcoll_t op)
{
    for (int i = 0; i < COUNT; i++) memory[i] = rank + 1;
    return pcoll_start(op);
}

/* As many runs as are complete; what ended them in *rc. Each adds up what the ranks have. */
static int run_all(pcoll_t op, int most, int *rc)
{
    int64_t sum = (int64_t)size * (size + 1) / 2;
    for (int run = 0; run < most; run++) {
        *rc = start(op);
        if (!*rc) *rc = pcoll_wait(op);
        if (*rc) return run;
        for (int i = 0; i < COUNT; i++) CHECK(memory[i] == sum);
    }
    return most;
}

static void die(pcoll_t op, bool started)
{
    pause_us(20000); /* the others are waiting */
    int rc = started ? start(op) : HAYATE_OK;
    CHECK_OK(rc);
    fprintf(stderr, "event at %llu\n", (unsigned long long)hy_now_ns()); /* base/told_fixture.h */
    raise(SIGKILL);
}

int main(int argc, char **argv)
{
    bool started = argc > 2 && strcmp(argv[2], "started") == 0;
    pcoll_t op = PCOLL_NULL;
    start_ranks(1);
    scenario_now = "victim";
    int rc = pcoll_allreduce_init(memory, COUNT, FMPL_LONG_SUM, FMPL_COMM_WORLD,
                                  argc > 1 ? argv[1] : NULL, &op);
    CHECK_OK(rc);
    CHECK(run_all(op, 5, &rc) == 5);
    if (rank == 1) die(op, started);
    /* What it sent when it started may have been all that was wanted of it: of one run only. */
    CHECK(run_all(op, started ? 3 : 2, &rc) <= (started ? 1 : 0));
    CHECK_CODE(rc, HAYATE_ERR_PEER_FAILED);
    uint64_t told = hy_now_ns();
    CHECK(hayate_error_peer() == 1);
    CHECK_CODE(pcoll_start(op), HAYATE_ERR_PEER_FAILED);
    CHECK_OK(pcoll_free(&op));
    fprintf(stderr, "rank %d told at %llu\n", rank, (unsigned long long)told);
    return 0;
}
