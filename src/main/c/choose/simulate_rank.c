/* SPDX-License-Identifier: Apache-2.0 */
/* One rank: the effect of its steps on its clock and on the signals under way. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "choose/simulate_engine.h"

/* Bytes of a signal's slot in addition to its payload. */
#define SLOT_BYTES 128 /* of a wired line: see wired_layout.c */
#define LINE_HEAD 8

#define DENSE_RANKS 64
#define FIRST_SLOTS 4096
#define MAX_SLOTS (UINT64_C(1) << 28) /* 12 GiB: more than that is an error */
#define MAX_POOL UINT32_MAX

/* ---- signals of pairs ---- */

bool hy_sim_pairs_reset(hy_sim_pairs *pairs, int size)
{
    uint64_t ranks = (uint64_t)size;
    pairs->dense = size <= DENSE_RANKS;
    pairs->size = ranks;
    pairs->used = pairs->pooled = 0;
    pairs->slots = pairs->dense ? ranks * ranks : FIRST_SLOTS;
    if (pairs->slots <= pairs->allocated) {
        memset(pairs->table, 0, pairs->slots * sizeof *pairs->table);
        return true;
    }
    free(pairs->table);
    pairs->table = calloc(pairs->slots, sizeof *pairs->table);
    pairs->allocated = pairs->table ? pairs->slots : 0;
    return pairs->table != NULL;
}

void hy_sim_pairs_release(hy_sim_pairs *pairs)
{
    free(pairs->table);
    free(pairs->pool);
    memset(pairs, 0, sizeof *pairs);
}

static hy_sim_pair *simulate_rank_place_of(hy_sim_pair *table, uint64_t slots, uint64_t key)
{
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15), i = (hash >> 34) & (slots - 1);
    while (table[i].key && table[i].key != key) i = (i + 1) & (slots - 1);
    return &table[i];
}

static bool simulate_rank_grow(hy_sim_pairs *pairs)
{
    uint64_t slots = pairs->slots * 2;
    hy_sim_pair *table = slots <= MAX_SLOTS ? calloc(slots, sizeof *table) : NULL;
    if (!table) return false;
    for (uint64_t i = 0; i < pairs->slots; i++)
        if (pairs->table[i].key)
            *simulate_rank_place_of(table, slots, pairs->table[i].key) = pairs->table[i];
    free(pairs->table);
    pairs->table = table;
    pairs->slots = pairs->allocated = slots;
    return true;
}

/* The pair, which is new if necessary. It may move at the next call. NULL: no memory. */
static hy_sim_pair *pair_of(hy_sim_pairs *pairs, int from, int to)
{
    uint64_t index = (uint64_t)from * pairs->size + (uint64_t)to, key = index + 1;
    if (!pairs->dense && pairs->used * 4 >= pairs->slots * 3 && !simulate_rank_grow(pairs))
        return NULL;
    hy_sim_pair *pair = pairs->dense ? &pairs->table[index]
                                     : simulate_rank_place_of(pairs->table, pairs->slots, key);
    if (pair->key) return pair;
    pair->key = key;
    pair->capacity = HY_SIM_OWN_TIMES;
    pairs->used++;
    return pair;
}

static double *time_of(const hy_sim_pairs *pairs, hy_sim_pair *pair, uint32_t index)
{
    double *times = pair->capacity > HY_SIM_OWN_TIMES ? pairs->pool + pair->chunk : pair->own;
    return &times[index & (pair->capacity - 1)];
}

static bool grow_pool(hy_sim_pairs *pairs, uint64_t more)
{
    uint64_t capacity = pairs->pool_capacity ? pairs->pool_capacity : 1024;
    while (capacity < pairs->pooled + more) capacity *= 2;
    if (capacity == pairs->pool_capacity) return true;
    double *pool = capacity <= MAX_POOL ? realloc(pairs->pool, capacity * sizeof *pool) : NULL;
    if (!pool) return false;
    pairs->pool = pool;
    pairs->pool_capacity = capacity;
    return true;
}

/* Makes room for the time of signal `posted`, and keeps those from `kept` on. False: no memory. */
static bool simulate_rank_make_room(hy_sim_pairs *pairs, hy_sim_pair *pair, uint32_t kept)
{
    if (pair->posted - kept < pair->capacity) return true;
    uint32_t capacity = pair->capacity * 4;
    if (!grow_pool(pairs, capacity)) return false;
    double *times = pairs->pool + pairs->pooled;
    for (uint32_t i = kept; i != pair->posted; i++)
        times[i & (capacity - 1)] = *time_of(pairs, pair, i);
    pair->chunk = (uint32_t)pairs->pooled;
    pair->capacity = capacity;
    pairs->pooled += capacity;
    return true;
}

