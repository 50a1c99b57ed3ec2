/* SPDX-License-Identifier: Apache-2.0 */
/* Takes looks, compares them, and finds the ranks that wait for each other. */
#include "watchdog/look.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/status.h"

/* ---- taking a look ---- */

static bool add_wait(hy_look *look, const hy_look_wait *wait)
{
    if (look->wait_count == look->wait_room) {
        uint32_t room = look->wait_room ? 2 * look->wait_room : 64;
        hy_look_wait *more = realloc(look->waits, room * sizeof *more);
        if (!more) return false;
        look->waits = more;
        look->wait_room = room;
    }
    look->waits[look->wait_count++] = *wait;
    return true;
}

static bool add_rank(hy_look *look, const hy_view *view, hy_look_rank *rank)
{
    const hy_waits *waits = hy_view_waits(view, rank->rank);
    rank->first = look->wait_count;
    rank->stripes = hy_view_stripes(view, rank->rank);
    for (int i = 0; waits && rank->state == HY_RANK_JOINED && i < HY_WAITS; i++) {
        hy_look_wait wait = {.rank = rank->rank, .place = i, .still = true};
        if (hy_waits_read(waits, i, look->size, &wait.seen) && !add_wait(look, &wait)) return false;
    }
    rank->count = look->wait_count - rank->first;
    return true;
}

static bool add_all(hy_look *look, const hy_view *view)
{
    uint32_t parts = view->header.parts;
    look->ranks = calloc(parts, sizeof *look->ranks);
    for (int i = 0; look->ranks && i < look->size && look->rank_count < parts; i++) {
        if (!hy_control_is_here(view->control, i)) continue;
        hy_look_rank *rank = &look->ranks[look->rank_count++];
        *rank = (hy_look_rank){.rank = i, .state = hy_control_state(view->control, i), .next = -1};
        if (!add_rank(look, view, rank)) return false;
    }
    return look->ranks;
}

hy_look *hy_look_take(const hy_view *view)
{
    hy_look *look = calloc(1, sizeof *look);
    bool taken = false;
    if (look) {
        *look = (hy_look){.size = (int)view->header.size, .now_ns = hy_now_ns()};
        taken = add_all(look, view);
    }
    if (taken) return look;
    hy_look_free(look);
    hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to look at the waits of a job");
    return NULL;
}

void hy_look_free(hy_look *look)
{
    if (!look) return;
    free(look->ranks);
    free(look->waits);
    free(look);
}

static uint32_t index_of(const hy_look *look, int rank)
{
    uint32_t low = 0, high = look->rank_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (look->ranks[middle].rank < rank) low = middle + 1;
        else high = middle;
    }
    return low < look->rank_count && look->ranks[low].rank == rank ? low : UINT32_MAX;
}

const hy_look_rank *hy_look_rank_of(const hy_look *look, int rank)
{
    uint32_t index = index_of(look, rank);
    return index == UINT32_MAX ? NULL : &look->ranks[index];
}

/* ---- two looks ---- */

static const hy_look_wait *same_wait(const hy_look *before, const hy_look_wait *wait)
{
    const hy_look_rank *rank = hy_look_rank_of(before, wait->rank);
    for (uint32_t i = 0; rank && i < rank->count; i++) {
        const hy_look_wait *other = &before->waits[rank->first + i];
        if (other->place == wait->place && other->seen.sequence == wait->seen.sequence)
            return other;
    }
    return NULL;
}

bool hy_look_compare(hy_look *look, const hy_look *before)
{
    bool settled = true;
    for (uint32_t i = 0; i < look->wait_count; i++) {
        hy_look_wait *wait = &look->waits[i];
        const hy_look_wait *same = same_wait(before, wait);
        bool looked = same && wait->seen.looks - same->seen.looks >= 2;
        wait->still = looked && same->still;
        if (same && same->still && !looked) settled = false;
    }
    look->rounds = before->rounds + settled;
    return settled;
}

/* ---- who is stuck ---- */

/* Ranks that may be in a cycle: the candidates of one of the two kinds. */
typedef struct cycles {
    hy_look *look;
    bool *in;
    bool certain;
} cycles;

bool hy_look_is_in_fence(const hy_look *look, const hy_look_rank *rank, uint64_t number)
{
    for (uint32_t i = 0; i < rank->count; i++) {
        const hy_awaited *awaited = &look->waits[rank->first + i].seen.awaited;
        if (awaited->kind == HY_AWAITED_FENCE && awaited->number == number) return true;
    }
    return false;
}

/* The index of a candidate for which this wait is; -1: there is none. A fence needs all ranks, so
 * any that has not come will do. */
static int target_of(const cycles *c, const hy_look_wait *wait)
{
    const hy_look *look = c->look;
    const hy_awaited *awaited = &wait->seen.awaited;
    if (awaited->kind != HY_AWAITED_FENCE) {
        uint32_t index = awaited->peer < 0 ? UINT32_MAX : index_of(look, awaited->peer);
        return index != UINT32_MAX && c->in[index] ? (int)index : -1;
    }
    for (uint32_t i = 0; i < look->rank_count; i++)
        if (c->in[i] && !hy_look_is_in_fence(look, &look->ranks[i], awaited->number)) return (int)i;
    return -1;
}

