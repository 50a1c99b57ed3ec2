/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* The functions of the predefined reductions: the same bits in any order of the operands. */
#include <math.h>
#include <string.h>

#include "base/test.h"
#include "base/random_fixture.h"
#include "coll/reductions.h"

#define MOST 24 /* bytes of an element */
#define COUNT 257

/* The type of the values of a reduction, and where its locations are. */
typedef enum type {
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    COMPLEX_FLOAT,
    COMPLEX_DOUBLE,
    BYTE,
    SHORT,
    CHAR,
    BOOLEAN
} type;
static const uint32_t widths[] = {4, 8, 4, 8, 8, 16, 1, 2, 2, 1},
                      places[] = {4, 8, 4, 8, 8, 16, 0, 4, 0, 0},
                      pairs[] = {8, 16, 8, 16, 12, 24, 0, 8, 0, 0};

static type type_of(int op)
{
    static const int first[] = {FMPL_INT_SUM,     FMPL_LONG_SUM,          FMPL_FLOAT_SUM,
                                FMPL_DOUBLE_SUM,  FMPL_COMPLEX_FLOAT_SUM, FMPL_COMPLEX_DOUBLE_SUM,
                                FMPL_BYTE_SUM,    FMPL_SHORT_SUM,         FMPL_CHAR_SUM,
                                FMPL_BOOLEAN_LAND};
    int type = BOOLEAN;
    while (op < first[type]) type--;
    return (enum type)type;
}

static bool rounds(int op)
{
    static const int all[] = {FMPL_FLOAT_SUM,          FMPL_FLOAT_PROD,
                              FMPL_DOUBLE_SUM,         FMPL_DOUBLE_PROD,
                              FMPL_COMPLEX_FLOAT_SUM,  FMPL_COMPLEX_FLOAT_PROD,
                              FMPL_COMPLEX_DOUBLE_SUM, FMPL_COMPLEX_DOUBLE_PROD};
    for (int i = 0; i < 8; i++)
        if (all[i] == op) return true;
    return false;
}

/* Extremes, zeros of both signs, several NaN, and values that are often equal but for the sign. */
static double real_draw(uint64_t *seed)
{
    static const double rare[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, -NAN, 1e300, 5e-324};
    uint64_t draw = random_draw(seed);
    return draw % 3 == 0 ? rare[draw / 3 % 8] : (double)(draw / 3 % 7) - 3;
}

static int64_t whole_draw(uint64_t *seed)
{
    static const int64_t rare[] = {0, INT32_MIN, INT32_MAX, INT64_MIN, INT64_MAX, INT64_MIN + 1};
    uint64_t draw = random_draw(seed);
    if (draw % 4 == 0) return (int64_t)random_draw(seed);
    return draw % 4 == 1 ? rare[draw / 4 % 6] : (int64_t)(draw / 4 % 7) - 3;
}

static void element_draw(uint64_t *seed, int op, uint8_t *at)
{
    const int64_t whole = whole_draw(seed);
    const int8_t byte = (int8_t)whole;
    const int16_t half = (int16_t)whole;
    const int32_t narrow = (int32_t)whole, location = (int32_t)random_below(seed, 3) - 1;
    const double doubles[] = {real_draw(seed), real_draw(seed)};
    const float floats[] = {(float)doubles[0], (float)doubles[1]};
    const void *const values[] = {&narrow, &whole, floats, doubles, floats,
                                  doubles, &byte,  &half,  &half,   &byte};
    uint32_t width = widths[type_of(op)], unit = hy_reductions[op].unit;
    memset(at, 0, unit);
    memcpy(at, values[type_of(op)], width);
    if (unit > width) memcpy(at + places[type_of(op)], &location, sizeof location);
}

static void fill(uint64_t *seed, int op, uint8_t *array)
{
    for (size_t i = 0; i < COUNT; i++) element_draw(seed, op, array + i * hy_reductions[op].unit);
}

