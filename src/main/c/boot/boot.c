/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the boot method; fences and exchanges of the ranks of a node by counters in the
 * control area; the states of ranks in words. */
#include "boot/boot.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/settings.h"
#include "base/status.h"

/* In the order in which launchers may be nested, the innermost first: `hayate run` may be the
 * program that mpirun starts, and its descriptor is then present as well. `single` is always
 * present. */
static const hy_boot_ops *const methods[] = {&hy_boot_local, &hy_boot_pmix, &hy_boot_pmi1,
                                             &hy_boot_single};

static const hy_boot_ops *innermost(size_t from)
{
    while (!methods[from]->present()) from++;
    return methods[from];
}

const hy_boot_ops *hy_boot_method(void)
{
    return innermost(0);
}

int hy_boot_open_with(hy_boot *boot, const hy_boot *start)
{
    *boot = *start;
    boot->rank = boot->socket = boot->segment_fd = -1;
    int rc = boot->ops->open(boot);
    if (!rc && !hy_control_is_here(boot->control, boot->rank))
        rc = hy_fail(HAYATE_ERR_CORRUPT, "rank %d has no part of this node's segment", boot->rank);
    if (rc) {
        hy_boot_release(boot);
        boot->ops = NULL;
    }
    return rc;
}

/* Java joins by a store before it comes here. */
static int refuse_store(const hy_boot_ops *method)
{
    if (!hy_setting_text(HY_SET(STORE))) return HAYATE_OK;
    if (method == &hy_boot_single)
        return hy_fail(HAYATE_ERR_LAUNCH,
                       "HAYATE_STORE is set, but only Java programs find each other by a store; "
                       "start C programs by hayate run or an MPI launcher, or unset HAYATE_STORE "
                       "to run alone");
    return hy_fail(HAYATE_ERR_LAUNCH,
                   "HAYATE_STORE is set, but %s has started this process: remove one of both",
                   method == &hy_boot_local ? "hayate run" : "an MPI launcher");
}

int hy_boot_open(hy_boot *boot)
{
    const hy_boot_ops *method = hy_boot_method();
    *boot = (hy_boot){.rank = -1, .socket = -1, .segment_fd = -1};
    int rc = refuse_store(method);
    return rc ? rc : hy_boot_open_with(boot, &(hy_boot){.ops = method});
}

/* `hayate stat` of a delegatee is to find the segment of its ranks, not this one. */
int hy_boot_open_apart(hy_boot *boot)
{
    int rc = hy_boot_open_with(boot, &(hy_boot){.ops = innermost(1), .apart = true});
    if (rc) return rc;
    close(boot->segment_fd);
    boot->segment_fd = -1;
    return HAYATE_OK;
}

void hy_boot_abort(hy_boot *boot, int code)
{
    if (boot->ops && boot->ops->abort) boot->ops->abort(boot, code);
}

void hy_boot_release(hy_boot *boot)
{
    if (boot->ops && boot->ops->release) boot->ops->release(boot);
    else if (boot->control && !boot->borrowed) munmap(boot->control, boot->segment_bytes);
    if (boot->segment_fd >= 0) close(boot->segment_fd);
    if (boot->socket >= 0) close(boot->socket);
    boot->control = NULL;
    boot->segment_fd = boot->socket = -1;
}

static int fail_dead(int rank, uint32_t why)
{
    if (why == HY_WHY_NEVER_STARTED)
        return hy_fail_peer(HAYATE_ERR_PEER_FAILED, rank,
                            "the job was abandoned: rank %d was never started", rank);
    if (why == HY_WHY_UNREACHABLE)
        return hy_fail_peer(HAYATE_ERR_PEER_FAILED, rank,
                            "rank %d, on another node, has ended, or its connection is lost", rank);
    if (why > 256)
        return hy_fail_peer(HAYATE_ERR_PEER_FAILED, rank, "rank %d was killed by signal %u (%s)",
                            rank, why - 256, strsignal((int)(why - 256)));
    if (why)
        return hy_fail_peer(HAYATE_ERR_PEER_FAILED, rank, "rank %d exited with status %u", rank,
                            why);
    return hy_fail_peer(HAYATE_ERR_PEER_FAILED, rank, "rank %d ended without leaving the job",
                        rank);
}

