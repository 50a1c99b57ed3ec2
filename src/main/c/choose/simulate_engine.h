/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The simulated machine of simulate.h. It can be used repeatedly without much allocation, and can
 * be stopped when a run is no longer of interest (choose.h).
 *
 * A rank advances through its steps until it has to wait for another one (simulate_rank.c). All
 * signals carry the time of their arrival, so the order in which ranks advance does not matter
 * while each has its own core (simulate.c: a queue). Only ranks that share something must advance
 * in the order of time: a core, the memory bandwidth (simulate_cores.c), or the NIC that connects
 * their node with others (simulate_net.c).
 */
#ifndef HY_CHOOSE_SIMULATE_ENGINE_H
#define HY_CHOOSE_SIMULATE_ENGINE_H

#include "choose/simulate.h"
#include "choose/simulate_lines.h"
#include "sched/nodes.h"

/* A communicator of more ranks than this spans many nodes, known or not: each rank then has a core
 * and a share of the bandwidth for itself, whatever model.cpus is. */
#define HY_SIM_NODE_RANKS 4096

/* A waiting rank polls for about this time (16 attempts) before it yields its core. */
#define HY_SIM_POLLING 100.0

/*
 * The signals of every ordered pair of ranks that has any: how many were posted and taken, and
 * when. The entry of signal k is its arrival time until it is taken, and then the time at which it
 * was taken, which its sender needs when it posts signal k + HY_SCHED_DEPTH. Most pairs of a large
 * communicator have one or two signals, which need no separate memory.
 */
#define HY_SIM_OWN_TIMES 2

typedef struct hy_sim_pair {
    uint64_t key; /* 0: no pair */
    uint32_t posted, taken;
    uint32_t base, run; /* wired: number posted before the sender's run `run` */
    uint32_t capacity;  /* number of times kept, a power of two */
    uint32_t chunk;     /* capacity > HY_SIM_OWN_TIMES: where they begin in the pool */
    double own[HY_SIM_OWN_TIMES];
} hy_sim_pair;

typedef struct hy_sim_pairs {
    hy_sim_pair *table; /* open addressing; with few ranks, an entry for each pair */
    uint64_t slots, allocated, used;
    uint64_t size; /* ranks */
    bool dense;
    double *pool;
    uint64_t pooled, pool_capacity;
} hy_sim_pairs;

typedef enum hy_sim_state {
    HY_SIM_RUNNING,
    HY_SIM_WAITING,  /* for a signal of `peer` */
    HY_SIM_FULL,     /* too many signals to `peer` are under way */
    HY_SIM_ENTERING, /* `peer` has not completed the run `depth` runs ago */
    HY_SIM_MOVING,   /* at a move whose end depends on other moves */
    HY_SIM_SENDING,  /* at a step to another node, which depends on other users of the NICs */
    HY_SIM_PARKED,   /* has completed this run; the next one begins when all have */
    HY_SIM_OVER,
} hy_sim_state;

typedef struct hy_sim_rank {
    double clock;
    double since;   /* when the current step was reached */
    double ready;   /* blocked: when it can continue; INFINITY: not known yet */
    hy_step *steps; /* the window: [first, first + count) */
    uint64_t first;
    uint32_t count, capacity;
    uint32_t at; /* in the window */
    uint32_t round;
    int32_t peer;
    int32_t entering, next_entering; /* list of ranks that wait for the end of this one's run, +
                                      * 1 */
    int32_t core, turn;              /* ordered: its core, and its index among the ranks there */
    uint8_t state;
    bool last;     /* the window is the schedule's last one */
    bool checking; /* walks through its steps for ranks that it must not overtake */
    bool took;     /* it has taken a signal since it last posted one */
    bool admitted; /* was SENDING: everything before is complete */
    int32_t unflushed_from, unflushed_end; /* ranks that it put to over the network: see
                                            * exec/unflushed.h */
    double settled;                 /* when it would know that all of these puts have arrived */
    uint32_t answers;               /* signals posted after one was taken, in the first run */
    uint64_t signals, bytes, slots; /* of the first run */
} hy_sim_rank;

