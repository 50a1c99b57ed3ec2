/* SPDX-License-Identifier: Apache-2.0 */
/* What a task starts with: arguments, environment, descriptors, directory, signals, stack. */
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "pvas/pvas_fixture.h"

/* The task wrote exactly these strings, each with its 0. */
static void assert_strings(task *t, const char *const *strings)
{
    size_t at = 0;
    assert_exit(t, 0);
    for (; *strings; strings++) {
        assert_true(at + strlen(*strings) < t->used);
        assert_string_equal(t->out + at, *strings);
        at += strlen(*strings) + 1;
    }
    assert_int_equal(at, t->used);
}

TEST(should_pass_arguments_as_they_are)
{
    char *longest = malloc(20000);
    new_space(2, GIGA);
    memset(longest, 'x', 19999);
    longest[19999] = '\0';
    const char *odd[] = {"not the file's name", "arguments", "",      " a b\t", "-x=\n\"'\\",
                         "\x01\xff\xc3",        "",          longest, "",       NULL};
    assert_strings(task_spawn("dynamic/process", odd, NULL, NULL), odd);
    assert_strings(task_spawn("static/process", odd, NULL, NULL), odd);
    free(longest);
}

TEST(should_pass_many_arguments)
{
    static char text[2000][12];
    static const char *words[2003] = {"process", "arguments"};
    new_space(1, GIGA);
    for (int i = 0; i < 2000; i++) {
        snprintf(text[i], sizeof text[i], "%d", i);
        words[i + 2] = text[i];
    }
    assert_strings(task_spawn("dynamic/process", words, NULL, NULL), words);
}

TEST(should_refuse_arguments_that_exec_would_refuse)
{
    static const char *words[300];
    task *t;
    new_space(1, GIGA);
    char *huge = malloc(8 << 20);
    memset(huge, 'x', (8 << 20) - 1);
    huge[(8 << 20) - 1] = '\0';
    for (int i = 0; i < 299; i++) words[i] = huge;
    assert_true(task_try(&t, "dynamic/process", words, NULL, NULL) < 0); /* 2.4 GB in 1 GB */
    free(huge);
    assert_exit(START("dynamic/life", "exit", "0"), 0);
}

TEST(should_pass_the_environment_as_it_is)
{
    static const char *const odd[] = {
        "A=1", "A=2", "=", "no equals sign", "", "EMPTY=", "SPACE= x \n", "\xff\xfe=\x01", NULL};
    static const char *const none[] = {NULL};
    new_space(3, GIGA);
    assert_strings(task_spawn("dynamic/process", WORDS("p", "environment"), odd, NULL), odd);
    assert_strings(task_spawn("dynamic/process", WORDS("p", "environment"), none, NULL), none);
}

TEST(should_take_the_callers_environment_for_none)
{
    new_space(1, GIGA);
    setenv("HAYATE_TEST_ODD", "a\nb", 1);
    assert_strings(task_spawn("dynamic/process", WORDS("p", "environment"), NULL, NULL),
                   (const char *const *)environ);
    unsetenv("HAYATE_TEST_ODD");
}

#define FDS 4096
static ino_t expected[FDS]; /* 0: closed */

static ino_t inode_of(int fd)
{
    struct stat about;
    return fstat(fd, &about) == 0 ? about.st_ino : 0;
}

static void expect_as_exec(void)
{
    for (int fd = 0; fd < FDS; fd++) {
        int flags = fcntl(fd, F_GETFD);
        expected[fd] = flags < 0 || (flags & FD_CLOEXEC) ? 0 : inode_of(fd);
    }
}

/* The task's descriptors from 3 on are those of `expected`, and none else. */
static void assert_descriptors(void)
{
    static char want[1 << 15];
    size_t used = 0;
    task *t = START("dynamic/process", "descriptors");
    assert_exit(t, 0);
    for (int fd = 0; fd < FDS; fd++) {
        ino_t inode = fd < 3 ? 0 : expected[fd];
        if (inode)
            used += (size_t)snprintf(want + used, sizeof want - used, "%d:%lu ", fd,
                                     (unsigned long)inode);
    }
    want[used] = '\0';
    char *rest = t->out;
    for (int fd = 0; fd < 3; fd++) {
        rest = strchr(rest, ' ');
        assert_non_null(rest++);
    }
    assert_string_equal(rest, want);
}

/* Whoever reads from it when there is nothing fails at once: all ends may still be open. */
static void new_pipe(int *ends)
{
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
}

