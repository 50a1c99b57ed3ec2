/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a boot in the segment of a team; ranks and the creator share the segment by a reference
 * count. */
#include "boot/boot_threads.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/status.h"
#include "boot/segment.h"

#define GIVEN_UP (-1) /* instead of a pid */

struct hy_team {
    int size;
    _Atomic int fd; /* by which others look at the job; -1: its ranks have left */
    uint64_t bytes;
    hy_control *control;
    uint8_t space[16];
    _Atomic uint32_t holders; /* the creator and the ranks */
    _Atomic int left;         /* ranks */
};

static int make_segment(hy_team *team)
{
    uint64_t heap;
    int fd = -1;
    int rc = hy_setting_value_or(HY_SET(HEAP), hy_heap_default(team->size), &heap);
    if (!rc) rc = hy_segment_create(team->size, heap, &fd, &team->bytes);
    if (!rc) rc = hy_segment_map(fd, (uint32_t)team->size, team->bytes, &team->control);
    atomic_store(&team->fd, fd);
    if (!rc && getrandom(team->space, sizeof team->space, 0) != sizeof team->space)
        rc = hy_fail_errno("getrandom");
    return rc;
}

int hy_team_create(int size, hy_team **result)
{
    if (size < 1 || size > HY_MAX_PARTS)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%d ranks: expected 1 to %d", size, HY_MAX_PARTS);
    if (hy_boot_method() != &hy_boot_single)
        return hy_fail(
            HAYATE_ERR_LAUNCH,
            "this process is a rank of %s: threads can be ranks only in a program that is "
            "started alone",
            hy_boot_method() == &hy_boot_local ? "hayate run" : "a launcher");
    hy_team *team = malloc(sizeof *team);
    if (!team) return hy_fail(HAYATE_ERR_NO_MEMORY, "out of memory for a job of %d threads", size);
    *team = (hy_team){.size = size, .fd = -1, .holders = 1};
    int rc = make_segment(team);
    if (rc) hy_team_drop(team);
    else *result = team;
    return rc;
}

/* The mapping keeps the memory. */
static void close_descriptor(hy_team *team)
{
    int fd = atomic_exchange(&team->fd, -1);
    if (fd >= 0) close(fd);
}

/* acq_rel: the thread that drops last sees what the others did. */
void hy_team_drop(hy_team *team)
{
    if (atomic_fetch_sub_explicit(&team->holders, 1, memory_order_acq_rel) != 1) return;
    if (team->control) munmap(team->control, team->bytes);
    close_descriptor(team);
    free(team);
}

/* False: the rank is taken, or the team was given up. */
static bool take_rank(hy_control_rank *rank, int32_t pid)
{
    int32_t nobody = 0;
    return atomic_compare_exchange_strong(&rank->pid, &nobody, pid);
}

void hy_team_give_up(hy_team *team)
{
    for (int rank = 0; rank < team->size; rank++) {
        if (take_rank(&hy_control_live_of(team->control)->ranks[rank], GIVEN_UP))
            hy_control_publish(team->control, rank, HY_RANK_DEAD, HY_WHY_NEVER_STARTED);
    }
}

static bool threads_present(void)
{
    return false; /* never chosen by the environment */
}

static int threads_check(hy_boot *boot)
{
    (void)boot; /* the launcher is this process */
    return HAYATE_OK;
}

static void threads_close(hy_boot *boot)
{
    hy_control_publish(boot->control, boot->rank, HY_RANK_LEFT, 0);
    if (atomic_fetch_add(&boot->team->left, 1) + 1 == boot->team->size)
        close_descriptor(boot->team);
}

static void threads_release(hy_boot *boot)
{
    hy_team_drop(boot->team);
}

static const hy_boot_ops threads = {.name = "threads",
                                    .present = threads_present,
                                    .check = threads_check,
                                    .close = threads_close,
                                    .release = threads_release};

static int refuse_taken(hy_control_rank *taken, int rank)
{
    if (hy_load_relaxed(&taken->pid) == GIVEN_UP)
        return hy_fail(HAYATE_ERR_STATE,
                       "the job of rank %d was abandoned: not all of its ranks could be started",
                       rank);
    return hy_fail(HAYATE_ERR_STATE, "rank %d of this team is or was already open", rank);
}

int hy_boot_open_in(hy_boot *boot, hy_team *team, int rank)
{
    *boot = (hy_boot){.rank = -1, .socket = -1, .segment_fd = -1};
    if (rank < 0 || rank >= team->size)
        return hy_fail(HAYATE_ERR_ARGUMENT, "rank %d: expected 0 to %d", rank, team->size - 1);
    hy_control_rank *mine = &hy_control_live_of(team->control)->ranks[rank];
    if (!take_rank(mine, (int32_t)getpid())) return refuse_taken(mine, rank);
    atomic_fetch_add_explicit(&team->holders, 1, memory_order_relaxed);
    *boot = (hy_boot){.ops = &threads,
                      .rank = rank,
                      .size = team->size,
                      .socket = -1,
                      .segment_fd = -1,
                      .segment_bytes = team->bytes,
                      .control = team->control,
                      .team = team};
    memcpy(boot->space, team->space, sizeof boot->space);
    hy_store_release(&mine->state, HY_RANK_JOINED);
    return HAYATE_OK;
}
