/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that launchers of others start, and what those tell that outlive them. hydra makes several
 * nodes of this machine: its own word for it, -hosts a:2,b:2, is all there is to a node. */
#ifndef HY_TEST_LAUNCHED_FIXTURE_H
#define HY_TEST_LAUNCHED_FIXTURE_H

#include "fmpl/ranks_fixture.h"

#include <unistd.h>

#define HYDRA_PROBE "command -v mpiexec.hydra >/dev/null"

/* Keeps ranks alive when another one has died. hydra may kill the processes that it has started,
 * but not their children. It also sends them SIGUSR1; without the trap this would end the shell,
 * and hydra would end while the rank still runs. */
#define HYDRA_SHIELD "sh -c 'trap \"\" USR1; setsid \"$0\" \"$@\"; exit $?'"

/* Skips the test where there are no programs, or this launcher is not. */
static inline void launched_need(const char *probe)
{
    if (!getenv("HAYATE_TEST_BIN") || system(probe) != 0) skip();
}

/* `command` is the launcher with all that follows; its own libraries may leak. Settings come last:
 * they may say another heap. Nothing to read: hydra passes it on, and dies by SIGPIPE if its rank
 * has ended before. */
static inline FILE *launched_start(const char *settings, const char *command)
{
    char line[1400];
    snprintf(
        line, sizeof line,
        "exec </dev/null env LSAN_OPTIONS=detect_leaks=0 HAYATE_HEAP=128M %s timeout -k 5 450 %s",
        settings, command);
    return ranks_start(line);
}

static inline ranks_result launched_run(const char *settings, const char *command)
{
    return ranks_finish(launched_start(settings, command));
}

/* A file that ranks write to. */
typedef struct launched_file {
    char path[32];
} launched_file;

static inline launched_file launched_file_make(void)
{
    launched_file file = {"/tmp/hayate-told-XXXXXX"};
    int fd = mkstemp(file.path);
    assert_true(fd >= 0);
    close(fd);
    return file;
}

static inline void launched_read(const launched_file *file, char *text, size_t bytes)
{
    FILE *stream = fopen(file->path, "r");
    size_t used = stream ? fread(text, 1, bytes - 1, stream) : 0;
    text[used] = '\0';
    if (stream) fclose(stream);
}

/* Waits until it holds this text. */
static inline void launched_await(const launched_file *file, const char *text)
{
    char all[4096];
    for (int tries = 0; tries < 6000; tries++) {
        launched_read(file, all, sizeof all);
        if (strstr(all, text)) return;
        usleep(50000);
    }
    fail_msg("no \"%s\" in:\n%s", text, all);
}

#endif
