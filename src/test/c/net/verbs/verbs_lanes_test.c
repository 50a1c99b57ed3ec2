/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* Lanes over verbs: threads that do not meet, and what each promises its own. On a device in
 * memory, so that it runs anywhere. */
#define ROUNDS 100
#include "net/lanes.h"
#include "net/verbs/verbs_loop.h"

static int endpoints_open(const member *me)
{
    int count = 0;
    for (int i = 0; i < HY_NET_ENDPOINTS; i++)
        count += hy_net_endpoint_at(hy_net_base_of(me->net), i) != NULL;
    return count;
}

static int expected_endpoints;
static void talk_and_count(member *me)
{
    join(me);
    CHECK(endpoints_open(me) == 1); /* none is opened before it is used */
    meet(me);
    talk_on_all_lanes(me);
    CHECK(endpoints_open(me) == expected_endpoints);
    meet(me);
    leave(me);
}

static void run_with(const char *setting, int endpoints)
{
    setenv("HAYATE_ENDPOINTS", setting, 1);
    expected_endpoints = endpoints;
    run_threads(2, talk_and_count);
    unsetenv("HAYATE_ENDPOINTS");
}

TEST(should_keep_data_before_flags_on_every_lane)
{
    run_with("8", LANES);
}

TEST(should_share_few_endpoints_among_lanes)
{
    run_with("1", 1);
    run_with("3", 3);
}

/* Two for each endpoint: the third of both ranks gets one, which is not enough, or none. */
TEST(should_go_by_the_first_endpoint_where_the_device_has_no_queue_left)
{
    loop_queues = 4;
    run_with("8", 1);
    loop_queues = 1000;
}

/* A thread that holds the lock of its lane's endpoint all the time. */
THREADS_TEST(should_not_wait_for_who_is_busy_on_another_lane, 2)
{
    hy_ep end;
    uint64_t before;
    join(me);
    meet(me);
    me->net->ops->attach(me->net, &end, 1 - me->rank, 2);
    CHECK_OK(end.ops->atomic(&end, COUNTED, HY_ATOMIC_ADD, 1, 0, &before)); /* opens it */
    meet(me);
    hy_net_endpoint *busy = hy_net_endpoint_of(hy_net_base_of(me->net), 1);
    pthread_mutex_lock(&busy->lock);
    for (int i = 0; i < 100; i++)
        CHECK_OK(end.ops->atomic(&end, COUNTED, HY_ATOMIC_ADD, 1, 0, &before));
    pthread_mutex_unlock(&busy->lock);
    meet(me);
    leave(me);
}

/* Each waits for an answer by a lane of its own, and for nothing else. */
static void ask_crosswise(member *me)
{
    hy_ep end;
    uint64_t before;
    join(me);
    meet(me);
    me->net->ops->attach(me->net, &end, 1 - me->rank, 1 + me->rank);
    for (int i = 0; i < 1000; i++)
        CHECK_OK(end.ops->atomic(&end, COUNTED, HY_ATOMIC_ADD, 1, 0, &before));
    meet(me);
    leave(me);
}

TEST(should_answer_by_every_lane_while_waiting_on_one)
{
    uint64_t start = hy_now_ns();
    run_threads(2, ask_crosswise);
    /* By the progress threads, who look ten times a second, it would take minutes. */
    assert_true(hy_now_ns() - start < UINT64_C(60000000000));
}

THREADS_TEST(should_say_on_every_lane_that_a_peer_has_left, 2)
{
    uint64_t before = 0;
    hy_ep end;
    join(me);
    meet(me);
    me->net->ops->attach(me->net, &end, 1 - me->rank, 2);
    CHECK_OK(end.ops->atomic(&end, COUNTED, HY_ATOMIC_ADD, 1, 0, &before));
    meet(me);
    if (me->rank == 1) {
        leave(me);
        me->w->note[0] = 1;
        return;
    }
    while (hy_load_acquire(&me->w->note[0]) == 0) me->net->ops->progress(me->net);
    CHECK(end.ops->atomic(&end, COUNTED, HY_ATOMIC_ADD, 1, 0, &before) == HAYATE_ERR_PEER_FAILED);
    CHECK(hayate_error_peer() == 1 && strstr(hayate_error(), "left"));
    for (int lane = 0; lane < 4; lane += 3) { /* 3 was never used before */
        me->net->ops->attach(me->net, &end, 1 - me->rank, lane);
        CHECK(end.ops->put(&end, DATA_AT, &before, 8) == HAYATE_ERR_PEER_FAILED);
        CHECK(strstr(hayate_error(), "left") && me->net->ops->has_left(&end));
    }
    leave(me);
}

/* Its queue pair of one lane is gone: nobody said anything. */
static void die(member *me)
{
    hy_ep ends[3];
    uint64_t before = 0, word = 1;
    join(me);
    meet(me);
    for (int lane = 0; lane < 3; lane++) {
        me->net->ops->attach(me->net, &ends[lane], 1 - me->rank, lane);
        CHECK_OK(ends[lane].ops->atomic(&ends[lane], COUNTED, HY_ATOMIC_ADD, 1, 0, &before));
    }
    meet(me);
    if (me->rank == 1) {
        hy_net_endpoint *endpoint = hy_net_endpoint_of(hy_net_base_of(me->net), 1);
        pthread_mutex_lock(&endpoint->lock);
        verbs_queue_break(verbs_of(me->net), verbs_conn_from(endpoint->conns[0])->qp);
        pthread_mutex_unlock(&endpoint->lock);
    }
    meet(me);
    if (me->rank == 0) {
        CHECK(ends[1].ops->put(&ends[1], DATA_AT, &word, 8) == HAYATE_OK); /* it is held */
        CHECK(ends[1].ops->flush(&ends[1]) == HAYATE_ERR_PEER_FAILED);
        CHECK(strstr(hayate_error(), "nobody there"));
        for (int lane = 0; lane < 3; lane += 2) {
            CHECK(ends[lane].ops->flush(&ends[lane]) == HAYATE_ERR_PEER_FAILED);
            CHECK(hayate_error_peer() == 1 && strstr(hayate_error(), "another connection"));
            CHECK(ends[lane].ops->put(&ends[lane], DATA_AT, &word, 8) == HAYATE_ERR_PEER_FAILED);
        }
    }
    meet(me);
    leave(me);
}

TEST(should_say_on_every_lane_that_a_peer_has_died)
{
    run_threads(2, die);
}

THREADS_TEST(should_refuse_a_wrong_number_of_endpoints, 1)
{
    static const char *const wrong[] = {"0", "65", "-3", "many"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("HAYATE_ENDPOINTS", wrong[i], 1);
        CHECK(tested->open(&me->attr, &me->net) == HAYATE_ERR_ARGUMENT);
        CHECK(strstr(hayate_error(), "HAYATE_ENDPOINTS"));
    }
    unsetenv("HAYATE_ENDPOINTS");
}

int main(int argc, char **argv)
{
    tested = &hy_net_verbs;
    use_loop();
    alarm(300);
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return tests_run();
}
