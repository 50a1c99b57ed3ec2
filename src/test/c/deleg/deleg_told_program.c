/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A rank that communicates with other nodes until it is told that this is over: `deleg_told_program
 * FILE HOW`. It writes lines into FILE: "lives RANK PID LAUNCHER DELEGATEE." after its first
 * exchange, and "told RANK NS." at the first error, with the time of the monotonic clock.
 */
#include <hayate/fmpl.h>

#include <fcntl.h>
#include <signal.h>

#include "fmpl/scenario.h"
#include "init/join.h"
#include "net/delegated/delegation.h"

#define LONG (1 << 20)

static uint8_t *data; /* LONG bytes */

static int pass(size_t bytes)
{
    int peer = (rank + size / 2) % size, ier = 0;
    if (rank < peer) fmpl_send(data, bytes, peer, 0, &ier);
    if (!ier) fmpl_recv(data, bytes, peer, 0, &ier);
    if (!ier && rank > peer) fmpl_send(data, bytes, peer, 0, &ier);
    return ier;
}

static int short_messages(void)
{
    return pass(100);
}

static int long_messages(void)
{
    return pass(LONG);
}

/* Nobody sends under this mai. */
static int wait_for_ever(void)
{
    int ier = 0;
    fmpl_recv(data, 8, (rank + size / 2) % size, 1, &ier);
    return ier;
}

static int barriers(void)
{
    int ier = 0;
    fmpl_barrier(FMPL_COMM_WORLD, &ier);
    return ier;
}

static const struct {
    const char *name;
    int (*run)(void);
} ways[] = {{"short", short_messages},
            {"long", long_messages},
            {"wait", wait_for_ever},
            {"barrier", barriers}};

/* One write: lines of several ranks do not mix. */
static void report(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
}

static pid_t delegatee(void)
{
    hy_delegation *area = hy_control_delegation(hy_process_job()->boot.control);
    CHECK(area);
    return hy_load_relaxed(&area->pid);
}

int main(int argc, char **argv)
{
    char text[100];
    int ier = 0;
    size_t way = 0;
    signal(SIGTERM, SIG_IGN); /* the launcher ends the rank, but a little later */
    CHECK(argc == 3);
    while (strcmp(ways[way].name, argv[2]) != 0) CHECK(++way < sizeof ways / sizeof *ways);
    start_ranks(2);
    data = hayate_alloc(LONG);
    CHECK(data);
    CHECK_OK(pass(100));
    snprintf(text, sizeof text, "lives %d %d %d %d.\n", rank, (int)getpid(), (int)getppid(),
             (int)delegatee());
    report(argv[1], text);
    while (!ier) ier = ways[way].run();
    snprintf(text, sizeof text, "told %d %llu.\n", rank, (unsigned long long)hy_now_ns());
    report(argv[1], text);
    CHECK_CODE(ier, HAYATE_ERR_PEER_FAILED);
    return 4;
}
