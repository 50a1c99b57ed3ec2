/* SPDX-License-Identifier: Apache-2.0 */
/* exec in tasks: the new program is as exec makes it, and a task as the old one was; or a process,
 * where that cannot be. */
#include "pvas/directory_fixture.h"
#include "pvas/maps_fixture.h"

static const char *const kinds[] = {"dynamic", "static", "musl", "musl-static"};

/* A sanitized spawner has no code that could run in tasks. */
static void exec_space(unsigned places)
{
    if (SANITIZED) skip_because("no exec in place under a sanitizer");
    new_space(places, GIGA);
}

static const char *of_kind(const char *kind, const char *name)
{
    return program(text_of("%s/%s", kind, name));
}

/* What an ordinary process says; its exit code. */
static int run_process(const char *const *argv, char *said, size_t bytes)
{
    int out[2], status = 0;
    size_t used = 0;
    ssize_t got;
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(out[1], 1), dup2(out[1], 2);
        execv(argv[0], (char *const *)argv);
        _exit(98);
    }
    close(out[1]);
    while ((got = read(out[0], said + used, bytes - 1 - used)) > 0) used += (size_t)got;
    said[used] = '\0';
    close(out[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(should_be_as_exec_makes_a_process)
{
    static char expected[1 << 15];
    exec_space(1);
    for (size_t from = 0; from < COUNT(kinds); from++)
        for (size_t to = 0; to < COUNT(kinds); to++) {
            const char *old = of_kind(kinds[from], "renewal"), *new = of_kind(kinds[to], "renewal");
            if (access(old, X_OK) != 0 || access(new, X_OK) != 0) continue;
            const char *const *words = WORDS(old, "prepare", new, "report", "two words", "", "3");
            assert_int_equal(run_process(words, expected, sizeof expected), 33);
            task *t = task_spawn(old, words, NULL, NULL);
            assert_exit(t, 33);
            assert_string_equal(t->out, expected);
            reclaim(t);
        }
}

TEST(should_stay_the_same_task)
{
    void *base, *told;
    uint64_t bytes;
    unsigned long long told_bytes;
    int number;
    exec_space(3);
    task *t[] = {START("dynamic/process", "exec", program("dynamic/sharing"), "self"),
                 START("static/renewal", "count", "20", program("dynamic/sharing"), "self"),
                 START("/bin/sh", "-c", "exec env -i PATH=$PATH sh -c 'exec \"$0\" self' \"$0\"",
                       program("dynamic/sharing"))};
    for (size_t i = 0; i < COUNT(t); i++) {
        assert_exit(t[i], 0);
        assert_int_equal(sscanf(t[i]->out, "%d %p %llu", &number, &told, &told_bytes), 3);
        assert_ok(pvas_partition(space, t[i]->number, &base, &bytes));
        assert_int_equal(number, t[i]->number);
        assert_ptr_equal(told, base);
        assert_int_equal(told_bytes, bytes);
    }
}

static int spawn_silent(const char *const *words)
{
    int number = -1;
    assert_ok(pvas_spawn(space, words[0], (char *const *)words, NULL,
                         &(pvas_spawning){.descriptors = nowhere}, &number, NULL));
    return number;
}

static void kill_and_reclaim(int number)
{
    pvas_status status;
    assert_ok(pvas_kill(space, number, SIGKILL));
    assert_ok(pvas_wait(space, number, PATIENCE_MS, &status));
    assert_int_equal(status.exited, 0);
    assert_int_equal(status.code, SIGKILL);
    assert_ok(pvas_reclaim(space, number));
}

/* Ten programs later only the last one is mapped. */
TEST(should_leave_nothing_of_the_old_program)
{
    need_exact_figures();
    exec_space(1);
    run_once(space, program("dynamic/life"), "_exit", "0", nowhere);
    footprint before = footprint_now();
    for (int i = 0; i < 2; i++) {
        const char *path = of_kind(kinds[i], "renewal");
        int number = spawn_silent(WORDS(path, "count", "10", "/bin/sleep", "600"));
        int64_t end = now_ms() + PATIENCE_MS;
        do read_proc("/proc/self/maps", maps_text, sizeof maps_text);
        while (!strstr(maps_text, "/sleep") && now_ms() < end);
        assert_non_null(strstr(maps_text, "/sleep"));
        assert_null(strstr(maps_text, "/renewal"));
        kill_and_reclaim(number);
    }
    assert_same_footprint(before, footprint_now());
}

TEST(should_go_on_when_exec_fails)
{
    static char expected[1 << 15];
    exec_space(1);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const char *path = of_kind(kinds[i], "renewal");
        if (access(path, X_OK) != 0) continue;
        assert_int_equal(run_process(WORDS(path, "fail"), expected, sizeof expected), 34);
        task *t = task_spawn(path, WORDS(path, "fail"), NULL, NULL);
        assert_exit(t, 34);
        assert_string_equal(t->out, expected);
        reclaim(t);
    }
}

/* With a stack of 256 KB the kernel still takes them, and a task could not start any more. */
TEST(should_start_a_process_with_more_arguments_than_fit)
{
    exec_space(2);
    assert_exit(START("/bin/sh", "-c", "ulimit -s 256; exec /bin/true $(printf %070000d 7)"), 0);
}

TEST(should_follow_scripts)
{
    static char expected[1 << 15];
    exec_space(3);
    const char *sharing = program("dynamic/sharing");
    const char *inner = make_script("inner", text_of("#!%s self of script\n", sharing));
    const char *outer = make_script("outer", text_of("#! /bin/sh\nexec %s\n", inner));
    task *t = START("dynamic/process", "exec", outer);
    assert_exit(t, 101); /* "self of script" is one word, and no action */
    assert_says(t, "self of script: no such action");
    const char *shows = make_script("shows", "#!/bin/sh -e\necho \"$0|$1|$#\"\n");
    assert_int_equal(run_process(WORDS(shows, "a b", "c"), expected, sizeof expected), 0);
    t = START("static/process", "exec", shows, "a b", "c");
    assert_exit(t, 0);
    assert_string_equal(t->out, expected);
    const char *plain = make_script("plain", "echo no first line\n");
    t = START("/bin/sh", "-c", "exec $0", plain); /* ENOEXEC: the shell reads it itself */
    assert_exit(t, 0);
    assert_string_equal(t->out, "no first line\n");
}

TEST(should_become_a_process_where_it_must)
{
    exec_space(8);
    assert_exit(START("dynamic/process", "thread-exec", program("dynamic/sharing"), "no-task"), 21);
    assert_exit(START("dynamic/sharing", "fork"), 0);
    assert_exit(START("dynamic/process", "exec", program("fixed/life"), "_exit", "17"), 17);
    unsigned char *bytes;
    size_t count = read_program("/bin/true", &bytes);
    const char *unreadable = make_file("setuid", bytes, count, 04755);
    free(bytes);
    assert_exit(START("dynamic/process", "exec", unreadable), 0);
}

/* Others may be reading it. */
TEST(should_leave_exported_memory_where_it_is)
{
    void *memory;
    size_t bytes;
    exec_space(1);
    task *t = START("dynamic/sharing", "export-and-exec", "x", "77");
    assert_ok(pvas_import(space, t->number, "x", PATIENCE_MS, &memory, &bytes));
    task_await(t, "no task now");
    for (size_t i = 0; i < bytes; i++) assert_int_equal(((unsigned char *)memory)[i], 77);
    assert_exit(t, 21);
}

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 8;
}

