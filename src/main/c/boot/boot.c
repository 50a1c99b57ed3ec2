/* SPDX-License-Identifier: Apache-2.0 */
#include "boot/boot.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/status.h"

/* In the order in which launchers may stand within each other, the innermost first: `hayate run` as
 * the program of mpirun has started what finds its descriptor. `single` is always present. */
static const hy_boot_ops *const methods[] = {&hy_boot_local, &hy_boot_pmix, &hy_boot_pmi1,
                                             &hy_boot_single};

const hy_boot_ops *hy_boot_method(void)
{
    size_t i = 0;
    while (!methods[i]->present()) i++;
    return methods[i];
}

int hy_boot_open(hy_boot *boot)
{
    *boot = (hy_boot){.rank = -1, .socket = -1, .segment_fd = -1};
    boot->ops = hy_boot_method();
    int rc = boot->ops->open(boot);
    if (!rc && !hy_control_is_here(boot->control, boot->rank))
        rc = hy_fail(HAYATE_ERR_CORRUPT, "rank %d has no part of this node's segment", boot->rank);
    if (rc) {
        hy_boot_release(boot);
        boot->ops = NULL;
    }
    return rc;
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
                            "the team was given up: rank %d was never started", rank);
    if (why == HY_WHY_UNREACHABLE)
        return hy_fail_peer(HAYATE_ERR_PEER_FAILED, rank,
                            "rank %d, on another node, has ended or cannot be reached any more",
                            rank);
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
    hy_control_rank *peer = &boot->control->ranks[rank];
    switch (hy_load_acquire(&peer->state)) {
    case HY_RANK_EXPECTED:
    case HY_RANK_JOINED: return HAYATE_OK;
    case HY_RANK_LEFT:
        return hy_fail_peer(HAYATE_ERR_PEER_FAILED, rank, "rank %d left the job", rank);
    case HY_RANK_DEAD: return fail_dead(rank, hy_load_relaxed(&peer->why));
    case HY_RANK_STOPPED:
        return hy_fail_peer(HAYATE_ERR_PEER_FAILED, rank,
                            "rank %d has been stopped for longer than the launcher's "
                            "--stop-timeout",
                            rank);
    default: return hy_fail_peer(HAYATE_ERR_CORRUPT, rank, "the state of rank %d is damaged", rank);
    }
}

/* A rank of this node that is gone, -1: none is. Ranks that leave because another one died,
 * wherever it lived, are not to be named instead of it. The others of other nodes are not looked
 * at: theirs may be behind this fence already. */
static int find_failed(const hy_boot *boot)
{
    const hy_control *control = boot->control;
    int gone = -1, dead = -1;
    for (int rank = 0; rank < boot->size; rank++) {
        uint32_t state = hy_load_acquire(&control->ranks[rank].state);
        bool here = control->ranks[rank].node == control->node;
        if (state > HY_RANK_LEFT && dead < 0) dead = rank;
        if (state >= HY_RANK_LEFT && here && gone < 0) gone = rank;
    }
    return gone < 0 || dead < 0 ? gone : dead;
}

/* A rank that arrived, went on and then left has left *after* the epoch grew: the caller looks at
 * the epoch once more before it believes a failure found here. */
static int check_ranks(hy_boot *boot, uint32_t *seen)
{
    uint32_t failures = hy_load_acquire(&boot->control->failures);
    if (failures == *seen) return HAYATE_OK;
    int failed = find_failed(boot);
    *seen = failures;
    return failed < 0 ? HAYATE_OK : hy_boot_rank_status(boot, failed);
}

/* Have the nodes failed to meet? */
static int check_nodes(const hy_boot *boot)
{
    int failed = (int)hy_load_acquire(&boot->control->fence_failed) - 1;
    if (failed < 0) return HAYATE_OK;
    int rc = hy_boot_rank_status(boot, failed);
    return rc ? rc
              : hy_fail_peer(HAYATE_ERR_PEER_FAILED, failed,
                             "the nodes of this job cannot meet any more, because of rank %d",
                             failed);
}

static bool is_over(const hy_control *control, uint32_t epoch)
{
    return hy_load_acquire(&control->fence_epoch) != epoch;
}

static bool have_come(const hy_control *control, uint32_t epoch)
{
    (void)epoch;
    return hy_load_acquire(&control->fence_arrived) == control->parts;
}

static int fence_wait(hy_boot *boot, bool (*done)(const hy_control *, uint32_t), uint32_t epoch)
{
    const hy_wait_policy policy = {.spins = 64, .yields = 64, .limit = boot->idle_limit};
    hy_control *control = boot->control;
    hy_wait wait = hy_wait_begin(&policy, &hy_control_desk_of(control, boot->rank)->bell);
    uint32_t seen = 0;
    int rc = HAYATE_OK;
    while (!done(control, epoch) && !rc) {
        if (!hy_wait_once(&wait)) continue;
        if (boot->idle) boot->idle(boot->idle_context);
        rc = check_ranks(boot, &seen);
        if (!rc) rc = check_nodes(boot);
        if (!rc) rc = boot->ops->check(boot);
    }
    hy_wait_end(&wait);
    return rc && done(control, epoch) ? HAYATE_OK : rc;
}

