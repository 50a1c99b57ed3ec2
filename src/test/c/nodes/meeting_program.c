/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks on several nodes that meet many times, each after a time of its own: "records N" exchanges
 * records N times, of which every one must arrive, be they alike or not; "die N RANK" loses a rank
 * after N of them, of which all others hear in their next meeting; "fall N RANK": all ranks from
 * this one on; after "news N RANK" they hear of it though they wait for nobody in particular;
 * "leave N RANK": it closes its job and lives on until all others have heard of that, and to none
 * of them its end is a death. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/settings.h"
#include "job/progress.h"
#include "init/join.h"
#include "job/setup.h"

#include <hayate/hayate.h>

typedef struct record {
    uint64_t number, rank, noise[HY_RECORD_BYTES / 8 - 2];
} record;

_Static_assert(sizeof(record) == HY_RECORD_BYTES, "all of it");

static record made(uint64_t number, uint64_t rank)
{
    record c = {number, rank, {0}};
    for (size_t i = 0; i < sizeof c.noise / 8; i++) c.noise[i] = (number << 20 ^ rank) * (i + 3);
    return c;
}

/* All records differ, or one does, or none: the nodes tell each other of that first. */
static record record_of(uint64_t number, int rank, int size)
{
    bool differs = number % 3 == 0 ||
                   (number % 3 == 1 && number % (uint64_t)size == (uint64_t)rank);
    return made(number, differs ? (uint64_t)rank + 1 : 0);
}

static void dawdle(unsigned *seed)
{
    if (rand_r(seed) % 4 == 0) usleep((unsigned)rand_r(seed) % 500);
}

static int meet_once(hy_job *job, uint64_t number)
{
    const record mine = record_of(number, job->rank, job->size);
    int rc = hy_boot_exchange(&job->boot, &mine, sizeof mine);
    for (int rank = 0; !rc && rank < job->size; rank++) {
        const record expected = record_of(number, rank, job->size);
        if (memcmp(hy_boot_record(&job->boot, rank), &expected, sizeof expected) == 0) continue;
        fprintf(stderr, "rank %d: another record of rank %d in meeting %d\n", job->rank, rank,
                (int)number);
        exit(4);
    }
    return rc ? rc : hy_setup_end(job);
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

/* Ends the program if it hears later than after four times the silence that one peer is allowed:
 * five or six have gone, and it has waited for them in turn. */
static int hear_soon(hy_job *job, uint64_t number)
{
    uint64_t seconds, start = hy_now_ns();
    if (hy_setting_value(HY_SET(NET_SILENCE), &seconds)) exit(6);
    int rc = meet_once(job, number);
    double took = (double)(hy_now_ns() - start) / 1e9;
    fprintf(stderr, "rank %d heard after %.1f s\n", job->rank, took);
    if (took > 4 * (double)seconds) printf("rank %d heard late\n", job->rank), exit(7);
    return rc;
}

/* How often the text stands in what all ranks have written. */
static int count_told(const char *file, const char *text)
{
    char line[512];
    int count = 0;
    FILE *all = fopen(file, "r");
    while (all && fgets(line, sizeof line, all)) count += strstr(line, text) != NULL;
    if (all) fclose(all);
    return count;
}

#define HEARD "has heard that rank"
#define MET " has met"

/* All but one. */
static bool have_all_told(const hy_job *job, const char *file, const char *text)
{
    for (int tries = 0; tries < 6000; tries++) {
        if (count_told(file, text) == job->size - 1) return true;
        usleep(20000);
    }
    return false;
}

static int live_on(const hy_job *job, const char *file)
{
    hayate_finalize();
    return have_all_told(job, file, HEARD) ? 0 : 5;
}

/* Nobody has talked to it but the first ranks. */
static int hear_of_leaving(hy_job *job, int leaver, const char *file)
{
    int rc = HAYATE_OK;
    while (!rc) {
        hy_progress(job);
        usleep(500);
        rc = hy_job_check(job, leaver);
    }
    printf("rank %d " HEARD " %d: %s\n", job->rank, hayate_error_peer(), hayate_error());
    fflush(stdout);
    if (!have_all_told(job, file, HEARD)) exit(5);
    rc = HAYATE_OK;
    for (int turn = 0; turn < 2000 && !rc; turn++) { /* meanwhile it ends */
        hy_progress(job);
        usleep(1000);
        rc = hy_job_check_all(job);
    }
    return rc;
}

int main(int argc, char **argv)
{
    int times = argc > 2 ? atoi(argv[2]) : 0, victim = argc > 3 ? atoi(argv[3]) : -1;
    signal(SIGPIPE, SIG_IGN); /* of a launcher that has ended */
    signal(SIGUSR1, SIG_IGN); /* mpiexec -disable-auto-cleanup tells deaths by it */
    alarm(420);
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
    bool leaves = strcmp(argv[1], "leave") == 0, waits = strcmp(argv[1], "news") == 0;
    if (!rc && job->rank == victim && leaves) return live_on(job, file);
    bool falls = strcmp(argv[1], "fall") == 0;
    if (!rc && (falls ? job->rank >= victim : job->rank == victim)) raise(SIGKILL);
    if (!rc && leaves) rc = hear_of_leaving(job, victim, file);
    else if (!rc && falls) rc = hear_soon(job, (uint64_t)times);
    else if (!rc && victim >= 0) rc = waits ? wait_for_news(job) : meet_once(job, (uint64_t)times);
    if (rc)
        printf("rank %d: code %d, peer %d: %s\n", job->rank, rc, hayate_error_peer(),
               hayate_error());
    else printf("rank %d of %d" MET "\n", job->rank, job->size);
    fflush(stdout);
    if (leaves)
        have_all_told(job, file, MET); /* who watches one that has ended takes it for lost */
    hayate_finalize();
    return 0;
}
