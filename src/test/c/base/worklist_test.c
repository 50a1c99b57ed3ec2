/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
#include "base/test.h"

#include <sched.h>
#include <stdlib.h>

#include "base/worklist.h"

#define THINGS 5

typedef struct thing {
    hy_work work; /* first */
    int number;
    hy_wanted wanted;
    _Atomic int inside, met;
} thing;

static hy_worklist list;
static hy_worker worker;
static thing things[THINGS];

enum { MINE = 1, OTHERS = 2 }; /* who steps a thing */

static thing *thing_of(hy_work *work)
{
    return (thing *)(void *)work;
}

static hy_wanted wanted_of(const hy_work *work)
{
    return ((const thing *)(const void *)work)->wanted;
}

static void met(hy_work *work)
{
    thing_of(work)->met++;
    hy_work_release(work);
}

static int set_up(void **state)
{
    (void)state;
    hy_worklist_open(&list);
    worker = (hy_worker){.wanted = wanted_of, .step = met};
    for (int i = THINGS - 1; i >= 0; i--) {
        things[i] = (thing){.number = i, .wanted = HY_WORK_READY};
        hy_worklist_add(&list, &things[i].work, &worker, MINE);
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
    return work ? thing_of(work)->number : -1;
}

TEST(should_claim_one_after_the_other)
{
    hy_walk walk = {.begun = false};
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

TEST(should_pass_over_what_others_have_and_what_is_not_wanted)
{
    hy_walk walk = {.begun = false};
    int asked = 0;
    assert_true(hy_work_claim(&things[1].work));
    assert_ptr_equal(hy_walk_next(&list, &walk, is_odd, &asked), &things[3].work);
    assert_null(hy_walk_next(&list, &walk, is_odd, &asked));
    assert_int_equal(asked, THINGS);
}

TEST(should_go_on_behind_what_is_removed_meanwhile)
{
    hy_walk walk = {.begun = false}, inner = {.begun = false};
    thing late = {.number = 77};
    assert_int_equal(next(&walk), 0);
    assert_int_equal(next(&inner), 1); /* 0 is claimed */
    hy_worklist_remove(&list, &things[0].work);
    hy_worklist_remove(&list, &things[1].work);
    hy_worklist_remove(&list, &things[2].work);
    hy_worklist_add(&list, &late.work, &worker, MINE);
    assert_int_equal(next(&walk), 3);
    hy_work_release(&things[3].work);
    assert_int_equal(next(&inner), 3);
    hy_worklist_remove(&list, &things[4].work);
    assert_int_equal(next(&inner), -1);
    assert_int_equal(next(&walk), -1);
    assert_int_equal(hy_load_relaxed(&worker.count), 2);
    assert_ptr_equal(list.first, &late.work);
}

/* ---- steps ---- */

static void assert_met(const int counts[THINGS])
{
    for (int i = 0; i < THINGS; i++) assert_int_equal(things[i].met, counts[i]);
}

TEST(should_step_what_is_ready_and_tell_whether_anything_is_under_way)
{
    for (int i = 1; i < THINGS; i++) things[i].wanted = HY_WORK_RESTS;
    assert_true(hy_worklist_step(&list, MINE));
    assert_met((int[]){1, 0, 0, 0, 0});
    things[0].wanted = HY_WORK_WAITS;
    assert_true(hy_worklist_step(&list, MINE));
    things[0].wanted = HY_WORK_RESTS;
    assert_false(hy_worklist_step(&list, MINE));
    assert_met((int[]){1, 0, 0, 0, 0});
    assert_null(list.walks);
}

/* What another thread has claimed is under way, too. */
TEST(should_step_only_what_it_may_and_nobody_has)
{
    assert_false(hy_worklist_step(&list, OTHERS));
    hy_worklist_remove(&list, &things[2].work);
    hy_worklist_add(&list, &things[2].work, &worker, OTHERS);
    assert_true(hy_work_claim(&things[2].work));
    assert_true(hy_worklist_step(&list, OTHERS));
    assert_met((int[]){0, 0, 0, 0, 0});
    hy_work_release(&things[2].work);
    assert_true(hy_worklist_step(&list, OTHERS));
    assert_true(hy_worklist_step(&list, MINE | OTHERS));
    assert_met((int[]){1, 1, 2, 1, 1});
}

TEST(should_be_pending_when_something_was_added_or_woken)
{
    assert_true(hy_worklist_is_pending(&list));
    hy_store_relaxed(&list.pending, 0);
    assert_false(hy_worklist_is_pending(&list));
    hy_worklist_wake(&list);
    assert_true(hy_worklist_is_pending(&list));
}

/* The first step walks itself; all that it does not hold is there for it. */
static void walk_within(hy_work *work)
{
    if (work == &things[0].work) assert_true(hy_worklist_step(&list, MINE));
    met(work);
}

TEST(should_let_others_on_while_one_works)
{
    worker.step = walk_within;
    assert_true(hy_worklist_step(&list, MINE));
    assert_met((int[]){1, 2, 2, 2, 2});
    assert_int_equal(worker.inside, 0);
    assert_null(list.walks);
}

/* Another thread begins to search during the first step. */
static void search_meanwhile(hy_work *work)
{
    hy_store_relaxed(&list.searched, 1);
    met(work);
}

TEST(should_end_a_walk_when_another_thread_is_searching)
{
    worker.step = search_meanwhile;
    assert_true(hy_worklist_step(&list, MINE));
    assert_met((int[]){1, 0, 0, 0, 0});
    for (int i = 0; i < THINGS; i++) things[i].wanted = HY_WORK_RESTS;
    assert_true(hy_worklist_step(&list, MINE));
    assert_met((int[]){1, 0, 0, 0, 0});
    assert_null(list.walks);
}

/* ---- the end of a worker ---- */

TEST(should_pass_on_what_nobody_has_when_its_worker_leaves)
{
    hy_worker other = {.wanted = wanted_of, .step = met};
    thing its = {.number = 77, .wanted = HY_WORK_READY};
    hy_worklist_add(&list, &its.work, &other, MINE);
    assert_true(hy_work_claim(&things[1].work));
    hy_worker_leave(&list, &worker, met);
    assert_met((int[]){1, 0, 1, 1, 1});
    assert_int_equal(hy_load_relaxed(&worker.count), 0);
    assert_ptr_equal(list.first, &its.work);
    assert_null(its.work.next);
    hy_worker_leave(&list, &other, NULL);
    assert_int_equal(its.met, 0);
    assert_null(list.first);
}

static _Atomic bool has_begun, may_end, has_ended;

static void hold_up(hy_work *work)
{
    has_begun = true;
    while (!may_end) sched_yield();
    has_ended = true;
    met(work);
}

static void *step_one(void *unused)
{
    hy_worklist_step(&list, MINE);
    return unused;
}

static void *let_it_end(void *unused)
{
    for (int i = 0; i < 1000; i++) sched_yield(); /* while the other one waits */
    may_end = true;
    return unused;
}

TEST(should_leave_when_no_walk_is_in_a_step)
{
    pthread_t stepping, ending;
    worker.step = hold_up;
    has_begun = may_end = has_ended = false;
    assert_int_equal(pthread_create(&stepping, NULL, step_one, NULL), 0);
    while (!has_begun) sched_yield();
    assert_int_equal(pthread_create(&ending, NULL, let_it_end, NULL), 0);
    hy_worker_leave(&list, &worker, NULL);
    assert_true(has_ended);
    pthread_join(stepping, NULL);
    pthread_join(ending, NULL);
    assert_met((int[]){1, 0, 0, 0, 0}); /* no further step began */
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
        work_on(thing_of(work));
        hy_work_release(work);
    }
}

static void step_in_turn(hy_work *work)
{
    work_on(thing_of(work));
    hy_work_release(work);
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
            (*place)->wanted = HY_WORK_READY;
            hy_worklist_add(&list, &(*place)->work, &worker, MINE);
        } else if (rand_r(&seed) % 2) {
            hy_worklist_remove(&list, &(*place)->work);
            while (!hy_work_claim(&(*place)->work)) sched_yield();
            free(*place);
            *place = NULL;
        }
        if (rand_r(&seed) % 4 == 0) walk_once();
        if (rand_r(&seed) % 4 == 0) hy_worklist_step(&list, MINE);
    }
    for (int i = 0; i < 8; i++) {
        if (!own[i]) continue;
        hy_worklist_remove(&list, &own[i]->work);
        while (!hy_work_claim(&own[i]->work)) sched_yield();
        free(own[i]);
    }
    return NULL;
}

TEST(should_let_one_thread_at_a_time_work_on_a_thing_that_may_go)
{
    pthread_t threads[THREADS];
    worker.step = step_in_turn;
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, (void *)(i + 1)), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert_int_equal(twice, 0);
    assert_int_equal(hy_load_relaxed(&worker.count), THINGS);
    assert_int_equal(worker.inside, 0);
    assert_null(list.walks);
    for (int i = 0; i < THINGS; i++) assert_true(things[i].met > 0);
}

int main(void)
{
    tests_each(set_up, tear_down);
    return tests_run();
}
