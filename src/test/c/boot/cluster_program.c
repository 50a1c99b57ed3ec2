/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A rank for launchers that are not ours. Arguments:
 *   meet      joins, sends a number around the ring of ranks, leaves, and says who it was
 *   die R     rank R kills itself while the others wait for it; they tell what they learnt, and
 *             when (base/told_fixture.h)
 *   orphan    rank 0 kills the process that started it; all wait for each other, and tell
 * All are told on stdout, or at the end of the file CLUSTER_OUTPUT: a launcher may take a death as
 * the end of the job and forward nothing more. A refusal is told on stderr with its code, and is
 * exit 3.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

#include <hayate/fmpl.h>
#include <hayate/hayate.h>

/* libpmix and what it loads keep some memory until the end. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libpmix\nleak:libevent\nleak:libhwloc\nleak:mca_\nleak:dlopen\n";
}

static int refused(const char *what, int code)
{
    fprintf(stderr, "%s: code %d, peer %d: %s\n", what, code, hayate_error_peer(), hayate_error());
    return 3;
}

static int meet(int rank, int size)
{
    int ier, in = -1, right = (rank + 1) % size, left = (rank + size - 1) % size;
    fmpl_request_t request = FMPL_REQUEST_NULL;
    fmpl_irecv(&in, sizeof in, left, 0, &request, &ier);
    if (!ier) fmpl_send(&rank, sizeof rank, right, 0, &ier);
    if (!ier) fmpl_wait(&request, &ier);
    if (ier || in != left) return refused("ring", ier);
    printf("rank %d of %d\n", rank, size);
    return 0;
}

static int wait_for(int rank, int victim)
{
    int ier, in;
    fmpl_recv(&in, sizeof in, victim, 0, &ier);
    printf("rank %d: code %d, peer %d, told at %llu: %s\n", rank, ier, hayate_error_peer(),
           (unsigned long long)hy_now_ns(), hayate_error());
    fflush(stdout);
    return 0;
}

static void kill_now(int pid)
{
    printf("event at %llu\n", (unsigned long long)hy_now_ns());
    fflush(stdout);
    kill(pid, SIGKILL);
}

static int die(int rank, int victim)
{
    if (rank != victim) return wait_for(rank, victim);
    usleep(300000); /* the others sleep by then: nobody has to ring for them to notice */
    kill_now(getpid());
    return 1;
}

/* The process that has started this one. */
static int end_launcher(int rank, int size)
{
    if (rank == 0) {
        usleep(300000);
        kill_now(getppid());
    }
    return wait_for(rank, (rank + 1) % size);
}

int main(int argc, char **argv)
{
    int ier = 0, rc;
    if (argc < 2) return 2;
    alarm(420);               /* a hang is a failure */
    signal(SIGUSR1, SIG_IGN); /* mpiexec -disable-auto-cleanup tells deaths by it */
    rc = hayate_init();
    if (rc != HAYATE_OK) return refused("init", rc);
    fmpl_init(NULL, NULL, 4, &ier);
    if (ier) return refused("fmpl", ier);
    const char *file = getenv("CLUSTER_OUTPUT");
    if (file && !freopen(file, "a", stdout)) return 2;
    int rank = hayate_rank(), size = hayate_size(), result = 2;
    if (strcmp(argv[1], "meet") == 0) result = meet(rank, size);
    else if (strcmp(argv[1], "die") == 0 && argc > 2) result = die(rank, atoi(argv[2]));
    else if (strcmp(argv[1], "orphan") == 0) result = end_launcher(rank, size);
    hayate_finalize();
    return result;
}
