/* SPDX-License-Identifier: Apache-2.0 */
/* How operations are given to the device, on one in memory: how often it is rung for, what goes
 * inline, and that no queue is overrun. Keepers do nothing. */
#include "net/verbs/verbs_loop.h"

#include "net/net_progress.h"

#define SHORT 8
#define LONGER 40 /* too long to ride in a flag */
#define PIECES 8
#define LANES 12

static void connect_to(member *me, hy_ep *end, int lane)
{
    uint64_t before;
    me->net->ops->attach(me->net, end, 1 - me->rank, lane);
    CHECK_OK(end->ops->atomic(end, 0, HY_ATOMIC_ADD, 1, 0, &before));
    CHECK_OK(end->ops->flush(end));
}

/* The other side posts nothing meanwhile, and nothing was put to these bytes before. */
static uint32_t rings_of(hy_ep *end, size_t bytes, bool flag)
{
    static uint8_t data[PIECES * VERBS_PIECE];
    uint32_t before = loop_rings;
    CHECK_OK(end->ops->put(end, DATA_AT + 2 * bytes, data, bytes));
    if (flag) put_flag(end, 64, 1);
    return loop_rings - before;
}

THREADS_TEST(should_ring_once_for_what_goes_together, 2)
{
    hy_ep end;
    join(me);
    meet(me);
    if (me->rank == 0) {
        connect_to(me, &end, 0);
        CHECK(rings_of(&end, SHORT, true) == 1);
        CHECK(rings_of(&end, LONGER, true) == 1);
        CHECK(rings_of(&end, PIECES * VERBS_PIECE, false) == 1);
        CHECK_OK(end.ops->flush(&end));
    } else {
        while (hy_load_acquire(&me->w->note[0]) == 0) me->net->ops->progress(me->net);
    }
    hy_store_release(&me->w->note[0], 1);
    meet(me);
    leave(me);
}

static uint32_t expected_inlined;
static void count_inlined(member *me)
{
    static uint8_t data[LONGER];
    hy_ep end;
    join(me);
    meet(me);
    if (me->rank == 0) {
        connect_to(me, &end, 0);
        uint32_t before = loop_inlined;
        fill(data, LONGER, 3);
        CHECK_OK(end.ops->put(&end, DATA_AT, data, LONGER));
        put_flag(&end, 64, 1);
        CHECK(loop_inlined - before == expected_inlined);
        CHECK_OK(end.ops->flush(&end));
    } else {
        await(me, 64, 1);
        CHECK(holds(me->part + DATA_AT, LONGER, 3));
        while (hy_load_acquire(&me->w->note[0]) == 0) me->net->ops->progress(me->net);
    }
    hy_store_release(&me->w->note[0], 1);
    meet(me);
    leave(me);
}

TEST(should_send_inline_what_the_device_takes_so)
{
    expected_inlined = 2;
    run_threads(2, count_inlined);
    expected_inlined = 0;
    loop_inline = 0;
    run_threads(2, count_inlined);
    loop_inline = VERBS_LINE;
}

/* All that was posted fails at once, and each failure takes a place in the queue. The device says
 * so if there is none. */
static void fail_all_at_once(member *me)
{
    static const uint8_t data[LONGER];
    hy_ep ends[LANES];
    join(me);
    meet(me);
    for (int lane = 0; lane < LANES; lane++) connect_to(me, &ends[lane], lane);
    meet(me);
    if (me->rank == 1) {
        hy_net_endpoint *endpoint = hy_net_endpoint_of(hy_net_base_of(me->net), 0);
        pthread_mutex_lock(&endpoint->lock);
        for (int lane = 0; lane < LANES; lane++)
            verbs_queue_break(verbs_of(me->net), verbs_conn_from(endpoint->conns[lane])->qp);
        pthread_mutex_unlock(&endpoint->lock);
    }
    meet(me);
    for (int i = 0; i < VERBS_DEPTH && me->rank == 0; i++)
        for (int lane = 0; lane < LANES; lane++) {
            int rc = ends[lane].ops->put(&ends[lane], DATA_AT, data, sizeof data);
            CHECK(rc == HAYATE_OK || rc == HAYATE_ERR_PEER_FAILED);
        }
    meet(me);
    leave(me);
}

TEST(should_overrun_no_queue_when_all_fails)
{
    loop_cqes = VERBS_HELLOS + 100;
    setenv("HAYATE_ENDPOINTS", "1", 1);
    run_threads(2, fail_all_at_once);
    unsetenv("HAYATE_ENDPOINTS");
    loop_cqes = 32767;
}

int main(void)
{
    tested = &hy_net_verbs;
    hy_net_progress_ms = -1;
    use_loop();
    alarm(300);
    return tests_run();
}