int hy_boot_rank_status(const hy_boot *boot, int rank)
{
    if (rank < 0 || rank >= boot->size)
        return hy_fail(HAYATE_ERR_ARGUMENT, "rank %d: expected 0 to %d", rank, boot->size - 1);
    const hy_control_rank *record = hy_control_look(boot->control, rank);
    if (!record) return HAYATE_OK;
    switch (hy_load_acquire(&record->state)) {
    case HY_RANK_EXPECTED:
    case HY_RANK_JOINED: return HAYATE_OK;
    case HY_RANK_LEFT:
        return hy_fail_peer(HAYATE_ERR_PEER_FAILED, rank, "rank %d left the job", rank);
    case HY_RANK_DEAD: return fail_dead(rank, hy_load_relaxed(&record->why));
    case HY_RANK_STOPPED:
        return hy_fail_peer(HAYATE_ERR_PEER_FAILED, rank,
                            "rank %d has been stopped for longer than the launcher's "
                            "--stop-timeout",
                            rank);
    default: return hy_fail_peer(HAYATE_ERR_CORRUPT, rank, "the state of rank %d is damaged", rank);
    }
}

/* A rank of this node that has failed; -1: none. Ranks that leave because another rank died, on
 * any node, must not be named instead of it: if that one is said to have failed, too. Remaining
 * ranks of other nodes are not examined: they may have passed this fence already. */
static int find_failed(const hy_boot *boot)
{
    const hy_control *control = boot->control;
    int gone = -1, dead = hy_control_failed_first(control);
    for (int rank = 0; rank < boot->size && gone < 0; rank++)
        if (hy_control_state(control, rank) >= HY_RANK_LEFT && hy_control_is_here(control, rank))
            gone = rank;
    return gone < 0 || dead < 0 || hy_control_state(control, dead) < HY_RANK_LEFT ? gone : dead;
}

/* A rank that arrives, passes and then leaves does so *after* the epoch has grown: the caller
 * reads the epoch once more before it believes a failure found here. */
static int check_ranks(hy_boot *boot, uint32_t *seen)
{
    uint32_t failures = hy_load_acquire(&hy_control_live_of(boot->control)->failures);
    if (failures == *seen) return HAYATE_OK;
    int failed = find_failed(boot);
    *seen = failures;
    return failed < 0 ? HAYATE_OK : hy_boot_rank_status(boot, failed);
}

/* Whether the nodes have failed to meet. */
static int check_nodes(const hy_boot *boot)
{
    int failed = hy_control_told_rank(boot->control,
                                      &hy_control_live_of(boot->control)->fence_failed);
    if (failed < 0) return HAYATE_OK;
    int rc = hy_boot_rank_status(boot, failed);
    return rc ? rc
              : hy_fail_peer(HAYATE_ERR_PEER_FAILED, failed,
                             "the nodes of this job cannot meet any more because of rank %d",
                             failed);
}

static uint32_t epoch_of(uint64_t fence)
{
    return (uint32_t)(fence >> 32);
}

static bool is_over(const hy_control *control, uint32_t epoch)
{
    return epoch_of(hy_load_acquire(&hy_control_live_of(control)->fence)) != epoch;
}

static bool have_come(const hy_control *control, uint32_t epoch)
{
    (void)epoch;
    return hy_control_arrived(control) == control->parts;
}

