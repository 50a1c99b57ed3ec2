/* SPDX-License-Identifier: Apache-2.0 */
/* Starts the launcher named by HAYATE_RUN through a shell and collects what it says. In commands
 * $RUN is the launcher and $SELF this test, whose `--rank` part is rank_program.h. One suite over
 * both ways to launch: the second time round $RUN says --pvas, too. */
#ifndef HY_TEST_LAUNCH_FIXTURE_H
#define HY_TEST_LAUNCH_FIXTURE_H

#include "base/test.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <hayate/pvas.h>

#include "rank_program.h"

#define SKIPPED 77
#define PATIENCE_MS 30000

/* Ranks are tasks; why this is not possible here. */
static bool as_tasks;
static const char *no_tasks;

typedef struct launched {
    struct launched *before; /* of the same test */
    pid_t pid;
    int fds[2]; /* memfds behind its stdout and stderr */
    int status; /* after finish(): exit status, or 128 + signal */
    int ms;
    uint64_t start;
    char out[1 << 16], err[1 << 16];
} launched;

/* Those of a test, until its end. */
static launched *launched_all;

static inline int launched_forget(void **state)
{
    (void)state;
    for (launched *run; (run = launched_all);) {
        launched_all = run->before;
        close(run->fds[0]);
        close(run->fds[1]);
        free(run);
    }
    return 0;
}

/* The compiler does not know that skip() does not come back. */
static inline _Noreturn void skip_now(void)
{
    skip();
    abort();
}

static inline launched *start(const char *command)
{
    if (!getenv("HAYATE_RUN") || (as_tasks && no_tasks)) skip_now();
    launched *run = calloc(1, sizeof *run);
    assert_non_null(run);
    run->before = launched_all;
    launched_all = run;
    for (int i = 0; i < 2; i++) run->fds[i] = memfd_create("output", MFD_CLOEXEC);
    run->start = hy_now_ns();
    run->pid = fork();
    if (run->pid == 0) {
        for (int i = 0; i < 2; i++) {
            char path[64]; /* opened anew: with O_APPEND, as concurrent writers need it */
            snprintf(path, sizeof path, "/proc/self/fd/%d", run->fds[i]);
            int fd = open(path, O_WRONLY | O_APPEND);
            dup2(fd, i + 1);
            close(fd);
        }
        setpgid(0, 0);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(99);
    }
    assert_true(run->pid > 0);
    return run;
}

static inline void collect(launched *run)
{
    char *texts[] = {run->out, run->err};
    for (int i = 0; i < 2; i++) {
        ssize_t length = pread(run->fds[i], texts[i], sizeof run->out - 1, 0);
        texts[i][length > 0 ? length : 0] = '\0';
    }
}

/* Looks every millisecond until `text` is in the output. */
static inline void await(launched *run, const char *text)
{
    for (int i = 0; i < PATIENCE_MS; i++) {
        collect(run);
        if (strstr(run->out, text) || strstr(run->err, text)) return;
        poll(NULL, 0, 1);
    }
    kill(-run->pid, SIGKILL);
    fail_msg("'%s' never came; out: %s err: %s", text, run->out, run->err);
}

static inline void finish(launched *run)
{
    int status = 0, waited = 0;
    while (waitpid(run->pid, &status, WNOHANG) == 0) {
        if (++waited > PATIENCE_MS) {
            kill(-run->pid, SIGKILL);
            fail_msg("the launcher did not end; out: %s err: %s", run->out, run->err);
        }
        poll(NULL, 0, 1);
    }
    run->ms = (int)((hy_now_ns() - run->start) / 1000000);
    run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    collect(run);
}

/* mpiexec of MPICH ends now and then when several run at once: a helper of one of them has reached
 * another one. */
static inline bool is_struck(const launched *run)
{
    return run->status == 255 && strstr(run->err, "cannot find proxy with ID");
}