static void need_descriptors(rlim_t count)
{
    struct rlimit files;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    if (files.rlim_max < count) skip_because("too few descriptors are allowed");
    if (files.rlim_cur < count) files.rlim_cur = count;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
}

static int new_file(int flags)
{
    int fd = memfd_create("file", (unsigned)flags);
    assert_true(fd >= 0);
    return fd;
}

TEST(should_inherit_descriptors_as_by_exec)
{
    static int fds[700];
    new_space(1, GIGA);
    need_descriptors(2000);
    for (int i = 0; i < 700; i++) fds[i] = new_file(i % 3 ? MFD_CLOEXEC : 0);
    for (int i = 0; i < 700; i += 7) close(fds[i]);
    expect_as_exec();
    assert_descriptors();
    for (int i = 0; i < 700; i++)
        if (i % 7) close(fds[i]);
}

TEST(should_close_hundreds_of_descriptors_that_are_close_on_exec)
{
    static int fds[1500];
    new_space(2, GIGA);
    need_descriptors(2000);
    for (int i = 0; i < 1500; i += 2) /* empty pipes: what there is to read must not matter */
        assert_int_equal(pipe2(fds + i, O_CLOEXEC), 0);
    int far = fcntl(fds[0], F_DUPFD, 1990); /* is not close-on-exec */
    expect_as_exec();
    assert_descriptors();
    for (int i = 0; i < 1500; i++) close(fds[i]);
    close(far);
}

TEST(should_redirect_standard_streams)
{
    new_space(4, GIGA);
    int out[2];
    new_pipe(out);
    int input = new_file(MFD_CLOEXEC), error = new_file(MFD_CLOEXEC);
    assert_int_equal(write(input, "word\n", 5), 5);
    lseek(input, 0, SEEK_SET);
    int streams[] = {input, out[1], error};
    task *t = task_spawn("dynamic/life", WORDS("life", "answer"), NULL,
                         &(pvas_spawning){.descriptors = streams});
    assert_exit(t, 0);
    char text[64] = "";
    assert_int_equal(read(out[0], text, sizeof text), 18);
    assert_string_equal(text, "ready\nheard word.\n");
    t = task_spawn("dynamic/life", WORDS("life", "no such thing"), NULL,
                   &(pvas_spawning){.descriptors = streams});
    assert_exit(t, 101);
    assert_true(pread(error, text, sizeof text, 0) > 10);
    close(out[0]), close(out[1]), close(input), close(error);
}

TEST(should_put_the_null_device_where_asked)
{
    struct stat null;
    int out = new_file(MFD_CLOEXEC);
    int streams[] = {-1, out, -1};
    new_space(1, GIGA);
    assert_int_equal(stat("/dev/null", &null), 0);
    assert_exit(task_spawn("dynamic/process", WORDS("p", "descriptors"), NULL,
                           &(pvas_spawning){.descriptors = streams}),
                0);
    char text[256] = "";
    assert_true(pread(out, text, sizeof text - 1, 0) > 0);
    const char *want = text_of("0:%lu 1:%lu 2:%lu ", (unsigned long)null.st_ino,
                               (unsigned long)inode_of(out), (unsigned long)null.st_ino);
    assert_memory_equal(text, want, strlen(want));
    close(out);
}

TEST(should_move_descriptors_whose_numbers_overlap)
{
    new_space(2, GIGA);
    need_descriptors(2000);
    int a = new_file(MFD_CLOEXEC), b = new_file(0), c = new_file(MFD_CLOEXEC);
    int out[2];
    new_pipe(out);
    int pairs[] = {a, b, b, a, c, c, a, 700, c, 1000, out[1], c + 100};
    int streams[] = {b, out[1], b};
    expect_as_exec();
    expected[0] = expected[2] = expected[a] = inode_of(b);
    expected[b] = expected[700] = inode_of(a);
    expected[c] = expected[1000] = inode_of(c);
    expected[1] = expected[c + 100] = inode_of(out[1]);
    pvas_spawning how = {.descriptors = streams, .inherited = pairs, .inherited_count = 6};
    assert_exit(task_spawn("dynamic/process", WORDS("p", "descriptors"), NULL, &how), 0);
    static char text[4096], want[4096];
    size_t used = 0;
    assert_true(read(out[0], text, sizeof text - 1) > 0);
    for (int fd = 0; fd < FDS; fd++)
        if (expected[fd])
            used += (size_t)snprintf(want + used, sizeof want - used, "%d:%lu ", fd,
                                     (unsigned long)expected[fd]);
    while (strlen(text) < used && read(out[0], text + strlen(text), used - strlen(text)) > 0)
        continue;
    assert_string_equal(text, want);
    assert_int_not_equal(fcntl(a, F_GETFD) & FD_CLOEXEC, 0); /* the caller's are as they were */
    close(a), close(b), close(c), close(out[0]), close(out[1]);
}

