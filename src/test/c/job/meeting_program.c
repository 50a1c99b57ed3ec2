/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks on several nodes that meet many times, each after a time of its own: "cards N" exchanges N
 * cards, of which every one must arrive; "die N RANK" loses a rank after N of them, of which all
 * others hear in their next meeting; after "news N RANK" they hear of it though they wait for
 * nobody in particular. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "job/far.h"
#include "job/process_job.h"

#include <hayate/hayate.h>

typedef struct card {
    uint64_t number, rank, noise[HY_CARD_BYTES / 8 - 2];
} card;

_Static_assert(sizeof(card) == HY_CARD_BYTES, "all of it");

static card made(uint64_t number, uint64_t rank)
{
    card c = {number, rank, {0}};
    for (size_t i = 0; i < sizeof c.noise / 8; i++) c.noise[i] = (number << 20 ^ rank) * (i + 3);
    return c;
}

static void dawdle(unsigned *seed)
{
    if (rand_r(seed) % 4 == 0) usleep((unsigned)rand_r(seed) % 500);
}

static int meet_once(hy_job *job, uint64_t number)
{
    const card mine = made(number, (uint64_t)job->rank);
    int rc = hy_boot_exchange(&job->boot, &mine, sizeof mine);
    for (int rank = 0; !rc && rank < job->size; rank++) {
        const card expected = made(number, (uint64_t)rank);
        if (memcmp(job->boot.control->ranks[rank].card, &expected, sizeof expected) == 0) continue;
        fprintf(stderr, "rank %d: another card of rank %d in meeting %d\n", job->rank, rank,
                (int)number);
        exit(4);
    }
    return rc ? rc : hy_job_fence(job);
}

/* As waits do that no message ends. */
static int wait_for_news(hy_job *job)
{
    uint64_t deadline = hy_now_ns() + UINT64_C(20000000000);
    int rc = HAYATE_OK;
    while (!rc && hy_now_ns() < deadline) {
        hy_progress(job);
        usleep(500);
        rc = hy_job_check(job, -1);
        if (!rc) rc = hy_job_check_all(job);
    }
    return rc;
}

int main(int argc, char **argv)
{
    int times = argc > 2 ? atoi(argv[2]) : 0, victim = argc > 3 ? atoi(argv[3]) : -1;
    signal(SIGUSR1, SIG_IGN); /* mpiexec -disable-auto-cleanup tells deaths by it */
    alarm(60);
    if (hayate_init()) {
        fprintf(stderr, "%s\n", hayate_error());
        return 3;
    }
    hy_job *job = hy_process_job();
    unsigned seed = (unsigned)job->rank + 1;
    const char *file = getenv("MEETING_OUTPUT"); /* a launcher may stop listening at a death */
    int rc = HAYATE_OK;
    if (file && !freopen(file, "a", stdout)) return 2;
    for (int i = 0; i < times && !rc; i++) {
        dawdle(&seed);
        rc = meet_once(job, (uint64_t)i);
    }
    if (!rc && job->rank == victim) raise(SIGKILL);
    bool waits = strcmp(argv[1], "news") == 0;
    if (!rc && victim >= 0) rc = waits ? wait_for_news(job) : meet_once(job, (uint64_t)times);
    if (rc)
        printf("rank %d: code %d, peer %d: %s\n", job->rank, rc, hayate_error_peer(),
               hayate_error());
    else printf("rank %d of %d has met\n", job->rank, job->size);
    hayate_finalize();
    return 0;
}
