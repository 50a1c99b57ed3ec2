/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of windows, with attachments that are memory of this process. */
/* tsan */
#include "base/test.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "path/kmod/windows.h"

#define WORDS 64
#define GONE UINT64_C(0xdeaddeaddeaddead)

/* An attachment holds its key in every word, and GONE once it is detached. */
typedef struct peer {
    int attached, attachments, most;
    uint64_t last_detached;
    bool refuses;
} peer;

static bool attach(void *context, const void *who, uint64_t key, hy_window *window)
{
    (void)who;
    peer *p = context;
    if (p->refuses) return false;
    uint64_t *words = malloc(WORDS * sizeof *words);
    for (int i = 0; i < WORDS; i++) words[i] = key;
    window->start = (uint8_t *)words;
    window->bytes = WORDS * sizeof *words;
    p->attachments++;
    if (++p->attached > p->most) p->most = p->attached;
    return true;
}

static void detach(void *context, const hy_window *window)
{
    peer *p = context;
    uint64_t *words = (uint64_t *)(void *)window->start;
    p->last_detached = words[0];
    for (int i = 0; i < WORDS; i++) words[i] = GONE;
    free(words);
    p->attached--;
}

static const hy_windows_ops ops = {attach, detach};

static uint64_t key_of(uint64_t number)
{
    return hy_window_key(3, false, number * HY_WINDOW_BYTES);
}

static void use(hy_windows *windows, uint64_t number)
{
    hy_window *window = hy_windows_take(windows, key_of(number), true, NULL);
    assert_non_null(window);
    assert_int_equal(*(uint64_t *)(void *)window->start, key_of(number));
    hy_window_release(window);
}

TEST(should_tell_windows_apart)
{
    const uint64_t keys[] = {
        hy_window_key(0, false, 0),
        hy_window_key(0, true, 0),
        hy_window_key(1, false, 0),
        hy_window_key(HY_WINDOWS_PEERS - 1, false, 0),
        hy_window_key(0, false, HY_WINDOW_BYTES),
        hy_window_key(0, false, HY_WINDOWS_ADDRESSES - 1),
    };
    for (int i = 0; i < 6; i++) {
        assert_int_not_equal(keys[i], 0);
        assert_int_equal(hy_window_key_writes(keys[i]), i == 1);
        for (int k = 0; k < i; k++) assert_int_not_equal(keys[i], keys[k]);
    }
    assert_int_equal(keys[0], hy_window_key(0, false, HY_WINDOW_BYTES - 1));
    assert_int_equal(hy_window_key_address(keys[5]), HY_WINDOWS_ADDRESSES - HY_WINDOW_BYTES);
}

TEST(should_attach_at_the_second_use_unless_told_otherwise)
{
    peer p = {0};
    hy_windows *windows = hy_windows_open(4, &ops, &p);
    assert_null(hy_windows_take(windows, key_of(1), false, NULL));
    hy_window *window = hy_windows_take(windows, key_of(1), false, NULL);
    assert_non_null(window);
    hy_window_release(window);
    use(windows, 2);
    use(windows, 1);
    assert_int_equal(p.attachments, 2);
    hy_windows_close(windows);
    assert_int_equal(p.attached, 0);
}

TEST(should_let_go_of_what_was_not_used_for_the_longest_time)
{
    peer p = {0};
    hy_windows *windows = hy_windows_open(3, &ops, &p);
    use(windows, 1), use(windows, 2), use(windows, 3);
    use(windows, 1);
    use(windows, 4);
    assert_int_equal(p.last_detached, key_of(2));
    use(windows, 3);
    use(windows, 5);
    assert_int_equal(p.last_detached, key_of(1));
    assert_int_equal(p.most, 3);
    hy_windows_close(windows);
}

TEST(should_never_have_more_than_its_bound)
{
    for (uint64_t most = 1; most <= 40; most += 13) {
        peer p = {0};
        hy_windows *windows = hy_windows_open(most, &ops, &p);
        for (uint64_t i = 0; i < 500; i++) use(windows, i * i % 97);
        assert_true(p.most <= (int)most && p.most > 0);
        hy_windows_close(windows);
        assert_int_equal(p.attached, 0);
    }
}

TEST(should_keep_what_is_held)
{
    peer p = {0};
    hy_windows *windows = hy_windows_open(1, &ops, &p);
    hy_window *held = hy_windows_take(windows, key_of(1), true, NULL);
    assert_null(hy_windows_take(windows, key_of(2), true, NULL));
    assert_int_equal(*(uint64_t *)(void *)held->start, key_of(1));
    hy_window_release(held);
    use(windows, 2);
    hy_windows_close(windows);
}

TEST(should_drop_a_window_unless_others_hold_it)
{
    peer p = {0};
    hy_windows *windows = hy_windows_open(2, &ops, &p);
    hy_window *one = hy_windows_take(windows, key_of(1), true, NULL);
    hy_window *two = hy_windows_take(windows, key_of(1), true, NULL);
    assert_ptr_equal(one, two);
    hy_windows_drop(windows, one);
    assert_int_equal(p.attached, 1);
    hy_windows_drop(windows, two);
    assert_int_equal(p.attached, 0);
    use(windows, 1);
    assert_int_equal(p.attachments, 2);
    hy_windows_close(windows);
}

TEST(should_do_without_what_cannot_be_attached)
{
    peer p = {.refuses = true};
    hy_windows *windows = hy_windows_open(2, &ops, &p);
    for (int i = 0; i < 5; i++) assert_null(hy_windows_take(windows, key_of(1), true, NULL));
    p.refuses = false;
    use(windows, 1);
    hy_windows_close(windows);
    assert_null(hy_windows_take(NULL, key_of(1), true, NULL));
}

TEST(should_be_empty_in_a_child)
{
    peer p = {0};
    int status;
    hy_windows *windows = hy_windows_open(4, &ops, &p);
    use(windows, 1);
    pid_t child = fork();
    if (child == 0) {
        bool found = hy_windows_take(windows, key_of(1), true, NULL) != NULL;
        hy_windows_close(windows);
        _exit(found || p.attached != 1);
    }
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    use(windows, 1);
    assert_int_equal(p.attachments, 1);
    hy_windows_close(windows);
}

#define THREADS 4
#define TURNS 20000

typedef struct worker {
    pthread_t thread;
    hy_windows *windows;
    unsigned seed;
    int wrong, hits;
} worker;

static void work(worker *w)
{
    uint64_t key = key_of((uint64_t)rand_r(&w->seed) % 24);
    hy_window *window = hy_windows_take(w->windows, key, true, NULL);
    if (!window) return;
    const uint64_t *words = (const uint64_t *)(const void *)window->start;
    for (int i = 0; i < WORDS; i++) w->wrong += words[i] != key;
    w->hits++;
    if (rand_r(&w->seed) % 16) hy_window_release(window);
    else hy_windows_drop(w->windows, window);
}

static void *run(void *argument)
{
    for (int turn = 0; turn < TURNS; turn++) work(argument);
    return NULL;
}

/* More windows are wanted than there is room for. */
TEST(should_serve_many_threads_at_once)
{
    peer p = {0};
    worker workers[THREADS];
    hy_windows *windows = hy_windows_open(16, &ops, &p);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (worker){.windows = windows, .seed = i + 1};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, run, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].wrong, 0);
        assert_true(workers[i].hits > TURNS / 2);
    }
    assert_true(p.most <= 16 && p.attachments > 16);
    hy_windows_close(windows);
    assert_int_equal(p.attached, 0);
}

int main(void)
{
    return tests_run();
}
