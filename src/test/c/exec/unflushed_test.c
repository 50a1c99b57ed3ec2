/* SPDX-License-Identifier: Apache-2.0 */
/* Flushes before a signal, when the network says that a member has gone. */
#include "job/world_fixture.h"

#include "base/status.h"
#include "exec/unflushed.h"

static bool in_order;
static int flushes;

static bool has_left(hy_ep *ep)
{
    (void)ep;
    return in_order;
}

static int flush(hy_ep *ep)
{
    flushes++;
    return hy_fail_peer(HAYATE_ERR_PEER_FAILED, ep->rank, "rank %d is gone", ep->rank);
}

/* Members 1 and 2 of three are on other nodes; both have been put to. */
static int flush_after(bool left)
{
    static const hy_path_ops row = {.flush = flush};
    static const hy_net_ops ops = {.has_left = has_left};
    static hy_net net = {.ops = &ops};
    static world w;
    hy_unflushed set = {0, 0};
    in_order = left, flushes = 0;
    world_open(&w, 3, UINT64_C(1) << 20);
    for (int member = 1; member < 3; member++) {
        hy_ep *ep = &w.jobs[0]->eps[member];
        ep->ops = &row, ep->net = &net, ep->part = NULL;
        hy_unflushed_put(&set, ep, member);
    }
    assert_true(hy_unflushed_before(&set, 1));
    int rc = hy_unflushed_signal(&set, &w.groups[0], 1);
    world_close(&w);
    return rc;
}

/* In a barrier behind an allreduce, a member may leave before all others have sent everything. */
TEST(should_go_on_without_a_member_that_has_left_in_order)
{
    assert_ok(flush_after(true));
    assert_int_equal(flushes, 2);
}

TEST(should_tell_that_a_member_has_failed)
{
    assert_code(flush_after(false), HAYATE_ERR_PEER_FAILED);
    assert_int_equal(hayate_error_peer(), 1);
}

int main(void)
{
    return tests_run();
}
