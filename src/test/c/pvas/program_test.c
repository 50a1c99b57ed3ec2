/* SPDX-License-Identifier: Apache-2.0 */
/* Programs as tasks, unmodified and of every kind: each keeps its globals, threads, signals,
 * children and libraries. */
#include <pthread.h>
#include <sys/sysmacros.h>

#include "pvas/directory_fixture.h"

static const char *const kinds[] = {"dynamic", "static", "musl", "musl-static"};

/* Kinds that were built: all but musl's, which wants musl-gcc. */
static bool kind_is_there(const char *kind)
{
    return program_is_there(text_of("%s/life", kind));
}

static task *start_kind(const char *kind, const char *name, const char *const *words)
{
    return task_spawn(text_of("%s/%s", kind, name), words, NULL, NULL);
}

typedef struct action {
    const char *what, *program, *name, *argument;
    int code;
} action;

/* Exits with its code as a task of every kind. */
static void run_as_all_kinds(const action *a)
{
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (!kind_is_there(kinds[i])) continue;
        task *t = start_kind(kinds[i], a->program, WORDS(a->program, a->name, a->argument));
        fprintf(stderr, "should %s: %s/%s %s\n", a->what, kinds[i], a->program, a->name);
        assert_exit(t, a->code);
        reclaim(t);
    }
}

TEST(should_do_as_a_task_of_every_kind_what_a_process_does)
{
    static const action actions[] = {
        {"run threads with locals of their own", "life", "threads", "16", 0},
        {"know the stack of the first thread", "life", "stack", NULL, 0},
        {"handle faults on an alternate stack", "signal", "fault", NULL, 0},
        {"catch the end of the stack", "signal", "overflow", "caught", 42},
        {"get memory with every signal blocked", "signal", "block", NULL, 0},
        {"get memory whatever SIGSYS is set to", "signal", "sigsys", NULL, 0},
        {"get memory in handlers that block everything", "signal", "in-handlers", NULL, 0},
        {"keep vector registers in calls made again", "signal", "registers", NULL, 0},
        {"fork", "process", "fork", NULL, 0},
        {"start programs from a child", "process", "fork-exec", NULL, 0},
        {"start programs by posix_spawn() from threads", "process", "spawn", NULL, 0},
        {"start shells by system() and popen()", "process", "system", NULL, 0},
    };
    new_space(8, GIGA);
    for (size_t i = 0; i < COUNT(actions); i++) run_as_all_kinds(&actions[i]);
}

TEST(should_run_programs_of_musl)
{
    if (getenv("HAYATE_TEST_BIN") && !kind_is_there("musl")) skip_because("no musl-gcc");
    new_space(2, GIGA);
    for (int i = 2; i < 4; i++) {
        task *t = start_kind(kinds[i], "life", WORDS("life", "exit", "12"));
        assert_exit(t, 12);
        assert_says(t, "in the buffer of stdio\n");
        assert_says(t, "bye\n");
    }
}

TEST(should_keep_the_globals_of_each_task_apart)
{
    enum { TASKS = 12 };
    task *t[TASKS];
    new_space(TASKS, GIGA);
    for (int i = 0; i < TASKS; i++) {
        const char *mine = text_of("%d", i + 20);
        const char *kind = kind_is_there(kinds[i % 4]) ? kinds[i % 4] : kinds[i % 2];
        t[i] = start_kind(kind, "life", WORDS("life", "globals", mine));
    }
    for (int i = 0; i < TASKS; i++) {
        void *base;
        uint64_t bytes;
        task_await(t[i], "ready");
        volatile int *value = address_said(t[i]);
        assert_ok(pvas_partition(space, t[i]->number, &base, &bytes));
        assert_in_range((uintptr_t)value, (uintptr_t)base, (uintptr_t)base + bytes - 1);
        assert_int_equal(*value, i + 20); /* a plain load from the other's memory */
    }
    for (int i = TASKS - 1; i >= 0; i--) assert_exit(t[i], i + 20);
}

