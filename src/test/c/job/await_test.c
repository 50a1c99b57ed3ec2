/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
/* The driver of waiting operations: how often it takes a step, polls and looks for failures, and
 * with what it returns. */
#include <stdlib.h>
#include <unistd.h>

#include "base/test.h"
#include "job/await.h"
#include "job/pair_fixture.h"

/* ---- two ranks of this process; rank 0 waits ---- */

static int set_up(void **state)
{
    (void)state;
    pair_open();
    hy_wait_crowd = 0;
    /* However long a yield takes: the number of turns is known. */
    jobs[0]->policy = (hy_wait_policy){.spins = 3, .yields = 16, .lap_ns = UINT32_MAX};
    return 0;
}

/* ---- an operation as in a script: step `end` ends it, look `failing` finds a failure ---- */

enum { NEVER = -1, PEER_A = -1001, PEER_B = -1002 };

typedef struct script {
    int end, result;      /* number of the step, and what it returns */
    int failing, failure; /* the look from which on there is a failure */
    int well_again;       /* the look from which on there is none */
    int moves[2];         /* steps that get further */
    uint32_t position;
    int steps, looks, polls;
    uint32_t sleepers; /* announced in a look */
} script;

static script s;

static int step(void *context)
{
    int number = ++s.steps;
    assert_ptr_equal(context, &s);
    if (number == s.moves[0] || number == s.moves[1]) s.position++;
    return number == s.end ? s.result : HAYATE_IN_PROGRESS;
}

static int idle(void *context)
{
    int number = ++s.looks;
    s.sleepers += hy_load_relaxed(&jobs[0]->bell->sleepers);
    assert_ptr_equal(context, &s);
    if (s.failing == 0 || number < s.failing) return HAYATE_OK;
    return s.well_again && number >= s.well_again ? HAYATE_OK : s.failure;
}

static void poll_job(hy_job *job)
{
    assert_ptr_equal(job, jobs[0]);
    s.polls++;
}

static int await_script(script what, uint32_t turns)
{
    s = what;
    return hy_job_await(&(hy_await){.job = jobs[0],
                                    .step = step,
                                    .idle = idle,
                                    .context = &s,
                                    .poll = poll_job,
                                    .position = what.moves[0] ? &s.position : NULL,
                                    .turns = turns});
}

static void must_have_taken(int steps, int looks, int polls)
{
    assert_int_equal(s.steps, steps);
    assert_int_equal(s.looks, looks);
    assert_int_equal(s.polls, polls);
}

TEST(should_end_at_the_first_step_without_a_turn)
{
    assert_ok(await_script((script){.end = 1, .result = HAYATE_OK}, 0));
    must_have_taken(1, 0, 0);
    assert_ok(await_script((script){.end = 1, .result = HAYATE_OK}, 1));
    must_have_taken(1, 0, 0);
}

TEST(should_return_the_error_of_a_step_without_a_look_for_failures)
{
    const script broken = {.end = 3, .result = HAYATE_ERR_CORRUPT, .failing = 1, .failure = PEER_A};
    assert_code(await_script(broken, 0), HAYATE_ERR_CORRUPT);
    must_have_taken(3, 0, 2);
}

/* 3 spins, then 16 yields of which the last few count as slow, then the one that arms. */
TEST(should_poll_in_brief_turns_and_look_for_failures_in_slow_ones)
{
    assert_ok(await_script((script){.end = 4, .result = HAYATE_OK}, 0));
    must_have_taken(4, 0, 3);
    assert_ok(await_script((script){.end = 21, .result = HAYATE_OK}, 0));
    assert_in_range(s.looks, 1, 2);
    assert_int_equal(s.looks + s.polls, 20);
}

TEST(should_return_in_progress_after_its_turns)
{
    jobs[0]->policy = (hy_wait_policy){.spins = 0};
    for (int turns = 1; turns <= 5000; turns += 833) {
        assert_code(await_script((script){.end = NEVER}, (uint32_t)turns), HAYATE_IN_PROGRESS);
        assert_int_equal(s.steps, turns);
        assert_int_equal(s.looks + s.polls, turns);
        assert_in_range(s.looks, 1, 2); /* the last turn, and one in 4096 */
        assert_int_equal(s.sleepers, 0);
    }
}

TEST(should_find_a_failure_in_a_test)
{
    const script dead = {.end = NEVER, .failing = 1, .failure = PEER_A};
    assert_int_equal(await_script(dead, 1), PEER_A);
    must_have_taken(2, 1, 0);
    assert_int_equal(await_script(dead, 10), PEER_A);
    must_have_taken(11, 1, 9);
}

TEST(should_let_what_came_before_a_failure_count)
{
    const script came = {.end = 2, .result = HAYATE_OK, .failing = 1, .failure = PEER_A};
    assert_ok(await_script(came, 1));
    must_have_taken(2, 1, 0);
    jobs[0]->policy = (hy_wait_policy){.spins = 0}; /* arms, which is a slow turn */
    assert_ok(await_script(came, 0));
    must_have_taken(2, 1, 0);
}

TEST(should_end_with_a_failure_after_one_more_step)
{
    const script dead = {.end = NEVER, .failing = 2, .failure = PEER_A};
    jobs[0]->policy = (hy_wait_policy){.spins = 0};
    assert_int_equal(await_script(dead, 0), PEER_A);
    must_have_taken(3, 2, 0);
}

TEST(should_end_with_in_progress_when_the_look_says_so)
{
    const script late = {.end = NEVER, .failing = 1, .failure = HAYATE_IN_PROGRESS};
    assert_code(await_script(late, 0), HAYATE_IN_PROGRESS);
    assert_int_equal(s.looks, 1);
}

