/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Lanes over libfabric: threads that do not meet, and what each promises its own. */
#define ROUNDS 300
#include "net/lanes.h"
#include "net/ofi/ofi_net.h"

static int endpoints_open(const member *me)
{
    const hy_net_base *net = hy_net_base_of(me->net);
    int count = 1;
    for (int i = 1; i < HY_NET_ENDPOINTS; i++)
        count += net->endpoints[i] && net->endpoints[i] != net->endpoints[0];
    return count;
}

static int expected_endpoints;
static void talk_and_count(member *me)
{
    CHECK(endpoints_open(me) == 1); /* none is opened before it is used */
    talk_on_all_lanes(me);
    CHECK(endpoints_open(me) == expected_endpoints);
}

static void run_with(const char *setting, int endpoints)
{
    setenv("HAYATE_ENDPOINTS", setting, 1);
    expected_endpoints = endpoints;
    run_lives(2, talk_and_count);
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

/* Threads that put without end, by the same endpoint. */
#define PUTTING 3
static _Atomic uint32_t putting;
static void *put_for_ever(void *argument)
{
    static const uint8_t data[1 << 20];
    member *me = argument;
    hy_ep *ep = &me->eps[1 - me->rank];
    while (hy_load_acquire(&putting)) CHECK_OK(ep->ops->put_start(ep, DATA_AT, data, sizeof data));
    CHECK_OK(ep->ops->flush(ep));
    return NULL;
}

LIFE_TEST(should_flush_while_other_threads_put_without_end, 2)
{
    pthread_t threads[PUTTING];
    hy_ep *ep = &me->eps[1 - me->rank];
    if (me->rank == 1) return;
    hy_store_release(&putting, 1);
    for (int i = 0; i < PUTTING; i++)
        CHECK(pthread_create(&threads[i], NULL, put_for_ever, me) == 0);
    for (uint64_t i = 0; i < 4; i++) {
        CHECK_OK(ep->ops->put(ep, 0, &i, sizeof i));
        CHECK_OK(ep->ops->flush(ep));
    }
    hy_store_release(&putting, 0);
    for (int i = 0; i < PUTTING; i++) pthread_join(threads[i], NULL);
}

/* The addresses of shm's are texts, and count endpoints: the eleventh is longer. */
static void ask_by_a_dozen_endpoints(member *me)
{
    uint64_t before;
    hy_ep end;
    for (int lane = 0; lane < 12; lane++) {
        me->net->ops->attach(me->net, &end, 1 - me->rank, lane);
        CHECK_OK(end.ops->atomic(&end, COUNTED, HY_ATOMIC_ADD, 1, 0, &before));
    }
    CHECK(endpoints_open(me) == 12);
}

TEST(should_answer_at_addresses_of_any_length)
{
    setenv("HAYATE_OFI_PROVIDER", "shm", 1);
    setenv("HAYATE_ENDPOINTS", "16", 1);
    run_lives(2, ask_by_a_dozen_endpoints);
    unsetenv("HAYATE_ENDPOINTS");
    unsetenv("HAYATE_OFI_PROVIDER");
}

LIFE_TEST(should_connect_nothing_to_flush_who_was_never_used, 2)
{
    hy_ep end;
    me->net->ops->attach(me->net, &end, 1 - me->rank, 3);
    CHECK_OK(end.ops->flush(&end));
    CHECK_OK(me->eps[1 - me->rank].ops->flush(&me->eps[1 - me->rank]));
    CHECK(!hy_net_table_look(&hy_net_base_of(me->net)->endpoints[0]->peers, 1 - me->rank));
}

/* Operations by a further endpoint end as those by the first do. */
STORY_TEST(should_say_on_every_lane_that_a_peer_has_left, 2)
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
    me->net->ops->attach(me->net, &end, 1 - me->rank, 3); /* that was never used before */
    CHECK(end.ops->atomic(&end, COUNTED, HY_ATOMIC_ADD, 1, 0, &before) == HAYATE_ERR_PEER_FAILED);
    CHECK(strstr(hayate_error(), "left") && me->net->ops->has_left(&end));
    leave(me);
}

STORY_TEST(should_refuse_a_wrong_number_of_endpoints, 1)
{
    static const char *const wrong[] = {"0", "65", "-3", "many"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("HAYATE_ENDPOINTS", wrong[i], 1);
        CHECK(tested->open(&me->attr, &me->net) == HAYATE_ERR_ARGUMENT);
        CHECK(strstr(hayate_error(), "HAYATE_ENDPOINTS"));
    }
}

int main(void)
{
    tested = &hy_net_ofi;
    return tests_run();
}