/* Last value of a curve: schedules use the same length repeatedly. */
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
    HY_SIM_FETCH,
    HY_SIM_SINGLE,
    HY_SIM_REDUCE,
    HY_SIM_REDUCE_GET,
    HY_SIM_REDUCE_SINGLE,
    HY_SIM_CALL_BACK,
    HY_SIM_COSTS
};

/* Intervals in which one direction of a NIC is busy: ascending and disjoint. */
#define HY_SIM_TURNS 32
typedef struct hy_sim_turns {
    int count;
    struct hy_sim_turn {
        double from, to;
    } list[HY_SIM_TURNS];
} hy_sim_turns;

/* The NIC of a node. */
typedef struct hy_sim_nic {
    hy_sim_turns out, in;
} hy_sim_nic;

struct hy_sim_cores;

typedef struct hy_sim {
    /* the question */
    const hy_model *model;
    const hy_algorithm *algorithm;
    hy_shape shape;
    hy_way way;
    hy_sim_setting setting;
    bool traced, alike, fluid, ordered; /* how to simulate: see decide() in simulate.c */
    int ranks_run;                      /* 1 if one rank stands for all */
    bool exclusive; /* ... and its peers are mirrored by exclusive or, not by rotation */
    bool guarded;   /* runs must be held back: wired, and more runs than `depth` */
    uint32_t depth; /* hy_wired_depth() */
    double crowd;   /* bytes per ns for each rank that one rank stands for; INFINITY: no limit */
    uint64_t window;

    /* the state */
    hy_sim_rank *ranks;
    double *over; /* guarded: [rank][depth], end times of the last runs */
    hy_sim_pairs pairs;
    hy_sim_lines *lines; /* for few ranks */
    int *queue;          /* ranks that can advance; not ordered */
    uint64_t queue_head, queue_count;
    struct hy_sim_cores *cores; /* ordered */
    hy_sim_nic *nics;           /* ordered, with several nodes */
    hy_schedule work;           /* its memory is used for the rank whose window is generated */
    uint64_t steps_left;
    uint64_t rank_steps, tmp_bytes, box_bytes;
    uint32_t rounds;  /* of this pass */
    double last_end;  /* of all runs so far */
    double end_limit; /* beyond this time the simulation is hopeless */
    bool hopeless;
    hy_sim_cost costs[HY_SIM_COSTS], wholes[HY_SIM_COSTS];
    int capacity, over_capacity; /* number of ranks for which there is memory */
    int nic_capacity;            /* in nodes */
} hy_sim;

/* When to stop: result.ns is then INFINITY, and so is result.first if the first run was too
 * long. */
typedef struct hy_sim_limit {
    double first; /* the first run takes longer than this */
    double ns;    /* the result would be more than this */
} hy_sim_limit;

#define HY_SIM_NO_LIMIT ((hy_sim_limit){INFINITY, INFINITY})

/* Like hy_simulate(). sim: {0} at first. */
int hy_sim_run(hy_sim *sim, const hy_model *model, const hy_algorithm *algorithm,
               const hy_shape *shape, const hy_way *way, const hy_sim_setting *setting,
               hy_sim_limit limit, hy_sim_result *result);
void hy_sim_release(hy_sim *sim);

static inline double hy_sim_later(double a, double b)
{
    return a > b ? a : b;
}

/* Number of ranks of the largest node. */
static inline int hy_sim_crowd(const hy_shape *shape)
{
    return shape->nodes ? shape->nodes->largest : shape->size;
}