/* ---- windows: schedules of many ranks, generated piece by piece ---- */

/* A window begins where the last one ended; each is as long as all before it together, so that
 * generating all of them costs only a few times the schedule. */
int hy_sim_window(hy_sim *sim, int number, uint64_t first, hy_sim_rank *rank)
{
    hy_shape shape = sim->shape;
    hy_schedule *work = &sim->work;
    shape.rank = number;
    uint64_t limit = first > sim->window ? first : sim->window;
    work->steps = rank->steps;
    work->capacity = rank->capacity;
    int rc = hy_schedule_window(work, sim->algorithm, &shape, &sim->way, first, limit);
    rank->steps = work->steps;
    rank->capacity = work->capacity;
    rank->first = first;
    rank->count = work->count;
    rank->at = 0;
    rank->last = work->count < limit;
    work->steps = NULL;
    work->capacity = 0;
    if (rc) return rc;
    if (work->tmp_bytes > sim->tmp_bytes) sim->tmp_bytes = work->tmp_bytes;
    if (work->box_bytes > sim->box_bytes) sim->box_bytes = work->box_bytes;
    if (first + work->count > sim->rank_steps) sim->rank_steps = first + work->count;
    return HAYATE_OK;
}

/* ---- the clock ---- */

static void block(hy_sim_rank *rank, hy_sim_state state, int peer, double ready)
{
    rank->state = (uint8_t)state;
    rank->peer = peer;
    rank->ready = ready;
}

static int simulate_rank_no_memory(const hy_sim *sim)
{
    return hy_fail(HAYATE_ERR_NO_MEMORY,
                   "no memory to simulate %s on %d ranks; use fewer ranks or another algorithm",
                   hy_coll_name(sim->shape.coll), sim->shape.size);
}

/* The signals that the rank takes from `peer`; if it stands for all, its own signals to the
 * mirrored peer. */
static hy_sim_pair *taken_from(hy_sim *sim, int rank, int peer)
{
    int size = sim->shape.size;
    if (sim->ranks_run != 1 || size == 1) return pair_of(&sim->pairs, peer, rank);
    return pair_of(&sim->pairs, 0, sim->exclusive ? peer : (size - peer) % size);
}

/* ---- steps ---- */

void hy_sim_end_step(hy_sim *sim, int number, double end)
{
    hy_sim_rank *rank = &sim->ranks[number];
    const hy_step *step = &rank->steps[rank->at];
    if (sim->setting.watch) {
        const hy_sim_event event = {.rank = number,
                                    .round = rank->round,
                                    .index = rank->first + rank->at,
                                    .step = step,
                                    .begin = rank->since,
                                    .end = end};
        sim->setting.watch(sim->setting.context, &event);
    }
    if (rank->round == 0 && step->peer != number && step->kind != HY_STEP_WAIT) {
        rank->bytes += step->len;
        rank->signals += step->kind == HY_STEP_SIGNAL;
    }
    rank->at++;
    sim->steps_left--;
    rank->clock = rank->since = end;
    rank->state = HY_SIM_RUNNING;
    if (end > sim->end_limit) sim->hopeless = true;
}

/* Number of the signal that must have been taken before the next one can be posted, + 1; 0: none.
 * Signals of different wired runs do not meet. */
static uint32_t awaited_credit(const hy_sim *sim, const hy_sim_rank *rank, hy_sim_pair *pair)
{
    if (sim->shape.wired && pair->run != rank->round) {
        pair->run = rank->round;
        pair->base = pair->posted;
    }
    if (pair->posted - pair->base < HY_SCHED_DEPTH) return 0;
    return pair->posted - HY_SCHED_DEPTH + 1;
}

static void notify(hy_sim *sim, int from, int to, double arrival)
{
    const hy_sim_rank *receiver = &sim->ranks[to];
    if (receiver->state == HY_SIM_WAITING && receiver->peer == from) hy_sim_wake(sim, to, arrival);
}

/* A step to another node waits until nothing else can happen before it. */
static bool may_send(const hy_sim *sim, hy_sim_rank *rank)
{
    if (sim->ordered && !rank->admitted) rank->state = HY_SIM_SENDING;
    rank->admitted = false;
    return rank->state != HY_SIM_SENDING;
}