TEST(should_swap_the_standard_streams)
{
    new_space(1, GIGA);
    int streams[] = {2, 0, 1};
    ino_t of[] = {inode_of(2), inode_of(0), inode_of(1)};
    int report = new_file(MFD_CLOEXEC), pairs[] = {report, 9};
    assert_exit(
        task_spawn(
            "/bin/sh", WORDS("sh", "-c", "a=$(stat -Lc %i /proc/$$/fd/[012]); echo \"$a\" >&9"),
            NULL,
            &(pvas_spawning){.descriptors = streams, .inherited = pairs, .inherited_count = 1}),
        0);
    char text[128] = "";
    assert_true(pread(report, text, sizeof text - 1, 0) > 0);
    const char *want = text_of("%lu\n%lu\n%lu\n", (unsigned long)of[0], (unsigned long)of[1],
                               (unsigned long)of[2]);
    assert_string_equal(text, want);
    close(report);
}

TEST(should_refuse_descriptors_that_are_not_open)
{
    task *t;
    int streams[] = {0, 3999, 2}, pairs[] = {3999, 5}, negative[] = {0, -5};
    new_space(1, GIGA);
    const char *words[] = {"life", "exit", NULL};
    assert_true(
        task_try(&t, "dynamic/life", words, NULL, &(pvas_spawning){.descriptors = streams}) < 0);
    assert_true(task_try(&t, "dynamic/life", words, NULL,
                         &(pvas_spawning){.inherited = pairs, .inherited_count = 1}) < 0);
    assert_true(task_try(&t, "dynamic/life", words, NULL,
                         &(pvas_spawning){.inherited = negative, .inherited_count = 1}) < 0);
    assert_true(task_try(&t, "dynamic/life", words, NULL, &(pvas_spawning){.inherited_count = 1}) <
                0);
    assert_exit(START("dynamic/life", "exit", "0"), 0); /* and the only place is free */
}

TEST(should_start_in_the_directory_asked_for)
{
    char here[4096];
    task *t;
    new_space(3, GIGA);
    assert_non_null(getcwd(here, sizeof here));
    t = task_spawn("dynamic/process", WORDS("p", "directory"), NULL,
                   &(pvas_spawning){.directory = "/proc/sys"});
    assert_exit(t, 0);
    assert_string_equal(t->out, "/proc/sys\n");
    t = START("dynamic/process", "directory");
    assert_exit(t, 0);
    assert_memory_equal(t->out, here, strlen(here));
    char again[4096];
    assert_string_equal(getcwd(again, sizeof again), here);
    const char *words[] = {"p", "directory", NULL};
    assert_refused(task_try(&t, "dynamic/process", words, NULL,
                            &(pvas_spawning){.directory = "/no/such/directory"}),
                   HAYATE_ERR_SYSTEM, "/no/such/directory");
}

TEST(should_lead_a_process_group_when_asked)
{
    new_space(2, GIGA);
    for (int lead = 0; lead < 2; lead++) {
        int pid, group;
        task *t = task_spawn("dynamic/process", WORDS("p", "self"), NULL,
                             &(pvas_spawning){.new_group = lead});
        assert_exit(t, 0);
        assert_int_equal(sscanf(t->out, "%*[^|]|%*[^|]|%d|%d", &pid, &group), 2);
        assert_int_equal(pid, t->pid);
        assert_int_equal(group, lead ? t->pid : getpgrp());
    }
}

static void on_signal(int signal)
{
    (void)signal;
}

