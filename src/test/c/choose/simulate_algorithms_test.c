/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Simulated times of the generators, compared with each other and with a closed formula. */
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "base/level_fixture.h"
#include "base/status.h"
#include "choose/simulate_fixture.h"
#include "sched/algorithms/algorithms.h"

static hy_sim_result simulate(const hy_model *model, const hy_algorithm *algorithm, int ranks,
                              uint64_t bytes, const hy_way *way, const hy_sim_setting *setting)
{
    const hy_shape shape = {.coll = algorithm->coll,
                            .size = ranks,
                            .root = hy_coll_has_root(algorithm->coll) ? ranks - 1 : 0,
                            .bytes = bytes,
                            .unit = 8,
                            .wired = true};
    hy_sim_result result = {.ns = -1};
    if (!algorithm->applies(&shape)) return result;
    if (!(hy_way_bit(way) & hy_way_possible(algorithm, &shape))) return result;
    int rc = hy_simulate(model, algorithm, &shape, way, setting, &result);
    if (rc) fail_msg("%s %s: %s", hy_coll_name(shape.coll), algorithm->name, hayate_error());
    return result;
}

static bool nth_way(const hy_algorithm *algorithm, uint32_t index, hy_way *way)
{
    uint64_t segment = index % 2 ? 512 : HY_SEGMENT_NONE;
    if (!hy_way_at(index / 2, way)) return false;
    way->arity = 2;
    way->segment = HY_SEGMENT_NONE;
    if ((algorithm->traits & HY_TRAIT_SEGMENTS) && way->sync == HY_SYNC_COUNTERS)
        way->segment = segment;
    return true;
}

/* The same where all ranks have as many steps. Nearly where one copies a run of blocks in two steps
 * because it goes around the end (Bruck). */
static void compare_alike(const hy_algorithm *algorithm, int ranks, const hy_sim_result *one,
                          const hy_sim_result *each)
{
    double tolerance = (one->rank_steps == each->rank_steps ? 1e-9 : 0.05) * each->ns;
    if (one->ns - each->ns > tolerance || each->ns - one->ns > tolerance)
        fail_msg("%s %s of %d ranks: %f for one, %f for each", hy_coll_name(algorithm->coll),
                 algorithm->name, ranks, one->ns, each->ns);
    assert_float_equal(one->first, each->first, tolerance);
    assert_int_equal(one->signals, each->signals);
    assert_int_equal(one->bytes, each->bytes);
    assert_int_equal(one->rank_signals, each->rank_signals);
    assert_int_equal(one->rank_bytes, each->rank_bytes);
    if (one->rank_steps == each->rank_steps) assert_int_equal(one->rank_memory, each->rank_memory);
}

static void check_alike_runs(const hy_model *model, const hy_algorithm *algorithm, int ranks,
                             bool apart, int *seen)
{
    const hy_sim_setting one = {.rounds = 3, .apart = apart};
    const hy_sim_setting each = {.rounds = 3, .apart = apart, .each = true};
    hy_way way = {0};
    for (uint32_t i = 0; nth_way(algorithm, i, &way); i++) {
        hy_sim_result a = simulate(model, algorithm, ranks, 48 * (uint64_t)ranks, &way, &one);
        if (a.ns < 0 || !a.alike) continue;
        hy_sim_result b = simulate(model, algorithm, ranks, 48 * (uint64_t)ranks, &way, &each);
        assert_false(b.alike);
        compare_alike(algorithm, ranks, &a, &b);
        ++*seen;
    }
}

static void check_alike(const hy_model *model, const hy_algorithm *algorithm, int ranks, int *seen)
{
    check_alike_runs(model, algorithm, ranks, false, seen);
    check_alike_runs(model, algorithm, ranks, true, seen);
}

TEST(should_give_the_same_when_one_rank_stands_for_all)
{
    hy_model free = plain(64);
    free.reduce_get = free.reduce; /* caches do not matter */
    hy_model narrow = free;
    narrow.cached = 0;
    narrow.bandwidth = 0.75;
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        int seen = 0;
        if (!((*a)->traits & HY_TRAIT_ALIKE)) continue;
        for (int ranks = 2; ranks <= (LEVEL_SANITIZED ? 9 : 33); ranks++) {
            check_alike(&free, *a, ranks, &seen);
            check_alike(&narrow, *a, ranks, &seen);
        }
        if (!seen) fail_msg("%s %s is never alike", hy_coll_name((*a)->coll), (*a)->name);
    }
}