/* Returns when the receiver can see the signal; *end: of the step. */
static double dispatch(hy_sim *sim, int number, const hy_step *step, double begin, double *end)
{
    *end = begin + hy_sim_signal_cost(sim, step);
    if (!hy_sim_far(sim, number, step)) return *end + sim->model->flight;
    *end += hy_model_net(sim->model)->overhead - sim->model->signal;
    return hy_sim_send(sim, number, step->peer, step->len, *end).there;
}

static int simulate_rank_post(hy_sim *sim, int number, const hy_step *step)
{
    hy_sim_rank *rank = &sim->ranks[number];
    if (hy_sim_far(sim, number, step) && !may_send(sim, rank)) return HAYATE_OK;
    hy_sim_pair *pair = pair_of(&sim->pairs, number, step->peer);
    if (!pair) return simulate_rank_no_memory(sim);
    uint32_t credit = awaited_credit(sim, rank, pair);
    if (credit > pair->taken) {
        block(rank, HY_SIM_FULL, step->peer, INFINITY);
        return HAYATE_OK;
    }
    double begin = rank->clock, end;
    if (credit)
        begin = hy_sim_later(begin, *time_of(&sim->pairs, pair, credit - 1) +
                                        hy_sim_notice(sim, step->peer, number));
    uint32_t kept = pair->posted > HY_SCHED_DEPTH ? pair->posted - HY_SCHED_DEPTH : 0;
    if (!simulate_rank_make_room(&sim->pairs, pair, pair->taken < kept ? pair->taken : kept))
        return simulate_rank_no_memory(sim);
    begin = hy_sim_settle(rank, step->peer, begin);
    double arrival = dispatch(sim, number, step, begin, &end);
    *time_of(&sim->pairs, pair, pair->posted++) = arrival;
    if (sim->ranks[number].round == 0) sim->ranks[number].answers += sim->ranks[number].took;
    sim->ranks[number].took = false;
    hy_sim_end_step(sim, number, end);
    if (sim->ranks_run != 1) notify(sim, number, step->peer, arrival);
    return HAYATE_OK;
}

/* Counts a slot for each signal that can be under way, in the first run. */
static void count_slot(hy_sim_rank *rank, const hy_sim_pair *pair, const hy_step *step)
{
    if (rank->round == 0 && pair->taken < HY_SCHED_DEPTH)
        rank->slots += (LINE_HEAD + step->len + SLOT_BYTES - 1) / SLOT_BYTES * SLOT_BYTES;
}

static int simulate_rank_take(hy_sim *sim, int number, const hy_step *step)
{
    hy_sim_rank *rank = &sim->ranks[number];
    hy_sim_pair *pair = taken_from(sim, number, step->peer);
    if (!pair) return simulate_rank_no_memory(sim);
    if (pair->taken == pair->posted) {
        block(rank, HY_SIM_WAITING, step->peer, INFINITY);
        return HAYATE_OK;
    }
    double *time = time_of(&sim->pairs, pair, pair->taken);
    if (*time > rank->clock + HY_SIM_POLLING && hy_sim_core_shared(sim, number)) {
        block(rank, HY_SIM_WAITING, step->peer, *time);
        return HAYATE_OK;
    }
    count_slot(rank, pair, step);
    *time = hy_sim_later(*time, rank->clock) + hy_sim_wait_cost(sim, step, number);
    pair->taken++;
    rank->took = true;
    hy_sim_end_step(sim, number, *time);
    if (sim->ranks_run == 1) return HAYATE_OK;
    const hy_sim_rank *sender = &sim->ranks[step->peer];
    if (sender->state == HY_SIM_FULL && sender->peer == number)
        hy_sim_wake(sim, step->peer, rank->clock + hy_sim_notice(sim, number, step->peer));
    return HAYATE_OK;
}

static void simulate_rank_move(hy_sim *sim, int number, const hy_step *step)
{
    hy_sim_rank *rank = &sim->ranks[number];
    if (hy_sim_far(sim, number, step)) {
        if (may_send(sim, rank))
            hy_sim_end_step(sim, number, hy_sim_far_move(sim, step, number, rank->clock));
        return;
    }
    if (hy_sim_fluid(sim)) {
        rank->state = HY_SIM_MOVING;
        return;
    }
    double cost = hy_sim_move_cost(sim, step, number);
    hy_sim_end_step(sim, number, rank->clock + hy_sim_later(cost, (double)step->len / sim->crowd));
}

