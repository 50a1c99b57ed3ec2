/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 1 can start no threads: a collective that wants a progress thread cannot be prepared, all
 * are told why, and one without can. */
#include <hayate/pcoll.h>

#include "fmpl/scenario.h"
#include "path/seccomp_fixture.h"

int main(void)
{
    int64_t sum = 1;
    pcoll_t op = PCOLL_NULL;
    start_ranks(1);
    scenario_now = "threadless";
    CHECK(rank != 1 || seccomp_forbid_threads());
    int rc = pcoll_allreduce_init(&sum, 1, FMPL_LONG_SUM, FMPL_COMM_WORLD, "progress=thread", &op);
    CHECK_CODE(rc, HAYATE_ERR_SYSTEM);
    CHECK(strstr(hayate_error(), rank == 1 ? "ulimit -u" : "rank 1 could not prepare"));
    CHECK(rank == 1 || hayate_error_peer() == 1);
    CHECK_OK(pcoll_allreduce_init(&sum, 1, FMPL_LONG_SUM, FMPL_COMM_WORLD, "progress=caller", &op));
    CHECK_OK(pcoll_start(op));
    CHECK_OK(pcoll_wait(op));
    CHECK(sum == size);
    CHECK_OK(pcoll_free(&op));
    end_ranks();
    return 0;
}
