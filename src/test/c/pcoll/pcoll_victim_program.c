/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 1 dies after a start; the others must be told within a second, and not be able to go on. The
 * argument is the operation's options. */
#include <hayate/pcoll.h>

#include <signal.h>

#include "fmpl/scenario.h"

int main(int argc, char **argv)
{
    static int64_t memory[100];
    pcoll_t op = PCOLL_NULL;
    start_ranks(1);
    scenario_now = "victim";
    int rc = pcoll_allreduce_init(memory, 100, fmpl_lsum, FMPL_COMM_WORLD,
                                  argc > 1 ? argv[1] : NULL, &op);
    CHECK_OK(rc);
    for (int run = 0; run < 5; run++) {
        rc = pcoll_start(op);
        if (!rc) rc = pcoll_wait(op);
        CHECK_OK(rc);
    }
    if (rank == 1) {
        pause_us(20000); /* the others are waiting */
        raise(SIGKILL);
    }
    rc = pcoll_start(op);
    CHECK_OK(rc);
    uint64_t start = hy_now_ns();
    rc = pcoll_wait(op);
    CHECK_CODE(rc, HAYATE_ERR_PEER_FAILED);
    CHECK(hy_now_ns() - start < UINT64_C(1000000000));
    CHECK(hayate_error_peer() == 1);
    rc = pcoll_start(op);
    CHECK_CODE(rc, HAYATE_ERR_PEER_FAILED);
    rc = pcoll_free(&op);
    CHECK_OK(rc);
    fprintf(stderr, "rank %d was told\n", rank);
    return 0;
}