static int execute(hy_sim *sim, int number, const hy_step *step)
{
    if (sim->steps_left == 0)
        return hy_fail(
            HAYATE_ERR_UNSUPPORTED,
            "simulating %s %s on %d ranks takes more than %llu steps; allow more, or use "
            "fewer ranks",
            hy_coll_name(sim->shape.coll), sim->algorithm->name, sim->shape.size,
            (unsigned long long)sim->setting.max_steps);
    switch (step->kind) {
    case HY_STEP_SIGNAL: return simulate_rank_post(sim, number, step);
    case HY_STEP_WAIT: return simulate_rank_take(sim, number, step);
    default: simulate_rank_move(sim, number, step); return HAYATE_OK;
    }
}

/* ---- runs ---- */

int hy_sim_begin(hy_sim *sim, int number)
{
    hy_sim_rank *rank = &sim->ranks[number];
    rank->at = 0;
    rank->state = HY_SIM_RUNNING;
    rank->checking = sim->guarded && rank->round >= sim->depth;
    if (!rank->checking) rank->clock += sim->model->start;
    rank->since = rank->clock;
    hy_sim_write_input(sim, number);
    if (rank->first == 0 && rank->count) return HAYATE_OK;
    return hy_sim_window(sim, number, 0, rank);
}

/* One step of the walk through the schedule before a run: a rank that is signalled must have
 * completed run round - sim->depth. It cannot be further than this run, because it needs the
 * signal. */
static void check_peer(hy_sim *sim, int number, const hy_step *step)
{
    hy_sim_rank *rank = &sim->ranks[number], *peer = &sim->ranks[step->peer];
    uint32_t run = rank->round - sim->depth;
    if (step->kind != HY_STEP_SIGNAL) {
        rank->at++;
        return;
    }
    if (peer->round <= run) {
        block(rank, HY_SIM_ENTERING, step->peer, INFINITY);
        rank->next_entering = peer->entering;
        peer->entering = number + 1;
        return;
    }
    const double *over = &sim->over[(size_t)step->peer * sim->depth];
    rank->clock = hy_sim_later(rank->clock,
                               over[run % sim->depth] + hy_sim_notice(sim, step->peer, number));
    rank->at++;
}

static void wake_entering(hy_sim *sim, int number)
{
    hy_sim_rank *rank = &sim->ranks[number];
    int next = rank->entering;
    rank->entering = 0;
    while (next) {
        int sleeper = next - 1;
        next = sim->ranks[sleeper].next_entering;
        hy_sim_wake(sim, sleeper, rank->clock + hy_sim_notice(sim, number, sleeper));
    }
}

static int simulate_rank_finish(hy_sim *sim, int number)
{
    hy_sim_rank *rank = &sim->ranks[number];
    if (sim->guarded)
        sim->over[(size_t)number * sim->depth + rank->round % sim->depth] = rank->clock;
    rank->round++;
    wake_entering(sim, number);
    rank->clock += hy_sim_read_result(sim, number);
    sim->last_end = hy_sim_later(sim->last_end, rank->clock);
    if (rank->round == sim->rounds) {
        rank->state = HY_SIM_OVER;
        return HAYATE_OK;
    }
    if (sim->ordered) return hy_sim_begin(sim, number);
    rank->state = HY_SIM_PARKED;
    return HAYATE_OK;
}

/* Moves on to the next window. */
static int turn_page(hy_sim *sim, int number)
{
    hy_sim_rank *rank = &sim->ranks[number];
    if (!rank->last) return hy_sim_window(sim, number, rank->first + rank->count, rank);
    if (!rank->checking) return simulate_rank_finish(sim, number);
    rank->checking = false;
    rank->clock += sim->model->start;
    rank->since = rank->clock;
    rank->at = 0;
    return rank->first ? hy_sim_window(sim, number, 0, rank) : HAYATE_OK;
}

int hy_sim_advance(hy_sim *sim, int number)
{
    hy_sim_rank *rank = &sim->ranks[number];
    int rc = HAYATE_OK;
    rank->state = HY_SIM_RUNNING;
    while (!rc && rank->state == HY_SIM_RUNNING && !sim->hopeless) {
        const hy_step *step = &rank->steps[rank->at];
        if (rank->at == rank->count) rc = turn_page(sim, number);
        else if (rank->checking) check_peer(sim, number, step);
        else rc = execute(sim, number, step);
    }
    return rc;
}