TEST(should_show_stores_of_the_spawner_to_a_task)
{
    new_space(1, GIGA);
    task *t = START("dynamic/life", "changed");
    task_await(t, "ready");
    volatile int *value = address_said(t);
    for (int i = 1; i < 50; i++) {
        *value = i * 3;
        const char *line = text_of("%d\n", i * 3);
        const char *answer = text_of("seen %d.", i * 3);
        task_tell(t, line);
        task_await(t, answer);
    }
    assert_exit(t, 0);
}

TEST(should_not_block_sigsys_while_it_waits_on_a_ring)
{
    new_space(1, GIGA);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (!kind_is_there(kinds[i])) continue;
        task *t = start_kind(kinds[i], "signal", WORDS("signal", "rings"));
        pvas_status status = task_end(t);
        if (status.exited && status.code == 77)
            skip_because("io_uring is not there or not allowed");
        if (!status.exited || status.code != 0) fail_with(kinds[i], t->out);
        reclaim(t);
    }
}

TEST(should_take_signals_from_outside_and_from_timers)
{
    new_space(4, GIGA);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (!kind_is_there(kinds[i])) continue;
        task *t = start_kind(kinds[i], "signal", WORDS("signal", "wait"));
        task_await(t, "ready");
        assert_ok(pvas_kill(space, t->number, SIGUSR2));
        assert_exit(t, 33);
    }
}

/* It is no part of the space: it lives when its task has ended, even when that is reclaimed. */
TEST(should_leave_a_child_of_a_task_alone)
{
    static const char *const kinds[] = {"dynamic/process", "static/process"};
    new_space(1, GIGA);
    for (int i = 0; i < 2; i++) {
        pvas_status status = {0};
        task *t = START(kinds[i], "orphan");
        assert_ok(pvas_wait(space, t->number, PATIENCE_MS, &status));
        assert_true(status.exited && status.code == 0);
        reclaim(t);
        t->ended = true;
        task_tell(t, "\n");
        task_await(t, "still there");
    }
}

TEST(should_wait_for_the_program_that_a_task_becomes)
{
    new_space(8, GIGA);
    for (int i = 0; i < 4; i++) {
        const char *how = i % 2 ? "thread-exec" : "exec";
        task *t = START(i < 2 ? "dynamic/process" : "static/process", how, "/bin/sh", "-c",
                        "echo became $$; exit 19");
        assert_exit(t, 19);
        assert_string_equal(t->out, text_of("became %d\n", (int)t->pid));
        reclaim(t);
    }
}

TEST(should_find_itself_in_proc_self_exe)
{
    char real[4096];
    new_space(4, GIGA);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (!kind_is_there(kinds[i])) continue;
        task *t = start_kind(kinds[i], "process", WORDS("not its name", "self"));
        assert_exit(t, 0);
        assert_non_null(realpath(program(text_of("%s/process", kinds[i])), real));
        const char *want = text_of("%s|process|%d|", real, (int)t->pid);
        assert_memory_equal(t->out, want, strlen(want));
    }
}

TEST(should_start_itself_anew_by_proc_self_exe)
{
    new_space(4, GIGA);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (!kind_is_there(kinds[i])) continue;
        task *t = start_kind(kinds[i], "process",
                             WORDS("process", "exec", "/proc/self/exe", "arguments", "anew"));
        assert_exit(t, 0);
        assert_memory_equal(t->out, "/proc/self/exe\0arguments\0anew", 30);
    }
}

TEST(should_load_libraries_into_the_partition)
{
    void *base;
    uint64_t bytes;
    new_space(3, GIGA);
    task *t[2];
    for (int i = 0; i < 2; i++) {
        t[i] = START("dynamic/loading", "dlopen", program("preload.so"));
        task_await(t[i], "ready");
        assert_ok(pvas_partition(space, t[i]->number, &base, &bytes));
        assert_in_range((uintptr_t)address_said(t[i]), (uintptr_t)base,
                        (uintptr_t)base + bytes - 1);
    }
    assert_exit(t[0], 0);
    assert_exit(t[1], 0);
    t[0] = START("dynamic/loading", "user");
    assert_exit(t[0], 0);
}