/* Killed, stopped and continued anywhere in an exec, several at once. */
TEST(should_survive_signals_at_any_moment)
{
    enum { TASKS = 4, ROUNDS = 60 };
    unsigned seed = 20250722;
    need_exact_figures();
    exec_space(TASKS);
    run_once(space, program("dynamic/life"), "_exit", "0", nowhere);
    footprint before = footprint_now();
    for (int round = 0; round < ROUNDS; round++) {
        int numbers[TASKS];
        for (int i = 0; i < TASKS; i++)
            numbers[i] = spawn_silent(
                WORDS(of_kind(kinds[(round + i) % 2], "renewal"), "for-ever"));
        for (int i = 0; i < TASKS; i++) {
            usleep(next(&seed) % 4000);
            assert_ok(pvas_kill(space, numbers[i], SIGSTOP));
            assert_ok(pvas_kill(space, numbers[i], SIGCONT));
        }
        for (int i = 0; i < TASKS; i++) {
            usleep(next(&seed) % 2000);
            assert_code(pvas_wait(space, numbers[i], 0, NULL), HAYATE_IN_PROGRESS);
            kill_and_reclaim(numbers[i]);
        }
    }
    assert_same_footprint(before, footprint_now());
}

int main(void)
{
    return pvas_tests_run(make_directory, remove_directory);
}