static void check_windows(const hy_algorithm *algorithm, int ranks, int cpus, const hy_way *way)
{
    const uint32_t windows[] = {1, 2, 3, 7, 64};
    const hy_model model = plain(cpus);
    hy_sim_setting setting = {.rounds = 2};
    hy_sim_result whole = simulate(&model, algorithm, ranks, 2400, way, &setting);
    for (size_t w = 0; w < sizeof windows / sizeof *windows && whole.ns >= 0; w++) {
        setting.window = windows[w];
        hy_sim_result cut = simulate(&model, algorithm, ranks, 2400, way, &setting);
        assert_memory_equal(&cut, &whole, sizeof cut);
    }
}

TEST(should_give_the_same_whatever_the_window)
{
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        hy_way way = {0};
        for (uint32_t i = 0; nth_way(*a, i, &way); i++) {
            check_windows(*a, 5, 8, &way);
            check_windows(*a, 8, 3, &way);
        }
    }
}

static void check_monotone(const hy_algorithm *algorithm, const hy_model *model, int ranks,
                           const hy_way *way)
{
    const hy_sim_setting setting = {.rounds = 1};
    double before = 0;
    if (algorithm->coll == HY_COLL_BARRIER) return;
    for (uint64_t bytes = 64; bytes <= 4 << 20; bytes *= 4) {
        hy_sim_result result = simulate(model, algorithm, ranks, bytes, way, &setting);
        if (result.ns < 0) continue;
        if (result.ns <= before)
            fail_msg("%s %s of %d ranks: %f for %d B, %f for a quarter",
                     hy_coll_name(algorithm->coll), algorithm->name, ranks, result.ns, (int)bytes,
                     before);
        before = result.ns;
    }
}

TEST(should_take_longer_for_more_bytes)
{
    const hy_model model = hy_model_default(8);
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        hy_way way = {0};
        for (uint32_t i = 0; hy_way_at(i, &way); i++) {
            way.arity = 2;
            way.segment = HY_SEGMENT_NONE;
            check_monotone(*a, &model, 4, &way);
            check_monotone(*a, &model, 7, &way);
        }
    }
}

/* Fewer cores have fewer copies of lines to call back: that is left out here. */
static hy_model without_calling_back(int cpus)
{
    hy_model model = hy_model_default(cpus);
    model.put = model.get;
    return model;
}

TEST(should_take_longer_on_fewer_cores)
{
    const hy_model two = without_calling_back(2), four = without_calling_back(4);
    const hy_sim_setting setting = {.rounds = 1 + 2 * HY_WIRED_DEPTH};
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        hy_way way = {0};
        for (uint32_t i = 0; hy_way_at(i, &way); i++) {
            way.arity = 2;
            way.segment = HY_SEGMENT_NONE;
            hy_sim_result slow = simulate(&two, *a, 4, 4096, &way, &setting);
            hy_sim_result fast = simulate(&four, *a, 4, 4096, &way, &setting);
            if (slow.ns >= 0 && slow.ns <= fast.ns)
                fail_msg("%s %s way %u: %f on two cores, %f on four", hy_coll_name((*a)->coll),
                         (*a)->name, i, slow.ns, fast.ns);
            assert_int_equal(slow.signals, fast.signals);
        }
    }
}

TEST(should_agree_with_the_closed_formula_of_a_binomial_broadcast)
{
    const hy_algorithm *binomial = hy_algorithm_find(HY_COLL_BCAST, "binomial");
    const hy_way put = {.transfer = HY_TRANSFER_PUT,
                        .buffers = HY_BUFFERS_STRAIGHT,
                        .sync = HY_SYNC_COUNTERS,
                        .arity = 4,
                        .segment = HY_SEGMENT_NONE};
    const hy_sim_setting setting = {.rounds = 1};
    assert_non_null(binomial);
    for (int ranks = 2; ranks <= 1024; ranks *= 2) {
        hy_model model = plain(ranks);
        model.start = 0;
        model.reduce_get = model.reduce; /* the formula ends before the caller reads its result */
        for (uint64_t bytes = 8192; bytes <= 1 << 20; bytes *= 8) {
            const hy_shape shape = {
                .coll = HY_COLL_BCAST, .size = ranks, .bytes = bytes, .unit = 8};
            double formula = binomial->formula(&model, &shape, &put);
            double first = simulate(&model, binomial, ranks, bytes, &put, &setting).first;
            assert_float_equal(first, formula, 0.01 * formula);
        }
        double level = 10 + 0.5 * 512 + 50 + 20 + 1.0 * 512;
        double first = simulate(&model, binomial, ranks, 512, &put_prepared, &setting).first;
        assert_float_equal(first, hy_log2_ceil(ranks) * level, 1e-6);
    }
}

int main(void)
{
    return tests_run();
}
