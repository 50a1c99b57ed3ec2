/* SPDX-License-Identifier: Apache-2.0 */
/* Operations begun and tested, over rows of one machine: mapped memory, single copies, the network
 * of the tests, and verbs on a device in memory. Those over libfabric and over devices are with
 * their networks (net/row_tests.h). */
#include "path/op_tests.h"

#include "net/fault/fault_path.h"
#include "net/verbs/verbs_loop.h"

/* ---- ranks whose parts both have mapped ---- */

static uint8_t *parts[2];
static _Atomic uint32_t words[2];

static void map_peer(member *me, const hy_path_ops *row)
{
    me->part = parts[me->rank];
    for (int i = 0; i < 2; i++)
        me->eps[i] = (hy_ep){.ops = row,
                             .part = parts[i],
                             .part_bytes = PART,
                             .bell = me->bell,
                             .rank = i,
                             .here = true,
                             .pid = getpid()};
}

static void over_mapped(member *me)
{
    map_peer(me, &hy_path_shm);
    begin_many(me);
}

static void over_fault(member *me)
{
    const fault_plan plan = {.seed = 7, .delay = 60};
    map_peer(me, &hy_path_shm);
    me->net = fault_net(&plan, 2);
    for (int i = 0; i < 2; i++) fault_path_wrap(me->net, &me->eps[i], &words[0], &words[1]);
    begin_many(me);
}

static void over_fault_in_order(member *me)
{
    const fault_plan plan = {.seed = 9, .delay = 60};
    map_peer(me, &hy_path_shm);
    me->net = fault_net(&plan, 2);
    for (int i = 0; i < 2; i++) fault_path_wrap(me->net, &me->eps[i], &words[0], &words[1]);
    begin_in_order(me);
}

static void run_mapped(story tell_story)
{
    for (int i = 0; i < 2; i++) {
        parts[i] = mmap(NULL, PART, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        assert_true(parts[i] != MAP_FAILED);
    }
    run_stories(2, tell_story);
    for (int i = 0; i < 2; i++) munmap(parts[i], PART);
}

TEST(should_end_them_over_mapped_memory)
{
    run_mapped(over_mapped);
}

TEST(should_end_them_over_single_copies)
{
    static const hy_path_ops *const rows[] = {&hy_path_direct, &hy_path_cma};
    for (int i = 0; i < 2; i++) {
        op_row = rows[i];
        if (op_row->probe() == HAYATE_OK) run_mapped(over_mapped);
    }
    op_row = NULL;
}

TEST(should_end_them_over_a_network_that_is_late)
{
    run_mapped(over_fault);
}

TEST(should_order_flags_behind_puts_under_way_on_a_late_network)
{
    run_mapped(over_fault_in_order);
}

/* ---- verbs ---- */

THREADS_TEST(should_end_them_over_verbs, 2)
{
    join(me);
    begin_many(me);
    meet(me);
    begin_in_order(me);
    meet(me);
    leave(me);
}

/* Once it is connected rank 1 looks at nothing until the connection is broken, and answers nothing
 * then. */
THREADS_TEST(should_fail_those_under_way_when_their_connection_breaks, 2)
{
    static uint8_t data[100000];
    uint64_t before = 77;
    join(me);
    meet(me);
    if (me->rank == 0) {
        hy_ep *ep = &me->eps[1];
        hy_path_op ops[] = {{.kind = HY_OP_ATOMIC, .what = HY_ATOMIC_ADD, .before = &before},
                            {.kind = HY_OP_FLUSH},
                            {.kind = HY_OP_GET, .local = data, .len = sizeof data}};
        put_flag(ep, 64, 1);
        CHECK_OK(ep->ops->flush(ep));
        me->w->note[1] = 1;
        put_flag(ep, 64, 2);
        CHECK(hy_op_begin(ep->ops, ep, &ops[0]) == HAYATE_IN_PROGRESS);
        CHECK(hy_op_begin(ep->ops, ep, &ops[1]) == HAYATE_IN_PROGRESS);
        CHECK(hy_op_test(ep->ops, ep, &ops[0]) == HAYATE_IN_PROGRESS);
        hy_net_endpoint *endpoint = hy_net_endpoint_of(hy_net_base_of(me->net), 0);
        pthread_mutex_lock(&endpoint->lock);
        verbs_queue_break(verbs_of(me->net), verbs_conn_from(endpoint->conns[0])->qp);
        pthread_mutex_unlock(&endpoint->lock);
        int rc = hy_op_begin(ep->ops, ep, &ops[2]);
        for (int i = 0; i < 10; i++) me->net->ops->progress(me->net);
        CHECK((rc == HAYATE_IN_PROGRESS ? hy_op_test(ep->ops, ep, &ops[2]) : rc) ==
              HAYATE_ERR_PEER_FAILED);
        for (int i = 0; i < 2; i++) {
            CHECK(hy_op_test(ep->ops, ep, &ops[i]) == HAYATE_ERR_PEER_FAILED);
            CHECK(hayate_error_peer() == 1);
        }
        CHECK(before == 77 && data[0] == 0);
        for (int i = 0; i < HY_NET_TICKETS; i++) CHECK(!endpoint->tickets.all[i].taken);
        me->w->note[0] = 1;
    }
    while (!me->w->note[1]) me->net->ops->progress(me->net);
    while (!me->w->note[0]) usleep(1000);
    meet(me);
    leave(me);
}

int main(void)
{
    tested = &hy_net_verbs;
    hy_net_progress_ms = -1;
    use_loop();
    alarm(300);
    return tests_run();
}