/* Without padding. */
static bool are_same(int op, const uint8_t *x, const uint8_t *y)
{
    uint32_t unit = hy_reductions[op].unit, width = widths[type_of(op)];
    uint32_t place = places[type_of(op)];
    for (size_t i = 0; i < COUNT; i++) {
        const uint8_t *one = x + i * unit, *other = y + i * unit;
        if (memcmp(one, other, width) != 0) return false;
        if (unit > width && memcmp(one + place, other + place, 4) != 0) return false;
    }
    return true;
}

static void combine(int op, const uint8_t *x, const uint8_t *y, uint8_t *result)
{
    memcpy(result, x, (size_t)COUNT * hy_reductions[op].unit);
    hy_reductions[op].apply(result, y, COUNT, NULL);
}

TEST(should_give_the_same_bits_in_any_order)
{
    static _Alignas(16) uint8_t x[COUNT * MOST], y[COUNT * MOST], z[COUNT * MOST],
        one[COUNT * MOST], other[COUNT * MOST], right[COUNT * MOST];
    uint64_t seed = 15112026;
    for (int op = 0; op < FMPL_OP_COUNT; op++) {
        if (rounds(op)) continue;
        for (int round = 0; round < 20; round++) {
            fill(&seed, op, x), fill(&seed, op, y), fill(&seed, op, z);
            combine(op, x, y, one);
            combine(op, y, x, other);
            if (!are_same(op, one, other)) fail_msg("reduction %d is not commutative", op);
            combine(op, one, z, one);
            combine(op, y, z, other);
            combine(op, x, other, right);
            if (!are_same(op, one, right)) fail_msg("reduction %d is not associative", op);
        }
    }
}

TEST(should_know_the_size_and_alignment_of_every_element)
{
    static const uint32_t aligns[] = {4, 8, 4, 8, 4, 8, 1, 2, 2, 1};
    for (int op = 0; op < FMPL_OP_COUNT; op++) {
        type t = type_of(op);
        assert_non_null(hy_reductions[op].apply);
        assert_true(hy_reductions[op].unit == widths[t] || hy_reductions[op].unit == pairs[t]);
        bool pair = t == SHORT && hy_reductions[op].unit == pairs[t];
        assert_int_equal(hy_reductions[op].align, pair ? 4 : aligns[t]);
    }
    assert_int_equal(hy_reductions[FMPL_DOUBLE_ABS_MIN_LOC].unit, 16);
    assert_int_equal(hy_reductions[FMPL_DOUBLE_ABS_MIN].unit, 8);
    assert_int_equal(offsetof(fmpl_int_int_t, location), 4);
    assert_int_equal(offsetof(fmpl_short_int_t, location), 4);
    assert_int_equal(offsetof(fmpl_long_int_t, location), 8);
    assert_int_equal(offsetof(fmpl_float_int_t, location), 4);
    assert_int_equal(offsetof(fmpl_double_int_t, location), 8);
    assert_int_equal(offsetof(fmpl_complex_float_int_t, location), 8);
    assert_int_equal(offsetof(fmpl_complex_double_int_t, location), 16);
}

TEST(should_let_a_nan_win_and_tell_where_it_is)
{
    const double nan[] = {NAN, NAN, 1}, number[] = {1, NAN, NAN};
    static const int ops[] = {FMPL_DOUBLE_MAX, FMPL_DOUBLE_MIN, FMPL_DOUBLE_ABS_MAX,
                              FMPL_DOUBLE_ABS_MIN};
    for (int i = 0; i < 4; i++) {
        double inout[3];
        memcpy(inout, nan, sizeof inout);
        hy_reductions[ops[i]].apply(inout, number, 3, NULL);
        for (int k = 0; k < 3; k++) assert_true(isnan(inout[k]));
    }
    fmpl_double_int_t least = {-INFINITY, 0}, unknown = {NAN, 7}, earlier = {NAN, 3};
    hy_reductions[FMPL_DOUBLE_MIN_LOC].apply(&least, &unknown, 1, NULL);
    assert_true(isnan(least.value) && least.location == 7);
    hy_reductions[FMPL_DOUBLE_MIN_LOC].apply(&least, &earlier, 1, NULL);
    assert_int_equal(least.location, 3);
    fmpl_complex_float_t half = {1, NAN}, whole = {5, 5};
    hy_reductions[FMPL_COMPLEX_FLOAT_ABS_MIN].apply(&whole, &half, 1, NULL);
    assert_true(isnan(whole.re) && isnan(whole.im));
}

