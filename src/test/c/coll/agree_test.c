/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Collectives of ranks on several nodes, which hydra makes of this machine. */
#include "base/text_fixture.h"
#include "fmpl/nodes_fixture.h"

#include <stdbool.h>

#include "base/status.h"
#include "choose/tuning.h"

/* For more ranks than processors: one that spins keeps the others from what it waits for. */
#define BLOCK "HAYATE_WAIT=block"
#define TWO_LEVEL BLOCK " HAYATE_COLL=algorithm=two_level"
#define LIGHT " HAYATE_TEST_LIGHT=1"
#define TUNING "/tmp/hayate-agree-test.XXXXXX"

TEST(should_run_collectives_over_nodes)
{
    must_pass_on("n1:2,n2:2", 4, BLOCK, "", "fmpl/collectives_program");
}

/* Its communicators of one node have others. */
TEST(should_run_collectives_of_two_levels)
{
    must_pass_on("n1:3,n2:2", 5, TWO_LEVEL, "", "fmpl/collectives_program");
}

TEST(should_run_persistent_collectives_of_two_levels)
{
    must_pass_on("n1:3,n2:1", 4, TWO_LEVEL LIGHT, "",
                 "pcoll/pcoll_program barrier bcast reduce allreduce gather scatter allgather "
                 "alltoall");
}

/* All algorithms in all ways: a barrier must know of what was put between nodes. */
TEST(should_order_what_was_put_to_other_nodes_by_barriers)
{
    must_pass_on("n1:3,n2:1", 4, BLOCK LIGHT, "", "pcoll/pcoll_program reduce");
}

/* Where nodes have tuning files of their own, each would choose something else. */
TEST(should_choose_alike_on_nodes_that_were_tuned_differently)
{
    char path[] = TUNING;
    launched_need(HYDRA_PROBE);
    hy_model slow = hy_model_default(2);
    slow.nets[HY_NET_TCP] = (hy_net_model){1, 1, 0, 0};
    slow.flight = slow.signal = slow.take = 1e6;
    for (int i = 0; i < HY_CURVE_POINTS; i++) slow.get.ns[i] *= 100;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_ok(hy_tuning_store(path, &slow, NULL));
    const char *shell = text_of("if [ $PMI_RANK -lt 2 ]; then export HAYATE_TUNING=none; "
                                "else export HAYATE_TUNING=%s; fi;",
                                path);
    must_pass_on("n1:2,n2:2", 4, BLOCK, shell, "fmpl/collectives_program");
    unlink(path);
}

int main(void)
{
    return ranks_main(tests_run());
}
