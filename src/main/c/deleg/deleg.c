/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the delegatee, and its loop. */
#include "deleg/deleg.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/settings.h"
#include "deleg/deleg_state.h"
#include "nodes/network.h"
#include "nodes/node_map.h"

/* The longest sleep, and so the longest time between two beats. */
#define SLEEP_US 50000
#define WATCH_NS UINT64_C(50000000)

/* ---- opening ---- */

void hy_deleg_arrived(void *context, uint64_t offset)
{
    hy_deleg *deleg = context;
    hy_bell_ring(deleg->ranks[offset / deleg->part_bytes].bell);
}

static void open_rank(hy_deleg *deleg, uint32_t part)
{
    hy_control *control = deleg->control;
    uint32_t nodes = hy_layout_nodes(&deleg->layout);
    deleg_rank *rank = &deleg->ranks[part];
    rank->part = part;
    rank->memory = (uint8_t *)control + control->control_bytes + part * control->part_bytes;
    rank->bell = &hy_control_entry_at(control, part)->bell;
    rank->shared = hy_delegation_rank_of(deleg->area, deleg->parts, nodes, part);
    rank->ep = (hy_ep){.ops = &hy_path_shm,
                       .part = rank->memory,
                       .part_bytes = control->part_bytes,
                       .bell = rank->bell,
                       .rank = (int)part};
    for (int i = 0; i < HY_RINGS; i++)
        rank->rings[i] = (deleg_ring){
            .rank = rank,
            .shared = hy_delegation_ring(deleg->area, deleg->parts, nodes, part, i),
            .index = (int)part * HY_RINGS + i,
            .next = 1};
}

static int open_ranks(hy_deleg *deleg)
{
    const hy_control *control = deleg->control;
    deleg->area = hy_control_delegation(deleg->control);
    if (!deleg->area)
        return hy_fail(HAYATE_ERR_CORRUPT, "the segment of this node has no delegation area");
    int rc = hy_delegation_verify(deleg->area, control->delegation_bytes, control->parts,
                                  (uint32_t)control->nodes);
    if (!rc) rc = hy_layout_open(&deleg->layout, &control->layout, hy_control_list(control));
    if (rc) return rc;
    deleg->parts = control->parts;
    deleg->part_bytes = control->part_bytes;
    deleg->states = hy_delegation_states(deleg->area, deleg->parts);
    deleg->ranks = calloc(deleg->parts, sizeof *deleg->ranks);
    deleg->nodes = calloc((size_t)deleg->job.size, sizeof *deleg->nodes);
    deleg->again = calloc(hy_delegation_words(deleg->parts), sizeof *deleg->again);
    if (!deleg->ranks || !deleg->nodes || !deleg->again)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a delegatee of %u ranks", deleg->parts);
    for (uint32_t part = 0; part < deleg->parts; part++) open_rank(deleg, part);
    return HAYATE_OK;
}

/* Whether nothing but the delegatee's bell needs to wake it. While operations are under way the
 * network watches as well, so that what completes ends the sleep; its limit is for those that have
 * to be tried again. */
static bool is_watched(void *context)
{
    const hy_deleg *deleg = context;
    hy_net *net = deleg->job.net;
    bool watched = !net || (net->ops->watches && net->ops->watches(net));
    return watched && !deleg->active && !deleg->running;
}

/* Who polls still yields its core to a thread that wants it: it never has one of its own by right,
 * and whoever wants it may be a rank with the next command. It does so early, because each poll is
 * a look into the network, often a system call: 2000 of them are up to 2 ms, for which a rank that
 * was just woken would wait. */
static int choose_policy(hy_deleg *deleg)
{
    hy_wait_policy *policy = &deleg->policy;
    uint64_t choice;
    int rc = hy_setting_value(HY_SET(DELEGATE_WAIT), &choice);
    if (rc) return rc;
    hy_store_relaxed(&deleg->area->waiting, (uint32_t)choice);
    if (choice == HY_DELEGATE_INTERRUPT) *policy = (hy_wait_policy){.spins = 0};
    else *policy = (hy_wait_policy){.spins = 50, .yields = 2000};
    if (choice == HY_DELEGATE_POLL) policy->yields = HY_WAIT_NEVER_SLEEPS;
    policy->limit = (hy_wait_limit){.us = 500, .lifted = is_watched, .context = deleg};
    return HAYATE_OK;
}

