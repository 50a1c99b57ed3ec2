/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the segment of a job among the descriptors of a process, maps it read-only, and reads
 * states and counters. */
#include "observe/stat.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "boot/segment.h"

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW)
#define NAME "/memfd:hayate"

/* ---- a segment ---- */

/* The file must be sealed: then a mapped page cannot vanish, whatever the job does. */
static int check_file(int fd, uint64_t *bytes)
{
    struct stat status;
    if (fstat(fd, &status) != 0) return hy_fail_errno("cannot get the size of the segment");
    if (status.st_uid != geteuid())
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "the job belongs to user %u: only this user can read it",
                       (unsigned)status.st_uid);
    int seals = S_ISREG(status.st_mode) ? fcntl(fd, F_GET_SEALS) : -1;
    if (seals < 0 || (seals & SEALS) != SEALS)
        return hy_fail(HAYATE_ERR_CORRUPT, "the segment is not sealed against changes of its size");
    *bytes = (uint64_t)status.st_size;
    return HAYATE_OK;
}

static int check_header(int fd, hy_view *job)
{
    hy_control *header = &job->header;
    if (pread(fd, header, sizeof *header, 0) != (ssize_t)sizeof *header)
        return hy_fail(HAYATE_ERR_CORRUPT, "the segment is too short for its control header");
    int rc = hy_control_verify(header, header->size, job->bytes);
    if (rc) return rc;
    if (header->part_bytes - header->heap_bytes < sizeof(hy_counters) + sizeof(hy_waits))
        return hy_fail(HAYATE_ERR_CORRUPT, "the segment has no room for counters and waits");
    return HAYATE_OK;
}

static int map_segment(int fd, hy_view *job)
{
    int rc = check_file(fd, &job->bytes);
    if (!rc) rc = check_header(fd, job);
    if (rc) return rc;
    void *memory = mmap(NULL, job->bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (memory == MAP_FAILED) return hy_fail_errno("cannot map the segment of the job");
    rc = hy_segment_keep(memory, &job->header);
    if (rc) munmap(memory, job->bytes);
    else job->control = memory;
    return rc;
}

int hy_stat_open_fd(int fd, hy_view **result)
{
    hy_view *job = aligned_alloc(HY_LINE, hy_round_up(sizeof *job, HY_LINE));
    if (!job) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to read a job");
    memset(job, 0, sizeof *job);
    int rc = map_segment(fd, job);
    if (rc) free(job);
    else *result = job;
    return rc;
}

/* ---- the segment of a process ---- */

static int check_process(pid_t pid)
{
    char path[32];
    struct stat status;
    if (pid < 1) return hy_fail(HAYATE_ERR_ARGUMENT, "process id %d: expected 1 or more", (int)pid);
    snprintf(path, sizeof path, "/proc/%d", (int)pid);
    if (stat(path, &status) != 0)
        return hy_fail(HAYATE_ERR_ARGUMENT, "there is no process %d (in this pid namespace)",
                       (int)pid);
    if (status.st_uid != geteuid())
        return hy_fail(HAYATE_ERR_ARGUMENT, "process %d belongs to user %u, you are user %u",
                       (int)pid, (unsigned)status.st_uid, (unsigned)geteuid());
    return HAYATE_OK;
}

static bool is_segment(int directory, const char *name)
{
    char target[64];
    ssize_t length = readlinkat(directory, name, target, sizeof target - 1);
    if (length < 0) return false;
    target[length] = '\0';
    return strcmp(target, NAME " (deleted)") == 0 || strcmp(target, NAME) == 0;
}

/* HAYATE_IN_PROGRESS: not a segment. The process may replace the file between the check of its
 * name and the opening: such a file is never waited for, and its missing seals reveal it. */
static int try_descriptor(int directory, const char *name, hy_view **job)
{
    if (!is_segment(directory, name)) return HAYATE_IN_PROGRESS;
    int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 && errno == ENOENT) return HAYATE_IN_PROGRESS;
    if (fd < 0) return hy_fail_errno("cannot open the segment of the job");
    int rc = hy_stat_open_fd(fd, job);
    close(fd);
    return rc;
}

