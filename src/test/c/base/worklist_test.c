/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>
#include <stdlib.h>

#include "base/worklist.h"

#define THINGS 5

typedef struct thing {
    hy_work work; /* first */
    int number;
    _Atomic int inside, met;
} thing;

static hy_worklist list;
static thing things[THINGS];

static int set_up(void **state)
{
    (void)state;
    hy_worklist_open(&list);
    for (int i = THINGS - 1; i >= 0; i--) {
        things[i] = (thing){.number = i};
        hy_worklist_add(&list, &things[i].work);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    hy_worklist_close(&list);
    return 0;
}

static int next(hy_walk *walk)
{
    hy_work *work = hy_walk_next(&list, walk, NULL, NULL);
    return work ? ((thing *)(void *)work)->number : -1;
}

static void should_claim_one_after_the_other(void **state)
{
    hy_walk walk = {.begun = false};
    (void)state;
    for (int i = 0; i < THINGS; i++) {
        assert_int_equal(next(&walk), i);
        assert_false(hy_work_claim(&things[i].work));
        hy_work_release(&things[i].work);
    }
    assert_int_equal(next(&walk), -1);
    assert_null(list.walks);
}

static bool is_odd(const hy_work *work, void *asked)
{
    ++*(int *)asked;
    return ((const thing *)(const void *)work)->number % 2;
}

static void should_pass_over_what_others_have_and_what_is_not_wanted(void **state)
{
    hy_walk walk = {.begun = false};
    int asked = 0;
    (void)state;
    assert_true(hy_work_claim(&things[1].work));
    assert_ptr_equal(hy_walk_next(&list, &walk, is_odd, &asked), &things[3].work);
    assert_null(hy_walk_next(&list, &walk, is_odd, &asked));
    assert_int_equal(asked, THINGS);
}

static void should_go_on_behind_what_is_removed_meanwhile(void **state)
{
    hy_walk walk = {.begun = false}, inner = {.begun = false};
    thing late = {.number = 77};
    (void)state;
    assert_int_equal(next(&walk), 0);
    assert_int_equal(next(&inner), 1); /* 0 is claimed */
    hy_worklist_remove(&list, &things[0].work);
    hy_worklist_remove(&list, &things[1].work);
    hy_worklist_remove(&list, &things[2].work);
    hy_worklist_add(&list, &late.work);
    assert_int_equal(next(&walk), 3);
    hy_work_release(&things[3].work);
    assert_int_equal(next(&inner), 3);
    hy_worklist_remove(&list, &things[4].work);
    assert_int_equal(next(&inner), -1);
    assert_int_equal(next(&walk), -1);
    assert_int_equal(hy_load_relaxed(&list.count), 2);
    assert_ptr_equal(list.first, &late.work);
}

static int try_next(hy_walk *walk, bool *beaten)
{
    hy_work *work = hy_walk_try(&list, walk, NULL, NULL, beaten);
    return work ? ((thing *)(void *)work)->number : -1;
}

static void should_let_others_on_while_one_works(void **state)
{
    hy_walk walk = {.begun = false}, other = {.begun = false};
    bool beaten = true;
    (void)state;
    assert_int_equal(try_next(&walk, &beaten), 0);
    for (int i = 1; i < THINGS; i++) assert_int_equal(try_next(&other, &beaten), i);
    assert_int_equal(try_next(&other, &beaten), -1);
    assert_false(beaten);
    assert_int_equal(try_next(&walk, &beaten), -1);
    assert_false(beaten);
    assert_null(list.walks);
}

static void should_end_a_walk_when_another_thread_is_searching(void **state)
{
    hy_walk walk = {.begun = false}, late = {.begun = false};
    bool beaten = false;
    (void)state;
    assert_int_equal(try_next(&walk, &beaten), 0);
    hy_store_relaxed(&list.searched, 1);
    assert_int_equal(try_next(&walk, &beaten), -1);
    assert_true(beaten);
    assert_int_equal(try_next(&late, &beaten), -1);
    assert_true(beaten);
    assert_null(list.walks);
}

/* ---- many threads ---- */

#define THREADS 4
#ifdef __SANITIZE_THREAD__
#define ROUNDS 2000
#else
#define ROUNDS 20000
#endif

static _Atomic int twice;

static void work_on(thing *t)
{
    if (atomic_fetch_add(&t->inside, 1) != 0) atomic_fetch_add(&twice, 1);
    if (t->number % 16 == 0) sched_yield();
    atomic_fetch_add(&t->met, 1);
    atomic_fetch_sub(&t->inside, 1);
}

static void walk_once(void)
{
    hy_walk walk = {.begun = false};
    hy_work *work;
    while ((work = hy_walk_next(&list, &walk, NULL, NULL))) {
        work_on((thing *)(void *)work);
        hy_work_release(work);
    }
}

/* Adds, removes and frees its own among those of all: who would still look at one finds that out
 * from the sanitizer. */
static void *come_and_go(void *argument)
{
    unsigned seed = (unsigned)(uintptr_t)argument;
    thing *own[8] = {NULL};
    for (int round = 0; round < ROUNDS; round++) {
        thing **place = &own[rand_r(&seed) % 8];
        if (!*place) {
            *place = calloc(1, sizeof **place);
            (*place)->number = round;
            hy_worklist_add(&list, &(*place)->work);
        } else if (rand_r(&seed) % 2) {
            hy_worklist_remove(&list, &(*place)->work);
            while (!hy_work_claim(&(*place)->work)) sched_yield();
            free(*place);
            *place = NULL;
        }
        if (rand_r(&seed) % 4 == 0) walk_once();
    }
    for (int i = 0; i < 8; i++) {
        if (!own[i]) continue;
        hy_worklist_remove(&list, &own[i]->work);
        while (!hy_work_claim(&own[i]->work)) sched_yield();
        free(own[i]);
    }
    return NULL;
}

static void should_let_one_thread_at_a_time_work_on_a_thing_that_may_go(void **state)
{
    pthread_t threads[THREADS];
    (void)state;
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, (void *)(i + 1)), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert_int_equal(twice, 0);
    assert_int_equal(hy_load_relaxed(&list.count), THINGS);
    assert_null(list.walks);
    for (int i = 0; i < THINGS; i++) assert_true(things[i].met > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(should_claim_one_after_the_other, set_up, tear_down),
        cmocka_unit_test_setup_teardown(should_pass_over_what_others_have_and_what_is_not_wanted,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(should_go_on_behind_what_is_removed_meanwhile, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(should_let_others_on_while_one_works, set_up, tear_down),
        cmocka_unit_test_setup_teardown(should_end_a_walk_when_another_thread_is_searching, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(should_let_one_thread_at_a_time_work_on_a_thing_that_may_go,
                                        set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
