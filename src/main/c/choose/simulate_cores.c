/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks that share something, in the order of time.
 *
 * Cores. Rank r runs on core r % cpus (of its node) until it has to wait. It polls for
 * HY_SIM_POLLING and then yields; model.turn later the next rank of the core runs, or polls as long
 * if it has nothing to do either, and so on in a circle. When a rank's signal has arrived, the rank
 * continues in one of its next turns: which one follows from the time at which the scan began, so
 * turns without effect are not events.
 *
 * Bandwidth. A move of n bytes that takes t alone requests a rate of n/t. While all moves of a
 * moment together request more than model.bandwidth, all of them slow down by that ratio. So one
 * virtual time serves for all: a move is complete when t of it has passed. Moves that complete at
 * nearly the same time complete at the same time: ranks that do the same would otherwise drift
 * apart by rounding errors, which grow because the one ahead moves alone for a moment.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "choose/simulate_engine.h"

#define SAME_TIME 1e-6 /* ns of virtual time */

/* ---- heap ----
 * Cores by time, the earliest first and the lower number among equals, so that the result of a
 * simulation is the same everywhere. A core is in it at most once. */

typedef struct heap {
    double *keys; /* [item] */
    int *items;   /* the heap */
    int *places;  /* [item]: its position, -1: not in the heap */
    int count, capacity;
} heap;

static void heap_release(heap *heap)
{
    free(heap->keys);
    free(heap->items);
    free(heap->places);
    memset(heap, 0, sizeof *heap);
}

/* Empties it, for items 0 to size - 1. False: no memory. */
static bool heap_reset(heap *heap, int size)
{
    if (size > heap->capacity) {
        heap_release(heap);
        heap->keys = malloc((size_t)size * sizeof *heap->keys);
        heap->items = malloc((size_t)size * sizeof *heap->items);
        heap->places = malloc((size_t)size * sizeof *heap->places);
        if (!heap->keys || !heap->items || !heap->places) return false;
        heap->capacity = size;
    }
    heap->count = 0;
    for (int i = 0; i < size; i++) heap->places[i] = -1;
    return true;
}

static bool is_earlier(const heap *heap, int a, int b)
{
    return heap->keys[a] < heap->keys[b] || (heap->keys[a] == heap->keys[b] && a < b);
}

static void heap_place(heap *heap, int at, int item)
{
    heap->items[at] = item;
    heap->places[item] = at;
}

