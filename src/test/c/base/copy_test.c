/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* hy_copy() copies what it must and no byte more, wherever source and target begin. */
#include "base/test.h"

#include <stdlib.h>

#include "base/copy.h"

#define PAGE 4096
#define MOST (4 * PAGE)

static uint8_t *source, *target;

static int set_up(void **state)
{
    (void)state;
    source = aligned_alloc(PAGE, MOST + 2 * PAGE);
    target = aligned_alloc(PAGE, MOST + 2 * PAGE);
    for (int i = 0; i < MOST + 2 * PAGE; i++) source[i] = (uint8_t)(i * 7 + i / 251);
    return source && target ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    free(source);
    free(target);
    return 0;
}

static void check(size_t from, size_t to, size_t n)
{
    memset(target, 0xa5, MOST + 2 * PAGE);
    hy_copy(target + to, source + from, n);
    assert_memory_equal(target + to, source + from, n);
    for (size_t i = to < 256 ? 0 : to - 256; i < to; i++) assert_int_equal(target[i], 0xa5);
    for (size_t i = to + n; i < to + n + 256; i++) assert_int_equal(target[i], 0xa5);
}

TEST(should_copy_to_any_distance)
{
    static const size_t lengths[] = {0, 1, 64, 2047, 2048, 2049, 2111, 2112, 4095, 4096, MOST};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t distance = 0; distance < 130; distance++) {
            check(0, distance, lengths[i]);
            check(distance, 0, lengths[i]);
        }
}

TEST(should_avoid_the_instruction_only_where_it_is_slow)
{
    for (size_t distance = 0; distance < 4096; distance++)
        assert_int_equal(hy_copy_is_slow(target + distance, source, HY_COPY_SHORT + 1),
                         distance >= 1 && distance <= 31);
    assert_true(hy_copy_is_slow(target + 16, source, MOST));
    assert_false(hy_copy_is_slow(target, source + 16, MOST));
    assert_false(hy_copy_is_slow(target + 16, source, HY_COPY_SHORT));
}

TEST(should_copy_any_length_by_lines)
{
    for (size_t n = HY_COPY_SHORT - 1; n < HY_COPY_SHORT + 200; n++) check(5, 5 + 16, n);
}

/* In memory that ends where the data end, for ASan. */
TEST(should_touch_nothing_outside)
{
    for (size_t n = HY_COPY_SHORT + 1; n < HY_COPY_SHORT + 80; n++) {
        uint8_t *from = malloc(n), *to = malloc(n);
        memset(from, 3, n);
        hy_copy_by_lines(to, from, n);
        assert_memory_equal(from, to, n);
        free(from);
        free(to);
    }
}

int main(void)
{
    return tests_run_in(set_up, tear_down);
}
