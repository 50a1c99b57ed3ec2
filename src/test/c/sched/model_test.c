/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "base/test.h"
#include "sched/model.h"

static const hy_curve bent = {{10, 20, 100, 1000, 9000, 40000, 200000, 1000000}};

TEST(should_hit_the_points_of_a_curve)
{
    for (int i = 0; i < HY_CURVE_POINTS; i++)
        assert_float_equal(hy_curve_at(&bent, hy_curve_bytes[i]), bent.ns[i], 1e-9);
    assert_int_equal(hy_curve_bytes[0], 64);
    assert_int_equal(hy_curve_bytes[HY_CURVE_POINTS - 1], 16 << 20);
}

TEST(should_draw_straight_lines_between_the_points)
{
    assert_float_equal(hy_curve_at(&bent, (64 + 512) / 2), 15, 1e-9);
    assert_float_equal(hy_curve_at(&bent, (4096 + 32768) / 2), 550, 1e-9);
}

TEST(should_go_on_straight_beyond_the_ends)
{
    assert_float_equal(hy_curve_at(&bent, UINT64_C(28) << 20), 1800000, 1e-6);
    assert_float_equal(hy_curve_at(&bent, 8), 10 - 56.0 * 10 / 448, 1e-9);
}

TEST(should_cost_nothing_to_move_nothing_and_never_less)
{
    const hy_curve steep = {{1, 1000, 2000, 3000, 4000, 5000, 6000, 0}};
    assert_float_equal(hy_curve_at(&bent, 0), 0, 0);
    assert_float_equal(hy_curve_at(&steep, 1), 0, 0);
    assert_float_equal(hy_curve_at(&steep, UINT64_MAX), 0, 0);
}

static void check_rises(const hy_curve *curve)
{
    for (int i = 1; i < HY_CURVE_POINTS; i++) assert_true(curve->ns[i] > curve->ns[i - 1]);
    assert_true(hy_curve_at(curve, 1) > 0);
}

TEST(should_have_defaults_that_make_sense)
{
    const hy_model model = hy_model_default(3);
    const hy_curve *curves[] = {&model.payload_out, &model.payload_in, &model.copy,
                                &model.put,         &model.get,        &model.single,
                                &model.reduce,      &model.reduce_get};
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) check_rises(curves[i]);
    for (int i = 0; i < HY_CURVE_POINTS; i++) {
        assert_true(model.copy.ns[i] < model.put.ns[i]);
        assert_true(model.reduce.ns[i] < model.reduce_get.ns[i]);
        assert_true(model.get.ns[i] < model.reduce_get.ns[i]);
    }
    /* lines of which others have copies */
    for (int i = 2; i < HY_CURVE_POINTS; i++) {
        assert_true(model.put.ns[i] > model.get.ns[i]);
        assert_float_equal(model.payload_out.ns[i], model.put.ns[i], 0);
    }
    assert_int_equal(model.cpus, 3);
    assert_int_equal(hy_model_default(0).cpus, 1);
    assert_false(model.measured);
    assert_true(model.turn > model.signal + model.flight + model.take);
}

TEST(should_know_networks_by_name)
{
    hy_net_class class;
    for (int i = 0; i < HY_NETS; i++) {
        assert_true(hy_net_class_find(hy_net_class_name((hy_net_class)i), &class));
        assert_int_equal(class, i);
    }
    assert_false(hy_net_class_find("pigeons", &class));
}

/* A network of today is slower than memory, and one that the kernel is in slower than one without.
 */
TEST(should_have_slower_terms_across_nodes)
{
    hy_model model = hy_model_default(4);
    assert_int_equal(model.net, HY_NET_TCP);
    double before = model.flight;
    for (int i = HY_NETS - 1; i >= 0; i--) {
        model.net = (hy_net_class)i;
        const hy_model across = hy_model_across(&model);
        assert_true(across.flight > before);
        before = across.flight;
        check_rises(&across.put);
        check_rises(&across.get);
        for (int point = 0; point < HY_CURVE_POINTS; point++) {
            assert_true(across.get.ns[point] > across.put.ns[point]);
            assert_true(across.payload_out.ns[point] > model.payload_out.ns[point]);
            assert_true(across.copy.ns[point] == model.copy.ns[point]);
        }
    }
}

int main(void)
{
    return tests_run();
}
