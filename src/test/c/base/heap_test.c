/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
#include "base/test.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/status.h"

#define SIZE UINT64_C(65536)

static uint64_t taken(hy_heap *heap, uint64_t bytes, uint64_t align)
{
    uint64_t offset = UINT64_MAX;
    assert_ok(hy_heap_take(heap, bytes, align, &offset));
    assert_int_equal(offset % align, 0);
    return offset;
}

TEST(should_round_up_to_lines)
{
    hy_heap heap;
    uint64_t bytes;
    assert_ok(hy_heap_open(&heap, SIZE));
    assert_int_equal(taken(&heap, 1, 64), 0);
    assert_int_equal(taken(&heap, 65, 64), 64);
    assert_int_equal(taken(&heap, 64, 64), 192);
    assert_int_equal(heap.used, 256);
    assert_ok(hy_heap_give(&heap, 64, &bytes));
    assert_int_equal(bytes, 128);
    assert_int_equal(heap.used, 128);
    hy_heap_close(&heap);
}

TEST(should_align_and_keep_what_lies_before)
{
    hy_heap heap;
    assert_ok(hy_heap_open(&heap, SIZE));
    assert_int_equal(taken(&heap, 64, 64), 0);
    assert_int_equal(taken(&heap, 4096, 4096), 4096);
    assert_int_equal(taken(&heap, 4032, 64), 64);
    assert_int_equal(taken(&heap, 64, 64), 8192);
    hy_heap_close(&heap);
}

TEST(should_give_all_back_in_any_order)
{
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (size_t i = 0; i < 6; i++) {
        hy_heap heap;
        uint64_t offset[3];
        assert_ok(hy_heap_open(&heap, SIZE));
        for (int k = 0; k < 3; k++) offset[k] = taken(&heap, SIZE / 4, 64);
        for (int k = 0; k < 3; k++) assert_ok(hy_heap_give(&heap, offset[orders[i][k]], NULL));
        assert_int_equal(heap.used, 0);
        assert_int_equal(hy_heap_longest(&heap), SIZE);
        assert_int_equal(taken(&heap, SIZE, 64), 0);
        hy_heap_close(&heap);
    }
}

TEST(should_refuse_what_does_not_fit_and_change_nothing)
{
    static const uint64_t sizes[] = {SIZE + 1, SIZE - 63, UINT64_MAX, UINT64_MAX - 63, INT64_MAX};
    hy_heap heap;
    assert_ok(hy_heap_open(&heap, SIZE));
    taken(&heap, 64, 64);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t offset = 12345;
        assert_int_equal(hy_heap_take(&heap, sizes[i], 64, &offset), HAYATE_ERR_NO_MEMORY);
        assert_int_equal(offset, 12345);
    }
    assert_int_equal(hy_heap_longest(&heap), SIZE - 64);
    assert_int_equal(taken(&heap, SIZE - 64, 64), 64);
    assert_int_equal(hy_heap_longest(&heap), 0);
    assert_int_equal(hy_heap_take(&heap, 1, 64, &(uint64_t){0}), HAYATE_ERR_NO_MEMORY);
    hy_heap_close(&heap);
}

TEST(should_refuse_what_is_not_taken)
{
    hy_heap heap;
    assert_ok(hy_heap_open(&heap, SIZE));
    uint64_t first = taken(&heap, 128, 64), second = taken(&heap, 128, 64);
    assert_int_equal(hy_heap_give(&heap, first + 64, NULL), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_heap_give(&heap, second + 128, NULL), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_heap_give(&heap, SIZE, NULL), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_heap_give(&heap, UINT64_MAX, NULL), HAYATE_ERR_ARGUMENT);
    assert_ok(hy_heap_give(&heap, first, NULL));
    assert_int_equal(hy_heap_give(&heap, first, NULL), HAYATE_ERR_ARGUMENT);
    assert_ok(hy_heap_give(&heap, second, NULL));
    assert_int_equal(hy_heap_give(&heap, second, NULL), HAYATE_ERR_ARGUMENT);
    assert_int_equal(heap.used, 0);
    hy_heap_close(&heap);
}

