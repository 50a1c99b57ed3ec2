/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a *_program of the tests ("fmpl/threads_program") on several ranks, with settings in the
 * environment. */
#ifndef HY_TEST_RANKS_FIXTURE_H
#define HY_TEST_RANKS_FIXTURE_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/test.h"
#include "base/text_fixture.h"
#include "pvas/tasks_probe.h"

#define SKIPPED 77

/* Goes before the settings of several ranks with threads: TSan then leaves out what another process
 * orders. */
#define RANKS_SEVERAL \
    "TSAN_OPTIONS=halt_on_error=1:exitcode=98:" \
    "suppressions=src/test/c/fmpl/several_processes.supp "

typedef struct ranks_result {
    int status; /* of the launcher; 128 + signal */
    char output[16384];
} ranks_result;

/* What a shell makes of the line; others may be under way at the same time. */
static inline FILE *ranks_start(const char *line)
{
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    return pipe;
}

static inline ranks_result ranks_finish(FILE *pipe)
{
    static ranks_result result;
    size_t used = fread(result.output, 1, sizeof result.output - 1, pipe);
    result.output[used] = '\0';
    while (fgetc(pipe) != EOF) continue;
    int status = pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

static inline ranks_result ranks_shell(const char *line)
{
    return ranks_finish(ranks_start(line));
}

/* `command` follows the launcher, as "-n 2 $HAYATE_TEST_BIN/fmpl/x_program". */
static inline ranks_result ranks_run(const char *settings, const char *command)
{
    if (!getenv("HAYATE_RUN") || !getenv("HAYATE_TEST_BIN")) skip();
    const char *line = text_of("exec env %s timeout -k 5 450 $HAYATE_RUN %s 2>&1 </dev/null",
                               settings, command);
    return ranks_shell(line);
}

static inline void ranks_must_pass_started(const char *how, const char *settings, int n,
                                           const char *program)
{
    ranks_result result = ranks_run(settings,
                                    text_of("%s -n %d $HAYATE_TEST_BIN/%s", how, n, program));
    if (result.status != 0)
        fail_msg("%s, %d ranks, %s %s: exit %d\n%s", settings, n, how, program, result.status,
                 result.output);
}

static inline void ranks_must_pass(const char *settings, int n, const char *program)
{
    ranks_must_pass_started("", settings, n, program);
}

/* Skips the test where ranks cannot be tasks, and says why. */
static inline void ranks_need_tasks(void)
{
    const char *reason = tasks_impossible();
#if defined(__SANITIZE_ADDRESS__)
    reason = "a sanitized program wants the addresses of its shadow for itself";
#endif
    if (!reason) return;
    fprintf(stderr, "skipped: %s\n", reason);
    skip();
}

/* Skips the test where there is none of that name. It stays loaded: what its constructors have
 * allocated would else be a leak of this process. */
static inline void ranks_need_library(const char *name)
{
    if (!dlopen(name, RTLD_NOW | RTLD_LOCAL)) skip();
}

/* As tasks of one address space. */
static inline void ranks_must_pass_as_tasks(const char *settings, int n, const char *program)
{
    ranks_need_tasks();
    ranks_must_pass_started("--pvas", settings, n, program);
}

/* What a test that may itself run below a launcher or with settings must not pass on. */
static inline int ranks_main(int failed)
{
    return failed ? failed : getenv("HAYATE_RUN") ? 0 : SKIPPED;
}

static inline void ranks_setup(void)
{
    static const char *const names[] = {"HAYATE_RANK",       "HAYATE_SIZE",        "HAYATE_BOOT_FD",
                                        "HAYATE_LOCAL_RANK", "HAYATE_EAGER_LIMIT", "HAYATE_WAIT",
                                        "HAYATE_RENDEZVOUS", "HAYATE_HEAP",        "HAYATE_LOG",
                                        "HAYATE_TEST_FAULT", "HAYATE_NET_LOCAL"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unsetenv(names[i]);
}

static inline int ranks_tests_run(void)
{
    ranks_setup();
    return ranks_main(tests_run());
}

#endif
