/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals of every ordered pair of ranks that has any: how many were posted and taken, and when.
 * The entry of signal k is its arrival until it is taken, and then when that was, which its sender
 * needs to know when it posts signal k + HY_SCHED_DEPTH. Most pairs of a large communicator have
 * one or two signals, which need no memory of their own.
 */
#ifndef HY_SCHED_SIMULATE_PAIRS_H
#define HY_SCHED_SIMULATE_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

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

/* Makes it empty, with the memory it has. false: memory is out. */
bool hy_sim_pairs_reset(hy_sim_pairs *pairs, int size);
void hy_sim_pairs_release(hy_sim_pairs *pairs);

/* The pair, new when need be; it may move at the next call. NULL: memory is out. */
hy_sim_pair *hy_sim_pair_of(hy_sim_pairs *pairs, int from, int to);

/* Room for the time of signal `posted`, keeping those from `kept` on. false: memory is out. */
bool hy_sim_pair_room(hy_sim_pairs *pairs, hy_sim_pair *pair, uint32_t kept);

static inline double *hy_sim_time(const hy_sim_pairs *pairs, hy_sim_pair *pair, uint32_t index)
{
    double *times = pair->capacity > HY_SIM_OWN_TIMES ? pairs->pool + pair->chunk : pair->own;
    return &times[index & (pair->capacity - 1)];
}

#endif