/* Withdraws this rank's arrival. False: all ranks have come. */
static bool withdraw(hy_control *control, uint32_t epoch)
{
    uint64_t seen = hy_load_relaxed(&hy_control_live_of(control)->fence);
    do {
        uint32_t arrived = (uint32_t)seen;
        if (epoch_of(seen) != epoch || arrived == 0 || arrived >= control->parts) return false;
    } while (!atomic_compare_exchange_weak(&hy_control_live_of(control)->fence, &seen, seen - 1));
    return true;
}

/* A rank inside a fence. */
typedef struct stay {
    hy_boot *boot;
    uint32_t epoch;
    const _Atomic uint32_t *closed; /* see hy_boot_fence_unless() */
    bool records, cancelled;
} stay;

/* This rank has come, and no more can come than there are. */
static int check_fence(const stay *at)
{
    const hy_control *control = at->boot->control;
    uint64_t fence = hy_load_acquire(&hy_control_live_of(control)->fence);
    uint32_t arrived = (uint32_t)fence;
    if (epoch_of(fence) != at->epoch || (arrived > 0 && arrived <= control->parts))
        return HAYATE_OK;
    return hy_fail(
        HAYATE_ERR_CORRUPT,
        "another process has overwritten how many of the %u ranks of this node have come "
        "to a set-up: it says %u; start the job again",
        control->parts, arrived);
}

static int boot_look_around(stay *at, uint32_t *seen)
{
    hy_boot *boot = at->boot;
    int rc = boot->idle ? boot->idle(boot->idle_context) : HAYATE_OK;
    if (!rc) rc = check_ranks(boot, seen);
    if (!rc) rc = check_nodes(boot);
    if (!rc) rc = check_fence(at);
    if (!rc) rc = boot->ops->check(boot);
    if (rc || !at->closed || !hy_load_acquire(at->closed)) return rc;
    at->cancelled = withdraw(boot->control, at->epoch);
    if (!at->cancelled) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_CLOSED, "closed before all ranks had entered the fence");
}

/* A rank that fails has not come, so that the next fence waits for all ranks again; unless all
 * had come at that moment and this was not announced yet: then the others do not miss it. This
 * is a separate loop, because the loop of all other waits (job/await.h) is in a higher layer,
 * whose background work it polls through boot->idle. */
static int fence_wait(stay *at, bool (*done)(const hy_control *, uint32_t))
{
    hy_control *control = at->boot->control;
    const hy_wait_policy policy = {
        .spins = 64,
        .yields = 64,
        .lap_ns = hy_wait_lap_ns((int)control->parts, (int)control->cpus),
        .limit = at->boot->idle_limit};
    hy_wait wait = hy_wait_begin(&policy, &hy_control_entry_of(control, at->boot->rank)->bell);
    uint32_t seen = 0;
    int rc = HAYATE_OK;
    while (!done(control, at->epoch) && !rc)
        if (hy_wait_once(&wait)) {
            if (at->boot->tell && hy_wait_is_long(&wait))
                at->boot->tell(at->boot->idle_context, &wait, at->epoch);
            rc = boot_look_around(at, &seen);
        }
    if (at->boot->told) at->boot->told(at->boot->idle_context, &wait);
    hy_wait_end(&wait);
    if (!rc || at->cancelled || withdraw(control, at->epoch)) return rc;
    return done(control, at->epoch) ? HAYATE_OK : rc;
}

static void release_all(hy_control *control, uint32_t epoch)
{
    hy_store_release(&hy_control_live_of(control)->fence, (uint64_t)(epoch + 1) << 32);
    hy_control_ring_all(control);
}

/* The rank to which the last error is attributed. */
static int culprit(const hy_boot *boot)
{
    int peer = hayate_error_peer();
    return peer < 0 ? boot->rank : peer;
}

/* The leader waits for the ranks of its node, meets the other nodes, and releases the ranks. It
 * tells both whatever keeps it from coming. */