TEST(should_have_default_signals_but_the_ignored_and_the_mask)
{
    char actions[65], blocked[65];
    sigset_t mask, was;
    new_space(1, GIGA);
    sigemptyset(&mask);
    sigaddset(&mask, SIGHUP);
    sigaddset(&mask, SIGRTMIN + 3);
    assert_int_equal(sigprocmask(SIG_BLOCK, &mask, &was), 0);
    signal(SIGUSR1, on_signal);
    void (*fault)(int) = signal(SIGSEGV, on_signal);
    signal(SIGUSR2, SIG_IGN);
    for (int i = 1; i <= 64; i++) {
        struct sigaction now;
        bool hidden = i >= 32 && i <= 34;
        bool ignored = !hidden && sigaction(i, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
        actions[i - 1] = hidden ? '-' : ignored ? 'i' : 'd';
        sigprocmask(SIG_BLOCK, NULL, &mask);
        blocked[i - 1] = hidden ? '-' : sigismember(&mask, i) == 1 ? 'b' : '.';
    }
    actions[64] = blocked[64] = '\0';
    task *t = START("dynamic/signal", "show");
    signal(SIGUSR1, SIG_DFL);
    signal(SIGSEGV, fault);
    signal(SIGUSR2, SIG_DFL);
    sigprocmask(SIG_SETMASK, &was, NULL);
    assert_exit(t, 0);
    assert_says(t, actions);
    assert_says(t, blocked);
}

TEST(should_have_a_stack_of_the_size_asked_for)
{
    static const struct {
        size_t bytes;
        const char *use;
        bool fits;
    } cases[] = {{0, "6000000", true},
                 {64 << 20, "62000000", true},
                 {256 << 10, "120000", true},
                 {256 << 10, "3000000", false}};
    new_space(2, GIGA);
    for (size_t i = 0; i < COUNT(cases); i++) {
        task *t = task_spawn("dynamic/life", WORDS("life", "deepen", cases[i].use), NULL,
                             &(pvas_spawning){.stack_bytes = cases[i].bytes});
        if (cases[i].fits) assert_exit(t, 0);
        else assert_killed(t, SIGSEGV);
        reclaim(t);
    }
}

TEST(should_have_the_limits_of_the_caller)
{
    struct rlimit files;
    new_space(1, GIGA);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    task *t = START("dynamic/process", "limits");
    assert_exit(t, 0);
    const char *want = text_of("%lu ", (unsigned long)files.rlim_cur);
    assert_memory_equal(t->out, want, strlen(want));
}

TEST(should_have_the_limit_of_descriptors_asked_for)
{
    struct rlimit files, mine;
    int pairs[] = {0, 90};
    new_space(2, GIGA);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &mine), 0);
    files = (struct rlimit){50, mine.rlim_max};
    task *t = task_spawn(
        "dynamic/process", WORDS("p", "limits"), NULL,
        &(pvas_spawning){.files = &files, .inherited = pairs, .inherited_count = 1});
    assert_exit(t, 0); /* and got 90 before */
    assert_memory_equal(t->out, "50 ", 3);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    assert_int_equal(files.rlim_cur, mine.rlim_cur);
}

TEST(should_say_that_there_are_no_descriptors_left)
{
    struct rlimit mine;
    char *const words[] = {"life", "exit", NULL};
    int number, code;
    new_space(1, GIGA);
    const char *path = program("dynamic/life");
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &mine), 0);
    int next = dup(0);
    close(next);
    for (int room = 0; room < 6; room++) {
        setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)(next + room), mine.rlim_max});
        code = pvas_spawn(space, path, words, NULL, NULL, &number, NULL);
        setrlimit(RLIMIT_NOFILE, &mine);
        if (room == 0) assert_refused(code, HAYATE_ERR_SYSTEM, "Too many open files");
        assert_true(code == HAYATE_OK || code == HAYATE_ERR_SYSTEM);
        if (code == HAYATE_OK) {
            assert_ok(pvas_wait(space, number, PATIENCE_MS, NULL));
            assert_ok(pvas_reclaim(space, number));
        }
        int after = dup(0);
        close(after);
        assert_int_equal(after, next);
    }
}

TEST(should_keep_to_itself_what_a_process_has)
{
    char here[4096], there[4096];
    struct rlimit before, after;
    new_space(1, GIGA);
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    mode_t mask = umask(027);
    assert_exit(START("dynamic/process", "change"), 0);
    assert_int_equal(umask(mask), 027);
    assert_string_equal(getcwd(there, sizeof there), here);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &after), 0);
    assert_int_equal(after.rlim_cur, before.rlim_cur);
    assert_int_equal(fcntl(0, F_GETFD) >= 0, 1);
    assert_true(signal(SIGUSR1, SIG_DFL) == SIG_DFL);
}

int main(void)
{
    return pvas_tests_run(NULL, NULL);
}
