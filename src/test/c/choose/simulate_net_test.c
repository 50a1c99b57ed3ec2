/* SPDX-License-Identifier: Apache-2.0 */
/* Steps between nodes, by hand. */
#include <string.h>

#include "base/test.h"
#include "choose/simulate_hand_fixture.h"
#include "sched/maps_fixture.h"

/* Start takes 7, signal 10, flight 50, take 20, step 5: see the fixture. */
#define LATENCY 1000.0
#define OVERHEAD 100.0
#define GAP 30.0
#define BYTE 2.0

static hy_model connected(int cpus)
{
    hy_model model = plain(cpus);
    model.net = HY_NET_VERBS;
    model.nets[HY_NET_VERBS] = (hy_net_model){LATENCY, OVERHEAD, GAP, BYTE};
    model.nets[HY_NET_TCP] = (hy_net_model){1e6, 1e6, 1e6, 1e6};
    return model;
}

/* Of so many ranks, `each` to a node of so many cores. */
static double time_on_nodes(int (*steps)(hy_schedule *s), int ranks, int each, int cpus)
{
    hy_nodes *nodes = nodes_of(ranks, each);
    hand_case c = case_of(steps, ranks, cpus);
    c.model = connected(cpus);
    c.shape.bytes = 4000;
    c.shape.nodes = nodes;
    double ns = run(&c).ns;
    hy_nodes_free(nodes);
    return ns;
}

static int tell(hy_schedule *s)
{
    if (s->shape.rank == 0) hy_emit_signal(s, 1);
    if (s->shape.rank == 1) hy_emit_wait(s, 0);
    return 0;
}

TEST(should_take_the_networks_terms_between_nodes_only)
{
    assert_float_equal(time_on_nodes(tell, 2, 1, 4), 7 + OVERHEAD + LATENCY + OVERHEAD, 1e-9);
    assert_float_equal(time_on_nodes(tell, 4, 2, 4), 7 + 10 + 50 + 20, 1e-9);
}

static int send_100(hy_schedule *s)
{
    if (s->shape.rank == 0) hy_emit_send(s, 1, HY_AT(HY_OUT, 0), 100);
    if (s->shape.rank == 1) hy_emit_recv(s, 0, HY_AT(HY_OUT, 0), 100);
    return 0;
}

TEST(should_bring_payload_by_the_nic)
{
    double copies = 100 * 0.5 + 100 * 1.0;
    assert_float_equal(time_on_nodes(send_100, 2, 1, 1),
                       7 + OVERHEAD + LATENCY + 100 * BYTE + OVERHEAD + copies, 1e-9);
}

static int put_and_tell(hy_schedule *s)
{
    hy_place out = HY_AT(HY_OUT, 0);
    if (s->shape.rank == 0) hy_emit_put(s, 1, out, out, 1000);
    return tell(s);
}

/* The signal is behind the data on both NICs. */
TEST(should_let_a_signal_follow_what_was_put)
{
    double put = 7 + OVERHEAD + 1000 * BYTE, told = put + OVERHEAD + LATENCY;
    double through = 7 + OVERHEAD + LATENCY + GAP + 1000 * BYTE;
    assert_true(told > through);
    assert_float_equal(time_on_nodes(put_and_tell, 2, 1, 1), told + OVERHEAD, 1e-9);
}

/* To rank 2, which is told by rank 1. */
static int put_and_tell_another(hy_schedule *s)
{
    hy_place out = HY_AT(HY_OUT, 0);
    if (s->shape.rank == 0) hy_emit_put(s, 2, out, out, 1000);
    return tell(s);
}

TEST(should_tell_others_of_what_was_put_when_it_is_there)
{
    double there = 7 + OVERHEAD + LATENCY + 1000 * BYTE, known = there + LATENCY;
    assert_float_equal(time_on_nodes(put_and_tell_another, 4, 2, 2), known + 10 + 50 + 20, 1e-9);
}

/* Then to rank 3, which is told by rank 0 itself. */
static int put_to_two(hy_schedule *s)
{
    hy_place out = HY_AT(HY_OUT, 0);
    put_and_tell_another(s);
    if (s->shape.rank == 0) hy_emit_put(s, 3, out, out, 1000), hy_emit_signal(s, 3);
    if (s->shape.rank == 3) hy_emit_wait(s, 0);
    return 0;
}

TEST(should_wait_once_until_what_was_put_is_there)
{
    double known = 7 + OVERHEAD + LATENCY + 1000 * BYTE + LATENCY;
    double alone = OVERHEAD + 1000 * BYTE + OVERHEAD + LATENCY + OVERHEAD;
    assert_true(time_on_nodes(put_to_two, 4, 1, 1) < known + OVERHEAD + alone + LATENCY);
}

static int fetch(hy_schedule *s)
{
    hy_place out = HY_AT(HY_OUT, 0);
    if (s->shape.rank == 0) hy_emit_get(s, 1, out, out, 1000);
    return 0;
}

static int fetch_and_reduce(hy_schedule *s)
{
    hy_place out = HY_AT(HY_OUT, 0);
    if (s->shape.rank == 0) hy_emit_reduce(s, 1, out, out, 1000);
    return 0;
}