static void release_all(hy_control *control, uint32_t epoch)
{
    hy_store_relaxed(&control->fence_arrived, 0);
    hy_store_release(&control->fence_epoch, epoch + 1);
    hy_control_ring_all(control);
}

/* Whose fault the last error is. */
static int culprit(const hy_boot *boot)
{
    int peer = hayate_error_peer();
    return peer < 0 ? boot->rank : peer;
}

/* The first rank of the node waits for the others, meets the other nodes and releases. Whatever
 * keeps it from coming is told to them, and to its own. */
static int fence_of_lead(hy_boot *boot, uint32_t epoch, bool cards)
{
    int rc = fence_wait(boot, have_come, epoch);
    rc = boot->between(boot->between_context, rc ? culprit(boot) : -1, cards);
    if (!rc) {
        release_all(boot->control, epoch);
        return HAYATE_OK;
    }
    hy_store_release(&boot->control->fence_failed, (uint32_t)culprit(boot) + 1);
    hy_control_ring_all(boot->control);
    return rc;
}

static int fence_among_nodes(hy_boot *boot, uint32_t epoch, bool cards)
{
    hy_control *control = boot->control;
    if (!boot->between)
        return hy_fail(HAYATE_ERR_STATE, "no network to the %d other nodes is open",
                       (int)control->nodes - 1);
    atomic_fetch_add_explicit(&control->fence_arrived, 1, memory_order_acq_rel);
    if (hy_boot_leads(boot)) return fence_of_lead(boot, epoch, cards);
    hy_control_ring(control, control->lead);
    return fence_wait(boot, is_over, epoch);
}

/* A counter barrier. The epoch cannot grow between the load and this rank's own arrival, and the
 * last one resets the counter before it lets anybody reach the next fence. */
static int fence(hy_boot *boot, bool cards)
{
    hy_control *control = boot->control;
    uint32_t epoch = hy_load_acquire(&control->fence_epoch);
    if (hy_unlikely(control->nodes > 1)) return fence_among_nodes(boot, epoch, cards);
    uint32_t before = atomic_fetch_add_explicit(&control->fence_arrived, 1, memory_order_acq_rel);
    if (before + 1 < control->parts) return fence_wait(boot, is_over, epoch);
    release_all(control, epoch);
    return HAYATE_OK;
}

bool hy_boot_leads(const hy_boot *boot)
{
    return boot->control->lead == boot->rank;
}

int hy_boot_fence(hy_boot *boot)
{
    return fence(boot, false);
}

static int exchange(hy_boot *boot, const void *card, size_t bytes, bool between)
{
    if (bytes > HY_CARD_BYTES)
        return hy_fail(HAYATE_ERR_ARGUMENT, "a card of %zu bytes: at most %d", bytes,
                       HY_CARD_BYTES);
    uint8_t *mine = hy_control_desk_of(boot->control, boot->rank)->card;
    memcpy(mine, card, bytes);
    memset(mine + bytes, 0, HY_CARD_BYTES - bytes);
    return fence(boot, between);
}

int hy_boot_exchange(hy_boot *boot, const void *card, size_t bytes)
{
    return exchange(boot, card, bytes, true);
}

int hy_boot_exchange_here(hy_boot *boot, const void *card, size_t bytes)
{
    return exchange(boot, card, bytes, false);
}

const void *hy_boot_card(const hy_boot *boot, int rank)
{
    static const HY_ALIGNED uint8_t none[HY_CARD_BYTES];
    const hy_control_desk *desk = hy_control_desk_of(boot->control, rank);
    if (desk) return desk->card;
    return boot->between_card ? boot->between_card(boot->between_context, rank) : none;
}

int hy_boot_publish(hy_boot *boot, const char *name, const char *text)
{
    if (boot->ops->publish) return boot->ops->publish(boot, name, text);
    return hy_fail(HAYATE_ERR_UNSUPPORTED, "%s tells nothing to ranks of other nodes",
                   boot->ops->name);
}

int hy_boot_lookup(hy_boot *boot, int rank, const char *name, char text[HY_BOOT_TEXT])
{
    if (boot->ops->lookup) return boot->ops->lookup(boot, rank, name, text, HY_BOOT_TEXT);
    return hy_fail(HAYATE_ERR_UNSUPPORTED, "%s knows nothing of ranks of other nodes",
                   boot->ops->name);
}