/* The first look is about a peer that has left after its part; the next one about another. */
TEST(should_look_again_when_the_last_step_got_further)
{
    jobs[0]->policy = (hy_wait_policy){.spins = 0};
    const script left = {.end = 4,
                         .result = HAYATE_OK,
                         .failing = 1,
                         .failure = PEER_A,
                         .well_again = 2,
                         .moves = {2, 0}};
    assert_ok(await_script(left, 0));
    must_have_taken(4, 3, 0);
    assert_code(await_script(left, 1), HAYATE_IN_PROGRESS);
    must_have_taken(2, 2, 0);
}

TEST(should_end_when_the_step_after_the_failure_of_another_peer_gets_no_further)
{
    const script dead = {.end = NEVER, .failing = 1, .failure = PEER_B, .moves = {2, 3}};
    assert_int_equal(await_script(dead, 1), PEER_B);
    must_have_taken(4, 3, 0);
}

TEST(should_poll_in_slow_turns_where_nobody_looks_for_failures)
{
    s = (script){.end = 40, .result = HAYATE_OK};
    jobs[0]->policy = (hy_wait_policy){.spins = 3, .yields = HY_WAIT_NEVER_YIELDS};
    const hy_await unwatched = {.job = jobs[0], .step = step, .context = &s, .poll = poll_job};
    assert_ok(hy_job_await(&unwatched));
    must_have_taken(40, 0, 39);
    s = (script){.end = 40, .result = HAYATE_OK};
    const hy_await alone = {.job = jobs[0], .step = step, .context = &s};
    assert_ok(hy_job_await(&alone));
    must_have_taken(40, 0, 0);
}

/* ---- against another thread ---- */

#define ROUNDS 300

typedef struct letter {
    _Atomic uint64_t word;
    uint64_t data;
    uint64_t wanted;
} letter;

static letter mail;

static int read_letter(void *context)
{
    const letter *l = context;
    return hy_load_acquire(&l->word) >= l->wanted ? HAYATE_OK : HAYATE_IN_PROGRESS;
}

static int look_at_sender(void *context)
{
    (void)context;
    return hy_job_check(jobs[0], 1);
}

static int await_letter(uint64_t number)
{
    mail.wanted = number;
    return hy_job_await(
        &(hy_await){.job = jobs[0], .step = read_letter, .idle = look_at_sender, .context = &mail});
}

static void delay(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    for (uint64_t i = *seed >> 52; i > 0; i--) hy_pause();
}

static _Atomic uint64_t answered, died;

static void send_letter(uint64_t number)
{
    mail.data = number * 7;
    hy_store_release(&mail.word, number);
    hy_bell_ring(jobs[0]->bell);
}

/* The first sleep of a wait is short; some letters come when it is over. */
#define IS_LATE(round) ((round) % 10 == 0)

static void *send_letters(void *unused)
{
    uint64_t seed = 14;
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        delay(&seed);
        if (IS_LATE(i)) usleep(5000);
        send_letter(i);
        while (hy_load_acquire(&answered) < i) hy_pause();
    }
    return unused;
}

static void begin_mail(void)
{
    mail = (letter){.data = 0};
    answered = died = 0;
}

/* A sleep that no bell ends takes 50 ms; a machine with other work delays some rounds as well. */
#define BELL_LOST_NS UINT64_C(45000000)

TEST(should_see_the_data_behind_the_word_that_wakes_it)
{
    pthread_t sender;
    uint64_t slow = 0, wrong = 0;
    begin_mail();
    jobs[0]->policy = (hy_wait_policy){.spins = 20};
    assert_int_equal(pthread_create(&sender, NULL, send_letters, NULL), 0);
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        uint64_t begun = hy_now_ns();
        wrong += await_letter(i) != HAYATE_OK || mail.data != i * 7;
        slow += IS_LATE(i) && hy_now_ns() - begun >= BELL_LOST_NS;
        hy_store_release(&answered, i);
    }
    pthread_join(sender, NULL);
    assert_int_equal(wrong, 0);
    assert_in_range(slow, 0, ROUNDS / 10 / 2);
}

static void *send_and_die(void *unused)
{
    uint64_t seed = 41;
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        delay(&seed);
        send_letter(i);
        hy_control_publish(jobs[0]->boot.control, 1, HY_RANK_DEAD, 256 + 9);
        hy_store_release(&died, i);
        while (hy_load_acquire(&answered) < i) hy_pause();
    }
    return unused;
}

TEST(should_receive_what_a_rank_sent_before_it_died)
{
    pthread_t sender;
    uint64_t lost = 0;
    begin_mail();
    jobs[0]->policy = (hy_wait_policy){.spins = 1, .yields = 3};
    assert_int_equal(pthread_create(&sender, NULL, send_and_die, NULL), 0);
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        lost += await_letter(i) != HAYATE_OK;
        while (hy_load_acquire(&died) < i) hy_pause();
        hy_store_release(&hy_control_live_of(jobs[0]->boot.control)->ranks[1].state,
                         HY_RANK_JOINED);
        hy_store_release(&answered, i);
    }
    pthread_join(sender, NULL);
    assert_int_equal(lost, 0);
    hy_control_publish(jobs[0]->boot.control, 1, HY_RANK_DEAD, 256 + 9);
    assert_code(await_letter(ROUNDS + 1), HAYATE_ERR_PEER_FAILED);
    hy_store_release(&hy_control_live_of(jobs[0]->boot.control)->ranks[1].state, HY_RANK_JOINED);
}

int main(void)
{
    tests_each(set_up, pair_close);
    return tests_run();
}
