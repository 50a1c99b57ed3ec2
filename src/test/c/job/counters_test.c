/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
#include <pthread.h>
#include <string.h>

#include "base/test.h"
#include "job/counters.h"

#define THREADS 40
#define EACH 5000

static hy_counters counters;
static pthread_barrier_t all_here;

static void *count(void *argument)
{
    uint64_t step = (uint64_t)(intptr_t)argument + 1;
    pthread_barrier_wait(&all_here);
    for (int i = 0; i < EACH; i++) {
        hy_count(&counters, HY_COUNT_SENT, 1);
        hy_count(&counters, HY_COUNT_BYTES_SENT, step);
    }
    return NULL;
}

/* More threads than stripes, and twice, so that stripes are handed on. */
TEST(should_add_up_exactly_with_more_threads_than_stripes)
{
    memset(&counters, 0, sizeof counters);
    assert_true(THREADS > HY_STRIPES);
    for (int round = 1; round <= 2; round++) {
        pthread_t threads[THREADS];
        pthread_barrier_init(&all_here, NULL, THREADS);
        for (intptr_t i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, count, (void *)i), 0);
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        pthread_barrier_destroy(&all_here);
        uint64_t calls = (uint64_t)round * THREADS * EACH;
        assert_int_equal(hy_counter_sum(&counters, HY_COUNT_SENT), calls);
        assert_int_equal(hy_counter_sum(&counters, HY_COUNT_BYTES_SENT), calls * (THREADS + 1) / 2);
        assert_int_equal(hy_counter_sum(&counters, HY_COUNT_RECEIVED), 0);
    }
}

static void *stripe_of_thread(void *argument)
{
    hy_count(&counters, HY_COUNT_EAGER, 1);
    *(int *)argument = hy_stripe;
    return NULL;
}

TEST(should_give_a_stripe_of_its_own_and_take_it_back)
{
    hy_count(&counters, HY_COUNT_EAGER, 1);
    int mine = hy_stripe, its[100];
    assert_in_range(mine, 0, HY_STRIPES - 2);
    for (int i = 0; i < 100; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, stripe_of_thread, &its[i]), 0);
        pthread_join(thread, NULL);
        assert_int_not_equal(its[i], mine);
        assert_int_equal(its[i], its[0]);
    }
}

TEST(should_name_every_counter_once)
{
    for (int i = 0; i < HY_COUNTERS; i++) {
        bool used = i <= HY_COUNT_EAGER_HELD || (i >= HY_COUNT_PUTS && i <= HY_COUNT_LANES_HELD);
        assert_int_equal(hy_counter_names[i] != NULL, used);
        for (int k = 0; used && k < i; k++)
            if (hy_counter_names[k])
                assert_string_not_equal(hy_counter_names[i], hy_counter_names[k]);
    }
}

int main(void)
{
    return tests_run();
}