static inline launched *run(const char *command)
{
    launched *run = start(command);
    finish(run);
    for (int tries = 1; tries < 3 && is_struck(run); tries++) {
        run = start(command);
        finish(run);
    }
    return run;
}

/* Which is to end with this status. */
static inline launched *run_to(int status, const char *command)
{
    launched *job = run(command);
    if (job->status != status)
        fail_msg("%s: status %d, expected %d; out: %s err: %s", command, job->status, status,
                 job->out, job->err);
    return job;
}

/* For commands that say "none" where the machine cannot do what the test needs. */
static inline void skip_if_none(launched *run)
{
    if (strncmp(run->out, "none", 4) != 0) return;
    skip_now();
}

__attribute__((format(printf, 2, 3))) static inline void assert_says(const char *text,
                                                                     const char *format, ...)
{
    char part[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    if (!strstr(text, part)) fail_msg("'%s' is not in: %s", part, text);
}

static inline void assert_silent_about(const char *text, const char *part)
{
    if (strstr(text, part)) fail_msg("'%s' should not be in: %s", part, text);
}

static inline int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

static inline void await_death(pid_t pid)
{
    for (int i = 0; i < PATIENCE_MS && is_alive(pid); i++) poll(NULL, 0, 1);
    if (is_alive(pid)) fail_msg("process %d was left behind", (int)pid);
}

/* Sends it a signal, and waits for its end. */
static inline void end_by(launched *run, int signal)
{
    kill(run->pid, signal);
    finish(run);
}

/* The number behind `label` in the output. */
static inline pid_t number_after(const char *text, const char *label)
{
    const char *at = strstr(text, label);
    if (!at) fail_msg("'%s' is not in: %s", label, text);
    return at ? (pid_t)atoi(at + strlen(label)) : -1;
}

static inline void fixture_setup(void)
{
    static const char *const names[] = {"HAYATE_RANK", "HAYATE_SIZE", "HAYATE_LOCAL_RANK",
                                        "HAYATE_BOOT_FD", "HAYATE_HEAP"};
    static char self[4096];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unsetenv(names[i]);
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    setenv("SELF", self, 1);
    if (getenv("HAYATE_RUN")) setenv("RUN", getenv("HAYATE_RUN"), 1);
}

/* The runtimes of the sanitizers want fixed addresses, which only one program of a space can have.
 */
static inline const char *why_no_tasks(void)
{
    int space;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    (void)space;
    return "programs under a sanitizer are no tasks";
#else
    int rc = pvas_create(1, UINT64_C(1) << 30, &space);
    if (rc == HAYATE_OK) pvas_destroy(space);
    return rc == HAYATE_ERR_UNSUPPORTED ? hayate_error() : NULL;
#endif
}

static inline void fixture_use_tasks(void)
{
    static char command[4096 + 16];
    as_tasks = true;
    no_tasks = why_no_tasks();
    if (no_tasks) fprintf(stderr, "skipped as tasks: %s\n", no_tasks);
    if (!getenv("HAYATE_RUN")) return;
    snprintf(command, sizeof command, "%s --pvas", getenv("HAYATE_RUN"));
    setenv("RUN", command, 1);
}

#define LAUNCH_TEST_MAIN() LAUNCH_TEST_MAIN_WAYS(true)
#define LAUNCH_TEST_MAIN_TASKS() LAUNCH_TEST_MAIN_WAYS(false)

#define LAUNCH_TEST_MAIN_WAYS(as_processes) \
    int main(int argc, char **argv) \
    { \
        if (argc > 1 && strcmp(argv[1], "--rank") == 0) return rank_program(argc - 2, argv + 2); \
        fixture_setup(); \
        tests_each(NULL, launched_forget); \
        int failed = as_processes ? tests_run() : 0; \
        fixture_use_tasks(); \
        failed += tests_run_as("as tasks", NULL, NULL); \
        return failed ? failed : getenv("HAYATE_RUN") ? 0 : SKIPPED; \
    }

#endif
