/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine that simulate.h stands for. It can be used again and again without allocating much,
 * and can be told when a run is of no interest any more (choose.h).
 *
 * A rank advances through its steps until it has to wait for another one (simulate_rank.c). As all
 * signals carry the time of their arrival, the order in which ranks advance does not matter while
 * each has a core of its own (simulate.c: a queue). Only where they share something they have to
 * take turns in the order of time: a core, the memory's bandwidth (simulate_cores.c), or the NIC
 * that connects their node with others (simulate_net.c).
 */
#ifndef HY_SCHED_SIMULATE_ENGINE_H
#define HY_SCHED_SIMULATE_ENGINE_H

#include "sched/nodes.h"
#include "sched/simulate.h"
#include "sched/simulate_lines.h"

/* A communicator of more ranks than this spans many nodes, known or not: each rank then has a core
 * and its share of the bandwidth for itself, whatever model.cpus says. */
#define HY_SIM_NODE_RANKS 4096

/* A waiting rank polls for about so long (16 times) before it yields its core. */
#define HY_SIM_POLLING 100.0

/*
 * Signals of every ordered pair of ranks that has any: how many were posted and taken, and when.
 * The entry of signal k is its arrival until it is taken, and then when that was, which its sender
 * needs to know when it posts signal k + HY_SCHED_DEPTH. Most pairs of a large communicator have
 * one or two signals, which need no memory of their own.
 */
#define HY_SIM_OWN_TIMES 2

typedef struct hy_sim_pair {
    uint64_t key; /* 0: no pair */
    uint32_t posted, taken;
    uint32_t base, run; /* wired: posted before the sender's run `run` */
    uint32_t capacity;  /* times kept, a power of two */
    uint32_t chunk;     /* capacity > HY_SIM_OWN_TIMES: where they begin in the pool */
    double own[HY_SIM_OWN_TIMES];
} hy_sim_pair;

typedef struct hy_sim_pairs {
    hy_sim_pair *table; /* open addressing; a place for each pair when there are few ranks */
    uint64_t slots, allocated, used;
    uint64_t size; /* ranks */
    bool dense;
    double *pool;
    uint64_t pooled, pool_capacity;
} hy_sim_pairs;

typedef enum hy_sim_state {
    HY_SIM_RUNNING,
    HY_SIM_WAITING,  /* for a signal of `peer` */
    HY_SIM_FULL,     /* too many signals to `peer` are on their way */
    HY_SIM_ENTERING, /* `peer` is not over with the run `depth` ago */
    HY_SIM_MOVING,   /* at a move whose end depends on who else moves */
    HY_SIM_SENDING,  /* at a step to another node, which depends on who else uses the NICs */
    HY_SIM_PARKED,   /* over with this run; the next one begins when all are */
    HY_SIM_OVER,
} hy_sim_state;

typedef struct hy_sim_rank {
    double clock;
    double since;   /* when the step at hand was reached */
    double ready;   /* blocked: when it can go on; INFINITY: not known yet */
    hy_step *steps; /* the window: [first, first + count) */
    uint64_t first;
    uint32_t count, capacity;
    uint32_t at; /* in the window */
    uint32_t round;
    int32_t peer;
    int32_t entering, next_entering; /* list of ranks that wait for this one to be over, + 1 */
    int32_t core, turn;              /* ordered: its core, its place among the ranks there */
    uint8_t state;
    bool last;     /* the window is the schedule's last one */
    bool checking; /* walks its steps for whom it must not overtake */
    bool took;     /* a signal since it last posted one */
    bool admitted; /* was SENDING: all that was before is done */
    int32_t unflushed_from,
        unflushed_end;              /* whom it put to over the network: see exec/unflushed.h */
    double settled;                 /* when it would know that all of that is there */
    uint32_t answers;               /* signals that came after one was taken; of the first run */
    uint64_t signals, bytes, slots; /* of the first run */
} hy_sim_rank;

/* Memo of a curve: schedules use the same length again and again. */
typedef struct hy_sim_cost {
    uint64_t len;
    double ns;
} hy_sim_cost;

enum {
    HY_SIM_PAYLOAD_OUT,
    HY_SIM_PAYLOAD_IN,
    HY_SIM_FOLD_IN,
    HY_SIM_COPY,
    HY_SIM_PUT,
    HY_SIM_GET,
    HY_SIM_SINGLE,
    HY_SIM_REDUCE,
    HY_SIM_REDUCE_GET,
    HY_SIM_REDUCE_SINGLE,
    HY_SIM_CALL_BACK,
    HY_SIM_COSTS
};

/* When one direction of a NIC is busy: ascending, not touching each other. */
#define HY_SIM_TURNS 32
typedef struct hy_sim_turns {
    int count;
    struct hy_sim_turn {
        double from, to;
    } list[HY_SIM_TURNS];
} hy_sim_turns;

/* A node's. */
typedef struct hy_sim_nic {
    hy_sim_turns out, in;
} hy_sim_nic;

struct hy_sim_cores;