static int fence_of_leader(stay *at)
{
    hy_boot *boot = at->boot;
    int rc = fence_wait(at, have_come);
    if (at->cancelled) return rc;
    rc = boot->between(boot->between_context, rc ? culprit(boot) : -1, at->records);
    if (!rc) {
        release_all(boot->control, at->epoch);
        return HAYATE_OK;
    }
    hy_store_release(&hy_control_live_of(boot->control)->fence_failed, (uint32_t)culprit(boot) + 1);
    hy_control_ring_all(boot->control);
    return rc;
}

/* The high half cannot change before this rank has come, and the low half cannot overflow into
 * it. */
static uint32_t arrive(stay *at)
{
    uint64_t before = atomic_fetch_add_explicit(&hy_control_live_of(at->boot->control)->fence, 1,
                                                memory_order_acq_rel);
    at->epoch = epoch_of(before);
    return (uint32_t)before + 1;
}

static int fence_among_nodes(stay *at)
{
    hy_control *control = at->boot->control;
    if (!at->boot->between)
        return hy_fail(HAYATE_ERR_STATE, "no network to the %d other nodes is open",
                       (int)control->nodes - 1);
    arrive(at);
    if (hy_boot_is_leader(at->boot)) return fence_of_leader(at);
    hy_control_ring(control, control->leader);
    return fence_wait(at, is_over);
}

/* A counter barrier. The last rank resets the counter before it lets any rank reach the next
 * fence. */
static int fence(hy_boot *boot, bool records, const _Atomic uint32_t *closed)
{
    hy_control *control = boot->control;
    stay at = {.boot = boot, .closed = closed, .records = records};
    if (hy_unlikely(control->nodes > 1)) return fence_among_nodes(&at);
    if (arrive(&at) < control->parts) return fence_wait(&at, is_over);
    release_all(control, at.epoch);
    return HAYATE_OK;
}

bool hy_boot_is_leader(const hy_boot *boot)
{
    return boot->control->leader == boot->rank;
}

int hy_boot_fence(hy_boot *boot)
{
    return fence(boot, false, NULL);
}

int hy_boot_fence_unless(hy_boot *boot, const _Atomic uint32_t *closed)
{
    return fence(boot, false, closed);
}

static int boot_exchange(hy_boot *boot, const void *record, size_t bytes, bool between)
{
    if (bytes > HY_RECORD_BYTES)
        return hy_fail(HAYATE_ERR_ARGUMENT, "record of %zu bytes: expected at most %d", bytes,
                       HY_RECORD_BYTES);
    uint8_t *mine = hy_control_entry_of(boot->control, boot->rank)->record;
    memcpy(mine, record, bytes);
    memset(mine + bytes, 0, HY_RECORD_BYTES - bytes);
    return fence(boot, between, NULL);
}

int hy_boot_exchange(hy_boot *boot, const void *record, size_t bytes)
{
    return boot_exchange(boot, record, bytes, true);
}

int hy_boot_exchange_here(hy_boot *boot, const void *record, size_t bytes)
{
    return boot_exchange(boot, record, bytes, false);
}

const void *hy_boot_record(const hy_boot *boot, int rank)
{
    static const HY_ALIGNED uint8_t none[HY_RECORD_BYTES];
    const hy_control_entry *entry = hy_control_entry_of(boot->control, rank);
    if (entry) return entry->record;
    return boot->between_record ? boot->between_record(boot->between_context, rank) : none;
}

int hy_boot_publish(hy_boot *boot, const char *name, const char *text)
{
    if (boot->ops->publish) return boot->ops->publish(boot, name, text);
    return hy_fail(HAYATE_ERR_UNSUPPORTED, "%s cannot publish to ranks of other nodes",
                   boot->ops->name);
}

int hy_boot_lookup(hy_boot *boot, int rank, const char *name, char text[HY_BOOT_TEXT])
{
    if (boot->ops->lookup) return boot->ops->lookup(boot, rank, name, text, HY_BOOT_TEXT);
    return hy_fail(HAYATE_ERR_UNSUPPORTED, "%s cannot look up ranks of other nodes",
                   boot->ops->name);
}