TEST(should_manage_a_size_that_is_no_multiple_of_a_line)
{
    hy_heap heap;
    assert_ok(hy_heap_open(&heap, 100));
    assert_int_equal(hy_heap_take(&heap, 100, 64, &(uint64_t){0}), HAYATE_ERR_NO_MEMORY);
    assert_int_equal(taken(&heap, 64, 64), 0);
    assert_int_equal(hy_heap_take(&heap, 1, 64, &(uint64_t){0}), HAYATE_ERR_NO_MEMORY);
    hy_heap_close(&heap);
    assert_ok(hy_heap_open(&heap, 0));
    assert_int_equal(hy_heap_take(&heap, 1, 64, &(uint64_t){0}), HAYATE_ERR_NO_MEMORY);
    hy_heap_close(&heap);
}

/* ---- against a model: one byte of `owner` per line of the heap ---- */

#define LINES (SIZE / 64)

typedef struct model {
    uint8_t owner[LINES]; /* 0: free */
    uint64_t lines[256], start[256];
} model;

/* First fit in the model; LINES when there is none. */
static uint64_t model_fit(const model *m, uint64_t lines, uint64_t align)
{
    for (uint64_t at = 0; at + lines <= LINES; at += align) {
        uint64_t free_lines = 0;
        while (free_lines < lines && !m->owner[at + free_lines]) free_lines++;
        if (free_lines == lines) return at;
    }
    return LINES;
}

static void model_set(model *m, int id, uint8_t value)
{
    memset(m->owner + m->start[id], value, m->lines[id]);
}

static void step(hy_heap *heap, model *m, unsigned *seed)
{
    int id = 1 + rand_r(seed) % 200;
    uint64_t bytes = 1 + (uint64_t)rand_r(seed) % (rand_r(seed) % 4 ? 700 : 9000), offset;
    uint64_t align = UINT64_C(64) << rand_r(seed) % 7;
    if (m->lines[id]) {
        uint64_t given;
        assert_ok(hy_heap_give(heap, m->start[id] * 64, &given));
        assert_int_equal(given, m->lines[id] * 64);
        model_set(m, id, 0);
        m->lines[id] = 0;
        return;
    }
    uint64_t expected = model_fit(m, (bytes + 63) / 64, align / 64);
    int rc = hy_heap_take(heap, bytes, align, &offset);
    assert_int_equal(rc, expected == LINES ? HAYATE_ERR_NO_MEMORY : HAYATE_OK);
    if (rc) return;
    assert_int_equal(offset, expected * 64);
    m->start[id] = expected;
    m->lines[id] = (bytes + 63) / 64;
    model_set(m, id, (uint8_t)id);
}

static void compare(const hy_heap *heap, const model *m)
{
    uint64_t used = 0, run = 0, longest = 0;
    for (uint64_t i = 0; i < LINES; i++) {
        used += m->owner[i] ? 64 : 0;
        run = m->owner[i] ? 0 : run + 64;
        if (run > longest) longest = run;
    }
    assert_int_equal(heap->used, used);
    assert_int_equal(hy_heap_longest(heap), longest);
}

TEST(should_be_first_fit_like_the_model)
{
    for (unsigned seed = 1; seed <= 20; seed++) {
        unsigned next = seed;
        static model m;
        hy_heap heap;
        memset(&m, 0, sizeof m);
        assert_ok(hy_heap_open(&heap, SIZE));
        for (int i = 0; i < 2000; i++) {
            step(&heap, &m, &next);
            if (i % 50 == 0) compare(&heap, &m);
        }
        hy_heap_close(&heap);
    }
}

int main(void)
{
    return tests_run();
}
