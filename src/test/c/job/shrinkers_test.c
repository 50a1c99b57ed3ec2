/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
#include "job/shrinkers.h"

#include "job/world_fixture.h"

#include <sched.h>

#define HEAP (UINT64_C(64) << 10)
#define PIECE UINT64_C(4096)
#define MANY 11

static world w;
static hy_job *job;

/* Holds one piece of the heap, or none. */
typedef struct holder {
    hy_shrinker shrinker; /* first */
    void *piece;
    int asked;
} holder;

static void give(hy_shrinker *shrinker)
{
    holder *h = (holder *)shrinker;
    h->asked++;
    if (h->piece) assert_ok(hy_job_release(job, h->piece));
    h->piece = NULL;
}

static int set_up(void **state)
{
    (void)state;
    world_open(&w, 1, HEAP);
    job = w.jobs[0];
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    world_close(&w);
    return 0;
}

static void begin(holder *h)
{
    *h = (holder){.shrinker.give = give, .piece = hy_job_alloc(job, PIECE)};
    assert_non_null(h->piece);
    hy_shrinker_add(job, &h->shrinker);
}

TEST(should_ask_nobody_while_there_is_room)
{
    holder h;
    begin(&h);
    assert_non_null(hy_job_alloc(job, HEAP - PIECE));
    assert_int_equal(h.asked, 0);
}

TEST(should_ask_all_before_it_says_that_there_is_no_room)
{
    holder h[MANY];
    for (int i = 0; i < MANY; i++) begin(&h[i]);
    void *all = hy_job_alloc(job, HEAP);
    assert_non_null(all);
    assert_null(hy_job_alloc(job, 1));
    assert_non_null(strstr(hayate_error(), "at most 0 of 65536 are left"));
    for (int i = 0; i < MANY; i++) assert_int_equal(h[i].asked, 2);
}

TEST(should_not_ask_for_what_will_never_fit)
{
    holder h;
    begin(&h);
    assert_null(hy_job_alloc(job, HEAP + 1));
    assert_int_equal(h.asked, 0);
}

TEST(should_not_ask_who_has_gone)
{
    holder h[2];
    for (int i = 0; i < 2; i++) begin(&h[i]);
    hy_shrinker_remove(job, &h[0].shrinker);
    hy_shrinker_remove(job, &h[0].shrinker);
    assert_null(hy_job_alloc(job, HEAP));
    assert_int_equal(h[0].asked, 0);
    assert_int_equal(h[1].asked, 1);
    assert_int_equal(job->heap.used, PIECE);
}

/* ---- two threads that need what is held ---- */

static struct {
    void *pieces[2];
    pthread_t second;
    bool asked;
    _Atomic bool over; /* the second thread is through */
} both;

static void *allocate_second(void *unused)
{
    (void)unused;
    void *memory = hy_job_alloc(job, PIECE);
    hy_store_release(&both.over, true);
    return memory;
}

/* While the first one's walk is under way the second one allocates. It has much time to be refused,
 * as what it could have is in nobody's list just now. */
static void give_both(hy_shrinker *unused)
{
    (void)unused;
    if (both.asked) return;
    both.asked = true;
    assert_int_equal(pthread_create(&both.second, NULL, allocate_second, NULL), 0);
    for (int i = 0; i < 2000 && !hy_load_acquire(&both.over); i++) sched_yield();
    for (int i = 0; i < 2; i++) hy_job_release(job, both.pieces[i]);
}

TEST(should_let_a_second_thread_have_what_the_first_one_asked_for)
{
    void *memory;
    hy_shrinker shrinker = {.give = give_both};
    for (int i = 0; i < 2; i++) both.pieces[i] = hy_job_alloc(job, PIECE);
    assert_non_null(hy_job_alloc(job, HEAP - 2 * PIECE));
    hy_shrinker_add(job, &shrinker);
    assert_non_null(hy_job_alloc(job, PIECE));
    assert_true(both.asked);
    pthread_join(both.second, &memory);
    assert_non_null(memory);
}

int main(void)
{
    tests_each(set_up, tear_down);
    return tests_run();
}
