/* SPDX-License-Identifier: Apache-2.0 */
/* The guard of the tasks, which somebody may kill: the next spawn has another. */
#include <dirent.h>
#include <sys/prctl.h>

#include "pvas/maps_fixture.h"
#include "pvas/spawner_fixture.h"

/* Of a process that lives; -1: it does not. Its name, too. */
static int parent_of(pid_t pid, char *name, size_t bytes)
{
    char text[512];
    int fd = open(text_of("/proc/%d/stat", (int)pid), O_RDONLY | O_CLOEXEC), parent = -1;
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    text[got > 0 ? got : 0] = '\0';
    char *open_at = strchr(text, '('), *close_at = strrchr(text, ')');
    if (!open_at || !close_at) return -1;
    *close_at = '\0';
    snprintf(name, bytes, "%s", open_at + 1);
    char state = '?';
    return sscanf(close_at + 1, " %c %d", &state, &parent) == 2 && state != 'Z' ? parent : -1;
}

/* 0: it has none of that name. */
static pid_t find_guard(pid_t owner)
{
    pid_t found = 0;
    DIR *all = opendir("/proc");
    assert_non_null(all);
    for (struct dirent *entry; (entry = readdir(all));) {
        char name[64];
        pid_t pid = (pid_t)atoi(entry->d_name);
        if (pid > 0 && parent_of(pid, name, sizeof name) == owner &&
            strcmp(name, "hayate-guard") == 0)
            found = pid;
    }
    closedir(all);
    return found;
}

/* A new guard has its name when it has run for the first time. */
static pid_t guard_of(pid_t owner)
{
    int64_t end = now_ms() + PATIENCE_MS;
    pid_t guard;
    while ((guard = find_guard(owner)) == 0) {
        if (now_ms() > end) fail_with("no guard", "of the spawner");
        poll(NULL, 0, 1);
    }
    return guard;
}

static void kill_guard_of(pid_t owner)
{
    pid_t guard = guard_of(owner);
    assert_int_equal(kill(guard, SIGKILL), 0);
    while (is_alive(guard)) poll(NULL, 0, 1);
}

TEST(should_start_another_guard_when_it_was_killed)
{
    new_space(4, GIGA);
    for (int i = 0; i < 5; i++) {
        task *before = START("dynamic/life", "exit", "3");
        kill_guard_of(getpid());
        task *t = START("dynamic/life", "exit", "4");
        assert_true(is_alive(guard_of(getpid())));
        assert_exit(before, 3);
        assert_exit(t, 4);
        reclaim(before);
        reclaim(t);
    }
}

TEST(should_leave_nothing_of_guards_that_were_killed)
{
    footprint before = {0};
    need_exact_figures();
    new_space(1, GIGA);
    for (int i = 0; i < 20; i++) {
        if (i == 2) before = footprint_now();
        kill_guard_of(getpid());
        int code = run_once(space, program("dynamic/life"), "exit", "5", nowhere);
        assert_true(code == 5 || code == RECLAIMED);
    }
    assert_same_footprint(before, footprint_now());
}

TEST(should_not_outlive_a_spawner_with_its_second_guard)
{
    spawner s;
    new_space(1, GIGA); /* or skip */
    spawner_start(&s, "again", 3, WORDS(program("dynamic/life"), "last", "0"));
    spawner_hear(&s, 3);
    kill_guard_of(s.pid);
    spawner_go_on(&s);
    spawner_hear(&s, 1);
    assert_int_equal(s.count, 4);
    kill(s.pid, SIGKILL);
    spawner_take_along(&s, "the guard was killed before");
}

int main(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* what a killed spawner leaves is seen here */
    return pvas_tests_run(NULL, NULL);
}
