/* SPDX-License-Identifier: Apache-2.0 */
/* Copies from memory that vanishes: a file that is cut short raises the same signal. */
/* tsan */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "path/kmod/bus_guard_fixture.h"

#define PAGES 4
#define BYTES (PAGES * 4096)

static int file;
static uint8_t *mapped;
static uint8_t local[BYTES];

static int set_up(void **state)
{
    (void)state;
    file = memfd_create("vanishing", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, BYTES)) return -1;
    mapped = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) return -1;
    memset(mapped, 7, BYTES);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    close(file);
    return munmap(mapped, BYTES);
}

static void should_copy_what_is_there(void **state)
{
    (void)state;
    guard_before_cmocka();
    memset(local, 0, BYTES);
    assert_true(hy_guard_copy(local, mapped, BYTES, mapped));
    assert_memory_equal(local, mapped, BYTES);
    local[0] = 1;
    assert_true(hy_guard_copy(mapped, local, BYTES, mapped));
    assert_int_equal(mapped[0], 1);
    assert_true(hy_guard_copy(local, mapped, 0, mapped));
}

static void should_fail_where_memory_has_gone_and_go_on(void **state)
{
    (void)state;
    guard_before_cmocka();
    sigset_t before, after;
    assert_int_equal(ftruncate(file, 4096), 0);
    assert_true(hy_guard_copy(local, mapped, 4096, mapped));
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    for (int i = 0; i < 3; i++) { /* the signal is not left blocked */
        assert_false(hy_guard_copy(local, mapped, BYTES, mapped));
        assert_false(hy_guard_copy(mapped + 4096, local, 1, mapped + 4096));
    }
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int i = 1; i < 32; i++) assert_int_equal(sigismember(&after, i), sigismember(&before, i));
    assert_true(hy_guard_copy(local, mapped, 4096, mapped));
}

static void *fail_with_all_blocked(void *wrong)
{
    sigset_t all;
    uint8_t own[BYTES];
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    for (int i = 0; i < 1000; i++) *(int *)wrong += hy_guard_copy(own, mapped, BYTES, mapped);
    return NULL;
}

static void should_fail_in_threads_that_block_all_signals(void **state)
{
    (void)state;
    guard_before_cmocka();
    pthread_t threads[2];
    int wrong[2] = {0, 0};
    assert_int_equal(ftruncate(file, 0), 0);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, fail_with_all_blocked, &wrong[i]);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(wrong[i], 0);
    }
}

static volatile sig_atomic_t others;

static void be_another(int number)
{
    others++;
    if (number == SIGBUS) _exit(40 + (int)others);
}

/* What was installed before ours gets what is not ours: in a child, where ours comes second. */
static int fault_elsewhere(bool has_handler)
{
    struct sigaction action = {.sa_handler = has_handler ? be_another : SIG_DFL};
    int status;
    pid_t child = fork();
    if (child == 0) {
        sigaction(SIGBUS, &action, NULL);
        hy_guard_install();
        if (ftruncate(file, 0)) _exit(1);
        local[0] = *(volatile uint8_t *)mapped;
        _exit(0);
    }
    waitpid(child, &status, 0);
    return status;
}

static void should_pass_on_what_is_not_its_own(void **state)
{
    (void)state;
    int status = fault_elsewhere(true);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 41);
    status = fault_elsewhere(false);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGBUS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(should_pass_on_what_is_not_its_own), /* before anybody installs it here */
        TEST(should_copy_what_is_there),
        TEST(should_fail_where_memory_has_gone_and_go_on),
        TEST(should_fail_in_threads_that_block_all_signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