/* Whether a rank is still in the job, or has not joined yet. A process that has left a job may
 * keep its segment. */
static bool goes_on(const hy_view *job)
{
    for (uint32_t i = 0; i < job->header.size; i++) {
        uint32_t state = hy_control_state(job->control, (int)i);
        if (state != HY_RANK_LEFT && state != HY_RANK_DEAD &&
            hy_control_is_here(job->control, (int)i))
            return true;
    }
    return false;
}

/* The first job that goes on, else the last one that does not. */
static int search(DIR *descriptors, hy_view **result)
{
    const struct dirent *entry;
    int found = HAYATE_IN_PROGRESS;
    while ((entry = readdir(descriptors))) {
        hy_view *job;
        int rc = try_descriptor(dirfd(descriptors), entry->d_name, &job);
        if (rc == HAYATE_IN_PROGRESS || (rc && found == HAYATE_OK)) continue;
        if (rc == HAYATE_OK) {
            if (found == HAYATE_OK) hy_stat_close(*result);
            *result = job;
        }
        found = rc;
        if (rc == HAYATE_OK && goes_on(job)) break;
    }
    return found;
}

int hy_stat_open(pid_t pid, hy_view **job)
{
    char path[32];
    int rc = check_process(pid);
    if (rc) return rc;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *descriptors = opendir(path);
    if (!descriptors) return hy_fail_errno("cannot list the descriptors of process %d", (int)pid);
    rc = search(descriptors, job);
    closedir(descriptors);
    if (rc != HAYATE_IN_PROGRESS) return rc;
    return hy_fail(HAYATE_ERR_ARGUMENT,
                   "process %d is in no Hayate job: give the process id of a rank that has joined,"
                   " or of hayate run",
                   (int)pid);
}

/* ---- reading ---- */

bool hy_stat_delegatee(const hy_view *job, hy_delegation_view *view)
{
    const hy_delegation *area = hy_view_delegation(job);
    if (area) hy_delegation_see(area, job->header.parts, (uint32_t)job->header.nodes, view);
    return area;
}

static void count_commands(const hy_view *job, uint32_t part, hy_stat_rank *result)
{
    const hy_delegation *area = hy_view_delegation(job);
    if (!area) return;
    const hy_delegation_rank *rank = hy_delegation_rank_of(area, job->header.parts,
                                                           (uint32_t)job->header.nodes, part);
    result->commands = hy_load_relaxed(&rank->taken.commands);
    result->command_bytes = hy_load_relaxed(&rank->taken.bytes);
}

/* The pages of a rank that has not joined are not touched, so that reading commits no memory. */
int hy_stat_read(const hy_view *job, int rank, hy_stat_rank *result)
{
    if (rank < 0 || (uint32_t)rank >= job->header.size)
        return hy_fail(HAYATE_ERR_ARGUMENT, "rank %d: expected 0 to %u", rank,
                       job->header.size - 1);
    const hy_control_rank *from = hy_control_look(job->control, rank);
    memset(result, 0, sizeof *result);
    if (from) {
        result->state = hy_load_acquire(&from->state);
        result->why = hy_load_relaxed(&from->why);
        result->pid = hy_load_relaxed(&from->pid);
    }
    uint32_t part = 0;
    const hy_counters *counters = hy_view_counters(job, rank, &part);
    if (!counters && result->state <= HY_RANK_JOINED) result->state = HY_STAT_ELSEWHERE;
    if (result->state == HY_RANK_EXPECTED || !counters) return HAYATE_OK;
    for (int i = 0; i < HY_COUNTERS; i++)
        result->counters[i] = hy_counter_sum(counters, (hy_counter)i);
    count_commands(job, part, result);
    return HAYATE_OK;
}

void hy_stat_close(hy_view *job)
{
    munmap((void *)(uintptr_t)job->control, job->bytes);
    free(job);
}

const char *hy_stat_state_name(uint32_t state)
{
    static const char *const names[] = {"expected", "joined",  "left",
                                        "dead",     "stopped", "elsewhere"};
    return state < sizeof names / sizeof *names ? names[state] : "damaged";
}