/* A thread that waits for the set-up of another thread of its rank is as stuck as that one. */
static bool depends_on_others(const hy_look_wait *wait)
{
    return wait->seen.awaited.kind != HY_AWAITED_TURN;
}

/* The next rank of the cycle; -1: this rank is no candidate (any more). */
static int next_of(const cycles *c, const hy_look_rank *rank)
{
    int next = -1;
    for (uint32_t i = 0; i < rank->count; i++) {
        const hy_look_wait *wait = &c->look->waits[rank->first + i];
        int target = wait->still && depends_on_others(wait) ? target_of(c, wait) : -1;
        if (target >= 0 && next < 0) next = target;
        if (c->certain && (!wait->still || (target < 0 && depends_on_others(wait)))) return -1;
    }
    return next;
}

/* Whether all threads that are known to use the job wait. The last stripe is that of any number
 * of threads, and a full table of waits may lack some. */
static bool all_wait(const hy_look *look, const hy_look_rank *rank)
{
    uint32_t others = rank->stripes;
    for (uint32_t i = 0; i < rank->count; i++) {
        const hy_awaited *awaited = &look->waits[rank->first + i].seen.awaited;
        if (awaited->is_virtual) return false;
        if (awaited->stripe < HY_STRIPES - 1) others &= ~(1u << awaited->stripe);
    }
    return !others && rank->count < HY_WAITS;
}

/* The greatest set of ranks each of which waits for one in the set. */
static void find_stuck(cycles *c)
{
    hy_look *look = c->look;
    for (uint32_t i = 0; i < look->rank_count; i++)
        c->in[i] = look->ranks[i].count && (!c->certain || all_wait(look, &look->ranks[i]));
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < look->rank_count; i++) {
            if (!c->in[i] || next_of(c, &look->ranks[i]) >= 0) continue;
            c->in[i] = false;
            changed = true;
        }
    }
    for (uint32_t i = 0; i < look->rank_count; i++) {
        if (!c->in[i] || look->ranks[i].stuck) continue;
        look->ranks[i].next = next_of(c, &look->ranks[i]);
        look->ranks[i].stuck = c->certain;
    }
}

/* ---- cycles ---- */

/* Every walk along `next` ends in a cycle, after at most as many ranks as there are. */
static void mark_cycle(hy_look *look, uint32_t start)
{
    uint32_t at = start;
    for (uint32_t i = 0; i < look->rank_count; i++) at = (uint32_t)look->ranks[at].next;
    for (; !look->ranks[at].in_cycle; at = (uint32_t)look->ranks[at].next)
        look->ranks[at].in_cycle = true;
}

bool hy_look_find_cycles(hy_look *look)
{
    bool any = false;
    cycles c = {.look = look, .in = calloc(look->rank_count + 1, sizeof *c.in)};
    if (!c.in) return false;
    for (uint32_t i = 0; i < look->rank_count; i++) {
        look->ranks[i].next = -1;
        look->ranks[i].stuck = look->ranks[i].in_cycle = false;
    }
    for (int kind = 1; kind >= 0; kind--) {
        c.certain = kind;
        find_stuck(&c);
    }
    free(c.in);
    for (uint32_t i = 0; i < look->rank_count; i++) {
        if (look->ranks[i].next < 0) continue;
        mark_cycle(look, i);
        any = true;
    }
    return any;
}

/* The lowest rank of a cycle stands for it. */
static bool is_lowest(const hy_look *look, uint32_t start)
{
    if (!look->ranks[start].in_cycle) return false;
    for (int at = look->ranks[start].next; (uint32_t)at != start; at = look->ranks[at].next)
        if ((uint32_t)at < start) return false;
    return true;
}

int hy_look_cycle(const hy_look *look, int index)
{
    for (uint32_t i = 0; i < look->rank_count; i++)
        if (is_lowest(look, i) && index-- == 0) return (int)i;
    return -1;
}

/* ---- several looks ---- */

/* The next look, after a round, or as far as it gets in the time; frees the earlier one. */
static hy_look *next_look(const hy_view *view, hy_look *before)
{
    const struct timespec pause = {.tv_nsec = (long)HY_LOOK_AGAIN_NS};
    hy_look *now;
    for (;;) {
        nanosleep(&pause, NULL);
        now = hy_look_take(view);
        if (!now || hy_look_compare(now, before)) break;
        if (now->now_ns - before->now_ns > HY_LOOK_MOST_NS) break;
        hy_look_free(now);
    }
    hy_look_free(before);
    return now;
}

hy_look *hy_look_settled(const hy_view *view)
{
    hy_look *look = hy_look_take(view);
    for (int i = 0; look && hy_look_find_cycles(look) && i < HY_LOOK_ROUNDS; i++)
        look = next_look(view, look);
    return look;
}