int hy_deleg_make(hy_deleg **result, const hy_boot *boot, hy_control *control)
{
    hy_deleg *deleg = aligned_alloc(HY_LINE, hy_round_up(sizeof *deleg, HY_LINE));
    if (!deleg) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a delegatee");
    *deleg = (hy_deleg){
        .job = {.rank = boot->rank, .size = boot->size, .boot = *boot, .opener = getpid()},
        .control = control};
    hy_wait_setup();
    int rc = open_ranks(deleg);
    if (!rc) rc = choose_policy(deleg);
    if (rc) {
        hy_deleg_close(deleg);
        return rc;
    }
    /* The network's bell rings for what it completes; arrived() rings those of the ranks. */
    deleg->job.part = deleg->ranks[0].memory;
    deleg->job.part_bytes = deleg->parts * deleg->part_bytes;
    deleg->job.bell = &deleg->area->bell;
    *result = deleg;
    return HAYATE_OK;
}

static int open_network(hy_deleg *deleg)
{
    hy_net_attr attr = {.arrived = hy_deleg_arrived};
    if (deleg->job.size == 1) return HAYATE_OK;
    int rc = hy_node_map_open(&deleg->job);
    return rc ? rc : hy_network_open_with(&deleg->job, &attr);
}

void hy_deleg_start(hy_deleg *deleg)
{
    hy_delegation *area = deleg->area;
    hy_net *net = deleg->job.net;
    if (net) {
        hy_store_relaxed(&area->class, (uint32_t)net->class);
        hy_store_relaxed(&area->registered, deleg->job.part_bytes);
        net->ops->describe(net, area->network, sizeof area->network);
    }
    hy_store_relaxed(&area->pid, (int32_t)getpid());
    hy_store_relaxed(&area->beat, hy_now_ns());
    hy_store_release(&area->state, HY_DELEGATEE_SERVES);
}

int hy_deleg_open(hy_deleg **result, hy_boot *boot, hy_control *control)
{
    hy_deleg *deleg = NULL;
    int rc = hy_deleg_make(&deleg, boot, control);
    if (rc) return rc;
    rc = open_network(deleg);
    if (rc) {
        hy_deleg_close(deleg);
        return rc;
    }
    hy_deleg_start(deleg);
    *result = deleg;
    return HAYATE_OK;
}

void hy_deleg_close(hy_deleg *deleg)
{
    if (deleg->job.net) deleg->job.net->ops->close(deleg->job.net);
    for (deleg_op *op; (op = deleg->active);) {
        deleg->active = op->next;
        free(op->piece);
        free(op);
    }
    for (deleg_op *op; (op = deleg->free);) {
        deleg->free = op->next;
        free(op);
    }
    hy_deleg_drop_all(deleg);
    free(deleg->ranks);
    free(deleg->nodes);
    free(deleg->again);
    free(deleg);
}

/* ---- the loop ---- */

static int turn(hy_deleg *deleg)
{
    hy_net *net = deleg->job.net;
    int events = hy_deleg_take(deleg);
    if (deleg->active) events += hy_deleg_advance(deleg);
    if (deleg->running) events += hy_deleg_run(deleg);
    if (net) events += net->ops->progress(net);
    deleg->turns++;
    return events;
}

/* IN_PROGRESS: go on. OK: the launcher calls. Called in every turn that did something: many such
 * turns may follow each other, as while a collective reduces gigabytes. */
static int look_around(hy_deleg *deleg, int launcher)
{
    const hy_boot *boot = &deleg->job.boot;
    struct pollfd socket = {.fd = launcher, .events = POLLIN};
    uint64_t now = hy_tick_ns();
    hy_store_relaxed(&deleg->area->beat, now);
    hy_store_relaxed(&deleg->area->turns, deleg->turns);
    if (!hy_ratelimit_pass(&deleg->look, now)) return HAYATE_IN_PROGRESS;
    if (poll(&socket, 1, 0) > 0) return HAYATE_OK;
    if (now - deleg->watched > WATCH_NS) {
        deleg->watched = now;
        if (deleg->job.net) hy_deleg_watch(deleg);
        hy_deleg_probe(deleg);
        int rc = boot->ops ? boot->ops->check(&deleg->job.boot) : HAYATE_OK;
        if (rc) return rc;
    }
    return HAYATE_IN_PROGRESS;
}

/* A loop of its own: the delegatee waits for commands of all ranks as long as it lives, and counts
 * its sleeps; job/await.h is for one operation of a rank. */
int hy_deleg_serve(hy_deleg *deleg, int launcher)
{
    hy_wait wait = hy_wait_begin(&deleg->policy, &deleg->area->bell);
    wait.sleep_us = SLEEP_US;
    int rc = HAYATE_IN_PROGRESS;
    while (rc == HAYATE_IN_PROGRESS) {
        bool slow = true;
        if (turn(deleg)) {
            hy_wait_end(&wait);
            hy_wait_again(&wait);
        } else {
            bool armed = wait.armed;
            slow = hy_wait_once(&wait);
            if (armed) hy_store_relaxed(&deleg->area->sleeps, ++deleg->sleeps);
        }
        if (slow) rc = look_around(deleg, launcher);
    }
    hy_wait_end(&wait);
    return rc;
}
