/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
/* Tables of few objects of many numbers: against a flat one, and with readers while they grow. */
#include "base/test.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/random_fixture.h"
#include "base/sparse.h"
#include "base/status.h"

/* The object of a number. */
static void *object_of(uint64_t number)
{
    return (void *)(uintptr_t)(16 * number + 16);
}

static void compare(hy_sparse *table, const bool *added, uint64_t numbers, uint64_t count)
{
    uint64_t place = 0, number, seen = 0;
    for (uint64_t i = 0; i < numbers; i++)
        assert_ptr_equal(hy_sparse_find(table, i), added[i] ? object_of(i) : NULL);
    for (void *object; (object = hy_sparse_next(table, &place, &number)); seen++)
        assert_true(number < numbers && added[number] && object == object_of(number));
    assert_int_equal(seen, count);
}

static void fill(hy_sparse *table, uint64_t numbers, uint64_t most, uint64_t *seed)
{
    bool *added = calloc(numbers, sizeof *added);
    uint64_t count = 0;
    compare(table, added, numbers, 0);
    for (uint64_t i = 0; i < most; i++) {
        uint64_t number = random_below(seed, numbers);
        if (added[number]) continue;
        assert_ok(hy_sparse_add(table, number, object_of(number)));
        added[number] = true;
        count++;
        if (i % (most / 4 + 1) == 0) compare(table, added, numbers, count);
    }
    compare(table, added, numbers, count);
    free(added);
}

TEST(should_agree_with_a_flat_table)
{
    static const uint64_t sizes[] = {
        1, 2, 3, 64, 1000, HY_SPARSE_DIRECT, HY_SPARSE_DIRECT + 1, 65536, 1000000};
    uint64_t seed = 5;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        hy_sparse table;
        hy_sparse_open(&table, sizes[i]);
        fill(&table, sizes[i], 2000, &seed);
        hy_sparse_close(&table);
        assert_ok(hy_sparse_open_reserved(&table, sizes[i]));
        fill(&table, sizes[i], 3 * sizes[i] < 30000 ? 3 * sizes[i] : 30000, &seed);
        hy_sparse_close(&table);
    }
}

/* Neighbours in a grid, and powers of two: numbers that a poor hash puts together. */
TEST(should_find_regular_numbers_with_few_probes)
{
    static const uint64_t strides[] = {1, 64, 1000, 4096, 65536};
    for (size_t s = 0; s < 5; s++) {
        hy_sparse table;
        uint64_t first = 0;
        hy_sparse_open(&table, UINT64_C(1) << 36);
        for (uint64_t i = 0; i < 1000; i++)
            assert_ok(hy_sparse_add(&table, i * strides[s], object_of(i)));
        const hy_sparse_object *objects = table.objects;
        for (uint64_t i = 0; i < 1000; i++) {
            uint64_t number = i * strides[s];
            first += hy_sparse_keys(objects)[hy_sparse_place(objects, number)] == number + 1;
        }
        assert_in_range(first, 750, 1000);
        hy_sparse_close(&table);
    }
}

TEST(should_take_memory_for_the_objects_not_for_the_numbers)
{
    hy_sparse table;
    hy_sparse_open(&table, UINT64_C(1) << 36);
    assert_int_equal(hy_sparse_bytes(&table), 0);
    for (uint64_t i = 0; i < 100; i++) assert_ok(hy_sparse_add(&table, i * 7919999, object_of(i)));
    assert_in_range(hy_sparse_bytes(&table), 200 * 16, 8192);
    hy_sparse_close(&table);
}

TEST(should_hold_every_number_in_its_reserve)
{
    enum { NUMBERS = 5000 };
    hy_sparse table;
    assert_ok(hy_sparse_open_reserved(&table, NUMBERS));
    for (uint64_t i = 0; i < NUMBERS; i++) assert_ok(hy_sparse_add(&table, i, object_of(i)));
    for (uint64_t i = 0; i < NUMBERS; i++)
        assert_ptr_equal(hy_sparse_find(&table, i), object_of(i));
    hy_sparse_close(&table);
}

typedef struct known {
    uint64_t number;
} known;

/* The place may be another's, but is always one of the table. */
TEST(should_guess_without_looking_at_keys)
{
    static const uint64_t sizes[] = {1, 100, 4096, 100000};
    static known objects[4096], nobody = {UINT64_MAX};
    uint64_t seed = 77;
    for (size_t s = 0; s < 4; s++) {
        hy_sparse table;
        uint64_t many = sizes[s] < 4096 ? sizes[s] : 4096, right = 0;
        assert_ok(hy_sparse_open_guessed(&table, sizes[s], &nobody));
        for (uint64_t i = 0; i < 1000; i++)
            assert_ptr_equal(hy_sparse_guess(&table, random_draw(&seed)), &nobody);
        for (uint64_t i = 0; i < many; i++) {
            objects[i].number = i * (sizes[s] / many);
            assert_ok(hy_sparse_add(&table, objects[i].number, &objects[i]));
        }
        for (uint64_t i = 0; i < many; i++) {
            known *found = hy_sparse_guess(&table, objects[i].number);
            right += found == &objects[i];
            assert_true(found == &nobody || (found >= objects && found < objects + many));
        }
        assert_in_range(right, sizes[s] <= HY_SPARSE_DIRECT ? many : many / 3, many);
        for (uint64_t i = 0; i < 1000; i++) {
            known *found = hy_sparse_guess(&table, random_draw(&seed));
            assert_true(found == &nobody || (found >= objects && found < objects + many));
        }
        hy_sparse_close(&table);
    }
}

/* ---- threads ---- */

#define MANY 20000

typedef struct shared {
    hy_sparse table;
    uint64_t objects[MANY]; /* written before they are added */
    _Atomic uint64_t added;
} shared;

static uint64_t number_of(uint64_t index)
{
    return index * 12347 % (UINT64_C(1) << 30);
}

static void *read_all(void *context)
{
    shared *s = context;
    uint64_t seed = (uint64_t)(uintptr_t)&seed | 1, wrong = 0;
    for (uint64_t added = 0; added < MANY; added = hy_load_acquire(&s->added)) {
        for (int i = 0; i < 20; i++) {
            uint64_t index = random_below(&seed, MANY);
            const uint64_t *object = hy_sparse_find(&s->table, number_of(index));
            wrong += object ? *object != index + 1 : index < added;
        }
    }
    return (void *)(uintptr_t)wrong;
}

TEST(should_let_threads_read_while_it_grows)
{
    static shared s;
    pthread_t readers[2];
    hy_sparse_open(&s.table, UINT64_C(1) << 30);
    for (int i = 0; i < 2; i++) pthread_create(&readers[i], NULL, read_all, &s);
    for (uint64_t i = 0; i < MANY; i++) {
        s.objects[i] = i + 1;
        assert_ok(hy_sparse_add(&s.table, number_of(i), &s.objects[i]));
        hy_store_release(&s.added, i + 1);
    }
    for (int i = 0; i < 2; i++) {
        void *wrong;
        pthread_join(readers[i], &wrong);
        assert_null(wrong);
    }
    hy_sparse_close(&s.table);
}

int main(void)
{
    return tests_run();
}