typedef struct hy_sim {
    /* what is simulated */
    const hy_model *model;
    const hy_algorithm *algorithm;
    hy_shape shape;
    hy_way way;
    hy_sim_setting setting;
    bool traced, alike, fluid, ordered; /* how: see decide() in simulate.c */
    int ranks_run;                      /* 1 when one stands for all */
    bool exclusive; /* ... and its peers are mirrored by exclusive or, not by rotation */
    bool guarded;   /* runs have to be held back: wired, and more of them than `depth` */
    uint32_t depth; /* hy_wired_depth() */
    double crowd;   /* bytes per ns of each of those that stand for all; INFINITY: no limit */
    uint64_t window;

    /* where it stands */
    hy_sim_rank *ranks;
    double *over; /* guarded: [rank][depth], ends of the last runs */
    hy_sim_pairs pairs;
    hy_sim_lines *lines; /* few ranks */
    int *queue;          /* ranks that can advance; not ordered */
    uint64_t queue_head, queue_count;
    struct hy_sim_cores *cores; /* ordered */
    hy_sim_nic *nics;           /* ordered, with several nodes */
    hy_schedule work;           /* lends its memory to the rank whose window is made */
    uint64_t steps_left;
    uint64_t rank_steps, tmp_bytes, box_bytes;
    uint32_t rounds;  /* of this pass */
    double last_end;  /* of all runs up to now */
    double end_limit; /* a clock beyond it: hopeless */
    bool hopeless;
    hy_sim_cost costs[HY_SIM_COSTS];
    int capacity, over_capacity; /* ranks there is memory for */
    int nic_capacity;            /* nodes */
} hy_sim;

/* When to stop: result.ns is then INFINITY, and so is result.first if the first run was too long.
 */
typedef struct hy_sim_limit {
    double first; /* the first run takes longer than this */
    double ns;    /* the result would be more than this */
} hy_sim_limit;

#define HY_SIM_NO_LIMIT ((hy_sim_limit){INFINITY, INFINITY})

/* sim: {0} at first. As hy_simulate(). */
int hy_sim_run(hy_sim *sim, const hy_model *model, const hy_algorithm *algorithm,
               const hy_shape *shape, const hy_way *way, const hy_sim_setting *setting,
               hy_sim_limit limit, hy_sim_result *result);
void hy_sim_release(hy_sim *sim);

static inline double hy_sim_later(double a, double b)
{
    return a > b ? a : b;
}

/* Ranks of the node with the most. */
static inline int hy_sim_crowd(const hy_shape *shape)
{
    return shape->nodes ? shape->nodes->largest : shape->size;
}

/* Numbers below the number of ranks. */
static inline int hy_sim_core_of(const hy_sim *sim, int rank)
{
    const hy_nodes *nodes = sim->shape.nodes;
    int cpus = sim->model->cpus;
    if (!nodes) return cpus > 0 ? rank % cpus : rank;
    int place = nodes->place[rank];
    return nodes->first[nodes->of[rank]] + (cpus > 0 ? place % cpus : place);
}

/* Bytes per ns of all nodes' memory. */
static inline double hy_sim_bandwidth(const hy_sim *sim)
{
    return sim->model->bandwidth * (sim->shape.nodes ? sim->shape.nodes->count : 1);
}

/* ---- simulate_rank.c ---- */

/* Makes it empty, with the memory it has. False: no memory. */
bool hy_sim_pairs_reset(hy_sim_pairs *pairs, int size);
void hy_sim_pairs_release(hy_sim_pairs *pairs);

/* The rank's steps from `first` on, as many as are kept at a time, become its window. */
int hy_sim_window(hy_sim *sim, int number, uint64_t first, hy_sim_rank *rank);

/* Loads the rank's first window and begins its run `round`. */
int hy_sim_begin(hy_sim *sim, int rank);

/* Runs steps until its state is another one than RUNNING, or the simulation is hopeless. */
int hy_sim_advance(hy_sim *sim, int rank);

/* The step at hand is over. */
void hy_sim_end_step(hy_sim *sim, int rank, double end);

/* ---- simulate.c ---- */

/* The blocked rank can go on at `time`. */
void hy_sim_wake(hy_sim *sim, int rank, double time);

/* ---- simulate_cost.c ---- */

double hy_sim_signal_cost(hy_sim *sim, const hy_step *step);
double hy_sim_wait_cost(hy_sim *sim, const hy_step *step, int rank); /* from the arrival on */
double hy_sim_move_cost(hy_sim *sim, const hy_step *step, int rank); /* once for each move */

/* Between two runs the caller writes its input and reads its result. */
void hy_sim_use_buffers(hy_sim *sim, int rank);

double hy_sim_reduce_cost(hy_sim *sim, uint64_t len); /* both sides of this rank */

/* ---- simulate_net.c ---- */

/* Cards that nobody uses. false: memory is out. */
bool hy_sim_nics_reset(hy_sim *sim);

static inline bool hy_sim_far(const hy_sim *sim, int rank, const hy_step *step)
{
    return hy_nodes_far(sim->shape.nodes, rank, step->peer);
}

/* What a rank learns of another one without being told in a step, it learns so much later. */
double hy_sim_notice(const hy_sim *sim, int from, int to);

/* When `bytes` that are given to the NIC of from's node at `begin` have left it, and are there. */
typedef struct hy_sim_trip {
    double left, there;
} hy_sim_trip;
hy_sim_trip hy_sim_send(hy_sim *sim, int from, int to, uint64_t bytes, double begin);

/* When a signal to `to` may go: others must not hear of what was put and is not there. */
double hy_sim_settle(hy_sim_rank *rank, int to, double begin);

/* When a far PUT, GET or REDUCE is over. */
double hy_sim_far_move(hy_sim *sim, const hy_step *step, int rank, double begin);

/* ---- simulate_cores.c ---- */

int hy_sim_cores_open(hy_sim *sim);
void hy_sim_cores_release(hy_sim *sim);
int hy_sim_cores_run(hy_sim *sim); /* until all ranks are over, none can advance, or hopeless */
void hy_sim_cores_wake(hy_sim *sim, int rank);

/* Whether others use the rank's core, so that it cannot just wait there. */
bool hy_sim_core_shared(const hy_sim *sim, int rank);

/* Whether moves of the ranks slow each other down. */
bool hy_sim_fluid(const hy_sim *sim);

#endif
