/* SPDX-License-Identifier: Apache-2.0 */
/* The row over verbs, between ranks that share a device. */
#include "net/piggyback_tests.h"
#include "net/row_tests.h"

#include "net/verbs/verbs_net.h"

static uint32_t connections(const hy_net_base *net)
{
    uint32_t count = 0;
    for (int i = 0; i < HY_NET_ENDPOINTS; i++) {
        const hy_net_endpoint *endpoint = hy_net_endpoint_at(net, i);
        if (endpoint) count += endpoint->conn_count;
    }
    return count;
}

/* Both at once, each on every lane. */
static void use_lanes(member *me)
{
    enum { LANES = 5 };
    hy_ep eps[LANES];
    for (int i = 0; i < LANES; i++) {
        me->net->ops->attach(me->net, &eps[i], 1 - me->rank, 50 * i);
        put_flag(&eps[i], DATA_AT + 64 * (uint64_t)i, 7);
    }
    for (uint64_t i = 0; i < LANES; i++) await(me, DATA_AT + 64 * i, 7);
    for (int i = 0; i < LANES; i++) CHECK_OK(eps[i].ops->flush(&eps[i]));
    me->net->ops->attach(me->net, &eps[0], 1 - me->rank, 255);
    CHECK_OK(eps[0].ops->flush(&eps[0])); /* of what nobody used: connects nothing */
    CHECK(connections(hy_net_base_of(me->net)) == LANES);
}

TEST(should_have_a_connection_for_each_lane)
{
    for (int i = 0; i < 5; i++) run_lives(2, use_lanes);
}

LIFE_TEST(should_reach_oneself, 1)
{
    hy_ep *ep = &me->eps[me->rank];
    uint64_t word = 5, back = 0, before;
    CHECK_OK(ep->ops->put(ep, DATA_AT, &word, 8));
    CHECK_OK(ep->ops->get(ep, DATA_AT, &back, 8));
    CHECK(back == 5);
    put_flag(ep, 64, 3);
    await(me, 64, 3);
    CHECK_OK(ep->ops->atomic(ep, 64, HY_ATOMIC_ADD, 2, 0, &before));
    CHECK(before == 3);
    CHECK_OK(ep->ops->flush(ep));
}

/* Memory that is given back and mapped anew, at the same address, is what counts then. */
LIFE_TEST(should_see_memory_that_was_mapped_anew, 2)
{
    const size_t len = 1 << 20;
    hy_ep *ep = &me->eps[1 - me->rank];
    uint8_t *place = mmap(NULL, len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (uint64_t i = 0; i < 20 && me->rank == 0; i++) {
        CHECK(mmap(place, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                   0) == place);
        fill(place, len, i);
        CHECK_OK(ep->ops->put(ep, DATA_AT, place, len));
        CHECK(mmap(place, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                   0) == place);
        CHECK_OK(ep->ops->get(ep, DATA_AT, place, len));
        CHECK(holds(place, len, i));
    }
}

/* From and to the part itself, which goes without a copy. */
LIFE_TEST(should_move_from_and_to_the_own_part, 2)
{
    const size_t len = (3 << 20) + 5;
    hy_ep *ep = &me->eps[1 - me->rank];
    if (me->rank == 1) return;
    uint8_t *here = me->part + (4 << 20), *back = me->part + (8 << 20);
    fill(here, len, 1);
    CHECK_OK(ep->ops->put(ep, DATA_AT, here, len));
    memset(here, 0, len); /* it is the caller's again */
    CHECK_OK(ep->ops->get(ep, DATA_AT, back, len));
    CHECK(holds(back, len, 1));
    CHECK_OK(ep->ops->put_start(ep, DATA_AT, back, 100000));
    CHECK_OK(ep->ops->get_start(ep, DATA_AT, here, len));
    CHECK_OK(ep->ops->flush(ep));
    CHECK(holds(here, len, 1));
}

/* Far more than any queue holds, to a peer that works ten times a second. */
LIFE_TEST(should_overrun_no_queue, 2)
{
    enum { SIGNALS = 20000 };
    hy_ep *ep = &me->eps[1 - me->rank];
    if (me->rank == 0) {
        for (uint64_t i = 1; i <= SIGNALS; i++) ep->ops->signal(ep, DATA_AT, i, &i, 8);
        CHECK_OK(ep->ops->flush(ep));
        put_flag(ep, 64, 1);
        return;
    }
    const _Atomic uint64_t *word = (const _Atomic uint64_t *)(void *)(me->part + DATA_AT);
    for (int i = 0; i < 5; i++) usleep(50000);
    await(me, 64, 1);
    CHECK(hy_load_acquire(word) == SIGNALS);
}

LIFE_TEST(should_describe_device_port_and_address, 1)
{
    char text[120];
    me->net->ops->describe(me->net, text, sizeof text);
    CHECK(strstr(text, "verbs on ") && strstr(text, ":1, ") && strstr(text, "XRC"));
    CHECK(hy_net_base_of(me->net)->address_bytes <= 120);
}

int main(int argc, char **argv)
{
    tested = &hy_net_verbs;
    rounds = 40; /* a round takes as long as hundreds elsewhere */
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    need_network();
    return tests_run();
}