TEST(should_preload_libraries)
{
    new_space(2, GIGA);
    task *with = task_spawn("dynamic/loading", WORDS("loading", "rand"),
                            WORDS(text_of("LD_PRELOAD=%s", program("preload.so"))), NULL);
    task *without = task_spawn("dynamic/loading", WORDS("loading", "rand"), WORDS("A=B"), NULL);
    assert_exit(with, 0);
    assert_exit(without, 0);
    assert_string_equal(with->out, "4001\n");
    assert_string_not_equal(without->out, "4001\n");
}

TEST(should_follow_the_first_line_of_a_script)
{
    char text[1200], want[400];
    new_space(4, GIGA);
    const char *path = make_script("plain", "#!/bin/sh\necho \"$0|$1|$2|$#\"\nexit 6\n");
    task *t = task_spawn(path, WORDS("its name is lost", "a b", ""), NULL, NULL);
    assert_exit(t, 6);
    snprintf(want, sizeof want, "%s|a b||2\n", path);
    assert_string_equal(t->out, want);
    snprintf(text, sizeof text, "#! %s  arguments  one argument\t \nrest is not looked at",
             program("dynamic/process"));
    path = make_script("argument", text);
    t = task_spawn(path, WORDS("x", "y"), NULL, NULL);
    assert_exit(t, 101); /* its action is "arguments  one argument", which there is none of */
    snprintf(text, sizeof text, "#!%s arguments\n", program("dynamic/process"));
    path = make_script("short", text);
    t = task_spawn(path, WORDS("x", "y"), NULL, NULL);
    assert_exit(t, 0);
    snprintf(want, sizeof want, "%s", program("dynamic/process"));
    assert_string_equal(t->out, want);
    assert_string_equal(t->out + strlen(want) + 1, "arguments");
    assert_string_equal(t->out + strlen(want) + 11, path);
    assert_string_equal(t->out + strlen(want) + 12 + strlen(path), "y");
}

TEST(should_run_bash)
{
    static const char text[] = "s=0; for i in $(seq 1 2000); do s=$((s + i)); done; "
                               "a=$(echo $s | cat | cat); declare -A m; m[x]=$a; "
                               "(exit 3) || b=$?; sleep 0 & wait $!; "
                               "trap 'echo trapped' USR1; kill -USR1 $$; "
                               "read -r line; echo \"${m[x]} $b $line\"; exit 8";
    need_program("/bin/bash");
    new_space(4, GIGA);
    task *t[4];
    for (int i = 0; i < 4; i++) t[i] = START("/bin/bash", "-c", text);
    for (int i = 0; i < 4; i++) {
        task_tell(t[i], "a line\n");
        task_await(t[i], "a line\n");
        assert_exit(t[i], 8);
        assert_string_equal(t[i]->out, "trapped\n2001000 3 a line\n");
    }
}

TEST(should_run_perl)
{
    static const char
        text[] = "my %h = map { $_ => \"x\" x ($_ % 1000) } 1..20000; my $n = 0;"
                 "$n += length $h{$_} for keys %h; print \"$n $^X\\n\";"
                 "print `echo from a child`; system('/bin/sh', '-c', 'exit 4'); exit($? >> 8);";
    need_program("/usr/bin/perl");
    new_space(3, GIGA);
    task *t[3];
    for (int i = 0; i < 3; i++) t[i] = START("/usr/bin/perl", "-e", text);
    for (int i = 0; i < 3; i++) {
        assert_exit(t[i], 4);
        assert_string_equal(t[i]->out, "9990000 /usr/bin/perl\nfrom a child\n");
    }
}

int main(void)
{
    return pvas_tests_run(make_directory, remove_directory);
}