TEST(should_take_the_smaller_location_of_equal_values)
{
    fmpl_int_int_t a[] = {{5, 2}, {5, 2}, {-5, 9}}, b[] = {{5, 1}, {-5, 1}, {5, 10}};
    hy_reductions[FMPL_INT_MAX_LOC].apply(&a[0], &b[0], 1, NULL);
    assert_int_equal(a[0].location, 1);
    hy_reductions[FMPL_INT_ABS_MAX_LOC].apply(&a[1], &b[1], 2, NULL);
    assert_true(a[1].value == -5 && a[1].location == 1);
    assert_true(a[2].value == -5 && a[2].location == 9);
    fmpl_double_int_t plus = {0.0, 2}, minus = {-0.0, 1};
    hy_reductions[FMPL_DOUBLE_MAX_LOC].apply(&plus, &minus, 1, NULL);
    assert_true(signbit(plus.value) && plus.location == 1);
}

TEST(should_wrap_small_integers_around_and_compare_chars_without_a_sign)
{
    int8_t bytes[] = {127, -128, 16}, other_bytes[] = {1, -1, 16};
    hy_reductions[FMPL_BYTE_SUM].apply(bytes, other_bytes, 3, NULL);
    assert_true(bytes[0] == -128 && bytes[1] == 127 && bytes[2] == 32);
    uint16_t chars[] = {0xffff, 0xffff, 1}, other_chars[] = {0xffff, 2, 0x8000};
    hy_reductions[FMPL_CHAR_PROD].apply(chars, other_chars, 2, NULL);
    assert_true(chars[0] == 1 && chars[1] == 0xfffe);
    hy_reductions[FMPL_CHAR_MAX].apply(chars, other_chars, 3, NULL);
    assert_true(chars[0] == 0xffff && chars[1] == 0xfffe && chars[2] == 0x8000);
    int16_t shorts[] = {-1, 300}, other_shorts[] = {(int16_t)0x8000, 300};
    hy_reductions[FMPL_SHORT_MIN].apply(shorts, other_shorts, 1, NULL);
    hy_reductions[FMPL_SHORT_PROD].apply(shorts + 1, other_shorts + 1, 1, NULL);
    assert_true(shorts[0] == INT16_MIN && shorts[1] == (int16_t)90000);
}

TEST(should_make_booleans_of_0_and_1)
{
    uint8_t all[] = {2, 2, 0, 0}, with[] = {4, 0, 4, 0}, any[4], odd[4];
    memcpy(any, all, 4);
    memcpy(odd, all, 4);
    hy_reductions[FMPL_BOOLEAN_LAND].apply(all, with, 4, NULL);
    hy_reductions[FMPL_BOOLEAN_LOR].apply(any, with, 4, NULL);
    hy_reductions[FMPL_BOOLEAN_LXOR].apply(odd, with, 4, NULL);
    assert_memory_equal(all, ((uint8_t[]){1, 0, 0, 0}), 4);
    assert_memory_equal(any, ((uint8_t[]){1, 1, 1, 0}), 4);
    assert_memory_equal(odd, ((uint8_t[]){0, 1, 1, 0}), 4);
    with[0] = 8;
    hy_reductions[FMPL_BOOLEAN_LAND].normal(with, 4);
    assert_memory_equal(with, ((uint8_t[]){1, 0, 1, 0}), 4);
}

int main(void)
{
    return tests_run();
}
