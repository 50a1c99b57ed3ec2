/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
/* Tables of objects: numbers, growth, and readers while it grows. */
#include "base/test.h"

#include <pthread.h>
#include <sched.h>

#include "base/handles.h"

#define MANY 1000

typedef struct object {
    int value;
} object;

static object objects[MANY];

static int add(hy_handles *table)
{
    int number;
    assert_ok(hy_handles_take(table, &number));
    hy_handles_put(table, number, &objects[number]);
    return number;
}

TEST(should_give_the_lowest_free_number)
{
    hy_handles table = {0};
    assert_int_equal(hy_handles_places(&table), 0);
    for (int i = 0; i < MANY; i++) assert_int_equal(add(&table), i);
    static const int freed[] = {0, 63, 64, 500, MANY - 1};
    for (int i = 4; i >= 0; i--) {
        hy_handles_give(&table, freed[i]);
        assert_null(hy_handles_get(&table, freed[i]));
    }
    for (int i = 0; i < 5; i++) assert_int_equal(add(&table), freed[i]);
    for (int i = 0; i < MANY; i++) assert_ptr_equal(hy_handles_get(&table, i), &objects[i]);
    hy_handles_close(&table);
    assert_int_equal(hy_handles_places(&table), 0);
}

TEST(should_find_nothing_under_other_numbers)
{
    static const int wrong[] = {-1, 1, 63, 64, 128, INT32_MAX, INT32_MIN};
    hy_handles table = {0};
    int reserved;
    assert_null(hy_handles_get(&table, 0));
    add(&table);
    assert_ok(hy_handles_take(&table, &reserved)); /* taken, and not put yet */
    for (int i = 0; i < 7; i++) assert_null(hy_handles_get(&table, wrong[i]));
    hy_handles_close(&table);
}

/* The newest object; a reader finds it and all before it. */
static hy_handles grown;
static _Atomic int newest;

static void *look_up(void *wrong)
{
    for (int seen = 0; seen < MANY - 1;) {
        seen = hy_load_acquire(&newest);
        for (int i = 0; i <= seen; i++)
            *(int *)wrong += hy_handles_get(&grown, i) != &objects[i] || objects[i].value != -i;
        sched_yield();
    }
    return NULL;
}

TEST(should_let_threads_look_up_while_it_grows)
{
    enum { READERS = 3 };
    pthread_t readers[READERS];
    int wrong[READERS] = {0};
    hy_store_relaxed(&newest, add(&grown));
    for (int i = 0; i < READERS; i++)
        assert_int_equal(pthread_create(&readers[i], NULL, look_up, &wrong[i]), 0);
    for (int i = 1; i < MANY; i++) {
        objects[i].value = -i;
        hy_store_release(&newest, add(&grown));
        if (i % 16 == 0) sched_yield();
    }
    for (int i = 0; i < READERS; i++) pthread_join(readers[i], NULL);
    for (int i = 0; i < READERS; i++) assert_int_equal(wrong[i], 0);
    hy_handles_close(&grown);
}

int main(void)
{
    return tests_run();
}