static void sift(heap *heap, int at, int item)
{
    while (at > 0 && is_earlier(heap, item, heap->items[(at - 1) / 2])) {
        heap_place(heap, at, heap->items[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (int child; (child = 2 * at + 1) < heap->count; at = child) {
        if (child + 1 < heap->count && is_earlier(heap, heap->items[child + 1], heap->items[child]))
            child++;
        if (!is_earlier(heap, heap->items[child], item)) break;
        heap_place(heap, at, heap->items[child]);
    }
    heap_place(heap, at, item);
}

static void heap_set(heap *heap, int item, double key)
{
    if (heap->places[item] < 0) heap_place(heap, heap->count++, item);
    heap->keys[item] = key;
    sift(heap, heap->places[item], item);
}

static void heap_remove(heap *heap, int item)
{
    int at = heap->places[item];
    if (at < 0) return;
    heap->places[item] = -1;
    if (at == --heap->count) return;
    sift(heap, at, heap->items[heap->count]);
}

static double heap_key(const heap *heap, int item)
{
    return heap->places[item] < 0 ? INFINITY : heap->keys[item];
}

/* The heap must not be empty. */
static inline int heap_first(const heap *heap)
{
    return heap->items[0];
}
static inline double heap_first_key(const heap *heap)
{
    return heap->keys[heap->items[0]];
}

/* ---- cores ---- */

typedef enum core_state {
    CORE_SCANNING, /* none of its ranks can run now */
    CORE_RUNNING,
    CORE_ARRIVED, /* at a move, which is about to begin */
    CORE_MOVING,
} core_state;

typedef struct core {
    double since; /* scanning: when rank order[turn] began to poll */
    double rate;  /* moving: bytes per ns that it requests */
    int *order;   /* its ranks that are not finished */
    int count, turn;
    int current; /* the rank that runs, or runs next */
    core_state state;
} core;

typedef struct hy_sim_cores {
    int cpus;
    double now, elapsed; /* time, virtual time of the moves */
    double asked;        /* bytes per ns of all moves */
    double speed, slow;  /* virtual time per time, and the inverse */
    heap events;         /* cores by the time at which they continue */
    heap moves;          /* cores by the virtual time at which their move is complete */
    core *list;
    int *order;
    int core_capacity, rank_capacity;
} hy_sim_cores;

static int simulate_cores_no_memory(const hy_sim *sim)
{
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to simulate %d cores; use fewer ranks",
                   sim->model->cpus);
}

static bool simulate_cores_reserve(hy_sim_cores *cores, int cpus, int ranks)
{
    if (cpus > cores->core_capacity) {
        free(cores->list);
        cores->list = malloc((size_t)cpus * sizeof *cores->list);
        cores->core_capacity = cores->list ? cpus : 0;
    }
    if (ranks > cores->rank_capacity) {
        free(cores->order);
        cores->order = malloc((size_t)ranks * sizeof *cores->order);
        cores->rank_capacity = cores->order ? ranks : 0;
    }
    return cores->list && cores->order && heap_reset(&cores->events, cpus) &&
           heap_reset(&cores->moves, cpus);
}

/* Each core has its ranks in ascending order; a core of a node with few ranks may have none. */
static void place_ranks(hy_sim *sim)
{
    hy_sim_cores *cores = sim->cores;
    int ranks = sim->shape.size, next = 0;
    for (int c = 0; c < cores->cpus; c++) cores->list[c] = (core){.state = CORE_SCANNING};
    for (int rank = 0; rank < ranks; rank++) cores->list[hy_sim_core_of(sim, rank)].count++;
    for (int c = 0; c < cores->cpus; c++) {
        cores->list[c].order = cores->order + next;
        next += cores->list[c].count;
        cores->list[c].count = 0;
    }
    for (int rank = 0; rank < ranks; rank++) {
        int c = hy_sim_core_of(sim, rank);
        core *core = &cores->list[c];
        sim->ranks[rank].core = c;
        sim->ranks[rank].turn = core->count;
        core->order[core->count++] = rank;
        core->current = core->order[0];
    }
}

int hy_sim_cores_open(hy_sim *sim)
{
    int ranks = sim->shape.size;
    int cpus = sim->model->cpus < ranks && !sim->shape.nodes ? sim->model->cpus : ranks;
    if (!sim->cores) sim->cores = calloc(1, sizeof *sim->cores);
    if (!sim->cores || !simulate_cores_reserve(sim->cores, cpus, ranks))
        return simulate_cores_no_memory(sim);
    hy_sim_cores *cores = sim->cores;
    cores->cpus = cpus;
    cores->now = cores->elapsed = cores->asked = 0;
    cores->speed = cores->slow = 1;
    place_ranks(sim);
    for (int c = 0; c < cpus; c++)
        if (cores->list[c].count) heap_set(&cores->events, c, 0);
    return HAYATE_OK;
}

void hy_sim_cores_release(hy_sim *sim)
{
    if (!sim->cores) return;
    heap_release(&sim->cores->events);
    heap_release(&sim->cores->moves);
    free(sim->cores->list);
    free(sim->cores->order);
    free(sim->cores);
    sim->cores = NULL;
}

bool hy_sim_core_shared(const hy_sim *sim, int rank)
{
    return sim->ordered && sim->cores->list[sim->ranks[rank].core].count > 1;
}

bool hy_sim_fluid(const hy_sim *sim)
{
    return sim->ordered && sim->fluid;
}

/* ---- turns ---- */

/* When a rank that can continue from `ready` on gets its turn. */
static double service(const hy_sim *sim, const core *core, const hy_sim_rank *rank)
{
    if (core->count == 1) return hy_sim_later(core->since, rank->ready);
    double turn = HY_SIM_POLLING + sim->model->turn, lap = turn * core->count;
    double begin = core->since + (rank->turn - core->turn + core->count) % core->count * turn;
    if (rank->ready > begin + HY_SIM_POLLING)
        begin += ceil((rank->ready - HY_SIM_POLLING - begin) / lap) * lap;
    return hy_sim_later(begin, rank->ready);
}

void hy_sim_cores_wake(hy_sim *sim, int number)
{
    hy_sim_cores *cores = sim->cores;
    int c = sim->ranks[number].core;
    core *core = &cores->list[c];
    if (core->state != CORE_SCANNING) return;
    double when = service(sim, core, &sim->ranks[number]);
    if (when >= heap_key(&cores->events, c)) return;
    core->current = number;
    heap_set(&cores->events, c, when);
}

/* None of the core's ranks can run at `since`; it is the turn of order[turn]. */
static void scan(hy_sim *sim, int c, double since, int turn)
{
    hy_sim_cores *cores = sim->cores;
    core *core = &cores->list[c];
    core->state = CORE_SCANNING;
    core->since = since;
    core->turn = turn;
    heap_remove(&cores->events, c);
    for (int i = 0; i < core->count; i++)
        if (!isinf(sim->ranks[core->order[i]].ready)) hy_sim_cores_wake(sim, core->order[i]);
}

/* The rank has completed all runs; the next one of its core follows. */
static void simulate_cores_leave(hy_sim *sim, int c, double now)
{
    core *core = &sim->cores->list[c];
    int turn = sim->ranks[core->current].turn;
    core->count--;
    memmove(core->order + turn, core->order + turn + 1,
            (size_t)(core->count - turn) * sizeof *core->order);
    for (int i = turn; i < core->count; i++) sim->ranks[core->order[i]].turn = i;
    if (core->count) scan(sim, c, now + sim->model->turn, turn % core->count);
    else heap_remove(&sim->cores->events, c);
}

static int simulate_cores_run(hy_sim *sim, int c)
{
    hy_sim_cores *cores = sim->cores;
    core *core = &cores->list[c];
    hy_sim_rank *rank = &sim->ranks[core->current];
    heap_remove(&cores->events, c);
    core->state = CORE_RUNNING;
    int rc = hy_sim_advance(sim, core->current);
    if (rc || sim->hopeless) return rc;
    if (rank->state == HY_SIM_MOVING || rank->state == HY_SIM_SENDING) {
        core->state = CORE_ARRIVED;
        heap_set(&cores->events, c, rank->clock);
    } else if (rank->state == HY_SIM_OVER) {
        simulate_cores_leave(sim, c, rank->clock);
    } else {
        scan(sim, c, rank->clock, rank->turn);
    }
    return HAYATE_OK;
}

/* ---- moves ---- */

static void simulate_cores_ask(hy_sim *sim, double rate)
{
    hy_sim_cores *cores = sim->cores;
    cores->asked += rate;
    double bandwidth = hy_sim_bandwidth(sim);
    bool much = cores->asked > bandwidth;
    cores->speed = much ? bandwidth / cores->asked : 1;
    cores->slow = much ? cores->asked / bandwidth : 1;
}

static void pass_time(hy_sim *sim, double until)
{
    hy_sim_cores *cores = sim->cores;
    if (until <= cores->now) return;
    if (cores->moves.count) cores->elapsed += (until - cores->now) * cores->speed;
    else cores->elapsed = cores->asked = 0;
    cores->now = until;
}

static void begin_move(hy_sim *sim, int c)
{
    hy_sim_cores *cores = sim->cores;
    core *core = &cores->list[c];
    const hy_sim_rank *rank = &sim->ranks[core->current];
    const hy_step *step = &rank->steps[rank->at];
    double cost = hy_sim_move_cost(sim, step, core->current);
    core->state = CORE_MOVING;
    core->rate = cost > 0 ? (double)step->len / cost : 0;
    simulate_cores_ask(sim, core->rate);
    heap_remove(&cores->events, c);
    heap_set(&cores->moves, c, cores->elapsed + cost);
}

static int end_move(hy_sim *sim, int c)
{
    hy_sim_cores *cores = sim->cores;
    core *core = &cores->list[c];
    cores->elapsed = hy_sim_later(cores->elapsed, heap_key(&cores->moves, c));
    heap_remove(&cores->moves, c);
    simulate_cores_ask(sim, -core->rate);
    hy_sim_end_step(sim, core->current, cores->now);
    return simulate_cores_run(sim, c);
}

static double next_end(const hy_sim *sim)
{
    const hy_sim_cores *cores = sim->cores;
    if (cores->moves.count == 0) return INFINITY;
    double left = heap_first_key(&cores->moves) - cores->elapsed;
    return left < SAME_TIME ? cores->now : cores->now + left * cores->slow;
}

static int go_on(hy_sim *sim, int c, double when)
{
    core *core = &sim->cores->list[c];
    hy_sim_rank *rank = &sim->ranks[core->current];
    if (core->state == CORE_ARRIVED && rank->state == HY_SIM_MOVING) {
        begin_move(sim, c);
        return HAYATE_OK;
    }
    rank->admitted = rank->state == HY_SIM_SENDING;
    rank->clock = hy_sim_later(rank->clock, when);
    int rc = rank->state == HY_SIM_PARKED ? hy_sim_begin(sim, core->current) : HAYATE_OK;
    return rc ? rc : simulate_cores_run(sim, c);
}

int hy_sim_cores_run(hy_sim *sim)
{
    hy_sim_cores *cores = sim->cores;
    int rc = HAYATE_OK;
    while (!rc && !sim->hopeless) {
        double event = cores->events.count ? heap_first_key(&cores->events) : INFINITY;
        double end = next_end(sim);
        if (isinf(event) && isinf(end)) break;
        pass_time(sim, end < event ? end : event);
        if (end <= event) rc = end_move(sim, heap_first(&cores->moves));
        else rc = go_on(sim, heap_first(&cores->events), event);
    }
    return rc;
}