TEST(should_wait_for_an_answer_of_what_is_fetched)
{
    double there = 7 + OVERHEAD + LATENCY + LATENCY + 1000 * BYTE + OVERHEAD;
    assert_float_equal(time_on_nodes(fetch, 2, 1, 1), there, 1e-9);
    assert_float_equal(time_on_nodes(fetch_and_reduce, 2, 1, 1), there + 1000 * 0.75, 1e-9);
}

/* The lower half each puts 1000 bytes to one of the upper half. */
static int put_in_pairs(hy_schedule *s)
{
    int half = s->shape.size / 2, rank = s->shape.rank;
    hy_place out = HY_AT(HY_OUT, 0);
    if (rank < half) {
        hy_emit_put(s, rank + half, out, out, 1000);
        hy_emit_signal(s, rank + half);
    } else {
        hy_emit_wait(s, rank - half);
    }
    return 0;
}

TEST(should_let_flows_of_a_node_share_its_nic)
{
    double alone = 7 + OVERHEAD + 1000 * BYTE + OVERHEAD + LATENCY + OVERHEAD;
    assert_float_equal(time_on_nodes(put_in_pairs, 2, 1, 8), alone, 1e-9);
    assert_float_equal(time_on_nodes(put_in_pairs, 8, 1, 8), alone, 1e-9); /* a NIC each */
    double four = time_on_nodes(put_in_pairs, 8, 4, 8);
    assert_true(four > alone + 3 * 1000 * BYTE);
    assert_true(four < alone + 3 * 1000 * BYTE + 8 * GAP + 2 * OVERHEAD);
}

static int compute(hy_schedule *s)
{
    hy_emit_tmp(s, 4000);
    hy_emit_copy(s, HY_AT(HY_OUT, 0), HY_AT(HY_TMP, 0), 4000);
    return 0;
}

/* 4000 bytes copied: 5 + 1000. */
TEST(should_give_each_node_its_own_cores)
{
    double one = 7 + 5 + 1000;
    assert_float_equal(time_on_nodes(compute, 8, 2, 2), one, 1e-9);
    assert_float_equal(time_on_nodes(compute, 8, 1, 1), one, 1e-9);
    assert_true(time_on_nodes(compute, 8, 4, 2) > one + 1000);
    assert_true(time_on_nodes(compute, 8, 8, 2) > one + 3 * 1000);
}

/* ---- real schedules ---- */

static hy_sim_result simulated(const hy_model *model, const hy_algorithm *a, hy_shape shape,
                               const hy_way *way, uint32_t window)
{
    hy_sim_setting setting = {.rounds = 3, .window = window};
    hy_sim_result result;
    shape.bytes = shape.coll == HY_COLL_BARRIER ? 0 : 2400;
    shape.unit = 8;
    if (hy_simulate(model, a, &shape, way, &setting, &result) != HAYATE_OK)
        fail_msg("%s %s: %s", hy_coll_name(a->coll), a->name, hayate_error());
    return result;
}

static void check(const hy_algorithm *a, const hy_shape *shape, const hy_way *way)
{
    const hy_model model = connected(2);
    hy_shape here = *shape;
    here.nodes = NULL;
    hy_sim_result result = simulated(&model, a, *shape, way, 0);
    hy_sim_result cut = simulated(&model, a, *shape, way, 5);
    assert_memory_equal(&result, &cut, sizeof result);
    assert_true(result.ns > LATENCY);
    assert_false(result.alike);
    if (a->applies(&here)) {
        hy_sim_result near = simulated(&model, a, here, way, 0);
        assert_int_equal(near.signals, result.signals);
        assert_int_equal(near.bytes, result.bytes);
    }
}

TEST(should_run_every_algorithm_on_every_map_the_same_in_windows)
{
    for (int map = 0; map < MAPS; map++) {
        hy_nodes *nodes = nodes_by(map, 8);
        for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
            hy_way way = {0};
            for (uint32_t i = 0; hy_way_at(i, &way); i++) {
                hy_shape shape = {.coll = (*a)->coll, .size = 8, .unit = 8, .wired = true};
                shape.nodes = nodes;
                if (!(*a)->applies(&shape) || !(hy_way_possible(*a, &shape) >> i & 1)) continue;
                way.arity = 4;
                way.segment = HY_SEGMENT_NONE;
                if ((*a)->traits & HY_TRAIT_PARTS) assert_ok(hy_way_complete(*a, &shape, &way));
                check(*a, &shape, &way);
            }
        }
        hy_nodes_free(nodes);
    }
}

TEST(should_take_longer_by_a_slower_network)
{
    hy_nodes *nodes = nodes_of(16, 4);
    const hy_shape shape = {
        .coll = HY_COLL_ALLREDUCE, .size = 16, .unit = 8, .nodes = nodes, .bytes = 8};
    const hy_algorithm *exchange = hy_algorithm_find(HY_COLL_ALLREDUCE, "exchange");
    hy_model model = connected(4);
    double *terms[] = {&model.nets[HY_NET_VERBS].latency, &model.nets[HY_NET_VERBS].overhead,
                       &model.nets[HY_NET_VERBS].gap, &model.nets[HY_NET_VERBS].byte};
    double before = simulated(&model, exchange, shape, &put_prepared, 0).ns;
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        *terms[i] *= 30;
        double ns = simulated(&model, exchange, shape, &put_prepared, 0).ns;
        if (ns <= before) fail_msg("term %zu: %f after %f", i, ns, before);
        before = ns;
    }
    hy_nodes_free(nodes);
}

int main(void)
{
    return tests_run();
}