/* A number below the number of ranks. */
static inline int hy_sim_core_of(const hy_sim *sim, int rank)
{
    const hy_nodes *nodes = sim->shape.nodes;
    int cpus = sim->model->cpus;
    if (!nodes) return cpus > 0 ? rank % cpus : rank;
    int place = nodes->place[rank];
    return nodes->first[nodes->of[rank]] + (cpus > 0 ? place % cpus : place);
}

/* Memory bandwidth of all nodes, bytes per ns. */
static inline double hy_sim_bandwidth(const hy_sim *sim)
{
    return sim->model->bandwidth * (sim->shape.nodes ? sim->shape.nodes->count : 1);
}

/* ---- simulate_rank.c ---- */

/* Empties it and keeps its memory. False: no memory. */
bool hy_sim_pairs_reset(hy_sim_pairs *pairs, int size);
void hy_sim_pairs_release(hy_sim_pairs *pairs);

/* Makes the rank's steps from `first` on, as many as are kept at a time, its window. */
int hy_sim_window(hy_sim *sim, int number, uint64_t first, hy_sim_rank *rank);

/* Loads the rank's first window and begins its run `round`. */
int hy_sim_begin(hy_sim *sim, int rank);

/* Runs steps until the rank's state is no longer RUNNING, or the simulation is hopeless. */
int hy_sim_advance(hy_sim *sim, int rank);

/* Completes the current step. */
void hy_sim_end_step(hy_sim *sim, int rank, double end);

/* ---- simulate.c ---- */

/* The blocked rank can continue at `time`. */
void hy_sim_wake(hy_sim *sim, int rank, double time);

/* ---- simulate_cost.c ---- */

double hy_sim_signal_cost(hy_sim *sim, const hy_step *step);
double hy_sim_wait_cost(hy_sim *sim, const hy_step *step, int rank); /* from the arrival on */
double hy_sim_move_cost(hy_sim *sim, const hy_step *step,
                        int rank); /* call it once for each move */

/* Models that the caller writes its input before a run, which takes no time of the run, and reads
 * its result after it: how long that takes, as far as other cores have written it. */
void hy_sim_write_input(hy_sim *sim, int rank);
double hy_sim_read_result(hy_sim *sim, int rank);

double hy_sim_reduce_cost(hy_sim *sim, uint64_t len); /* both sides of this rank */

/* ---- simulate_net.c ---- */

/* Makes all NICs idle. False: no memory. */
bool hy_sim_nics_reset(hy_sim *sim);

static inline bool hy_sim_far(const hy_sim *sim, int rank, const hy_step *step)
{
    return hy_nodes_far(sim->shape.nodes, rank, step->peer);
}

/* The delay with which a rank learns of another one's progress without a step that tells it. */
double hy_sim_notice(const hy_sim *sim, int from, int to);

/* When `bytes` that are passed to the NIC of from's node at `begin` have left it, and have
 * arrived. */
typedef struct hy_sim_trip {
    double left, there;
} hy_sim_trip;
hy_sim_trip hy_sim_send(hy_sim *sim, int from, int to, uint64_t bytes, double begin);

/* When a signal to `to` may be sent: the receiver must not learn of puts that have not arrived. */
double hy_sim_settle(hy_sim_rank *rank, int to, double begin);

/* When a PUT, GET or REDUCE to another node is complete. */
double hy_sim_far_move(hy_sim *sim, const hy_step *step, int rank, double begin);

/* ---- simulate_cores.c ---- */

int hy_sim_cores_open(hy_sim *sim);
void hy_sim_cores_release(hy_sim *sim);
int hy_sim_cores_run(hy_sim *sim); /* until all ranks have finished, none can advance, or it is
                                    * hopeless */
void hy_sim_cores_wake(hy_sim *sim, int rank);

/* Whether other ranks use the rank's core, so that it cannot simply wait there. */
bool hy_sim_core_shared(const hy_sim *sim, int rank);

/* Whether moves of the ranks slow each other down. */
bool hy_sim_fluid(const hy_sim *sim);

#endif
