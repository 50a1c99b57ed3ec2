/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the schedules of all ranks under a model, without a machine: discrete events over the steps
 * themselves, which are generated window by window (hy_schedule_window), so that a million ranks
 * fit. What matters of contention is in it: ranks that share cores take turns, cores that move data
 * at once share the memory's bandwidth.
 */
#ifndef HY_SCHED_SIMULATE_H
#define HY_SCHED_SIMULATE_H

#include "sched/model.h"
#include "sched/schedule.h"

typedef struct hy_sim_event {
    int rank;
    uint32_t round;
    uint64_t index;      /* of the step in the rank's schedule */
    const hy_step *step; /* valid during the call */
    double begin, end;   /* ns; of a WAIT: from reaching it until it was taken */
} hy_sim_event;

typedef struct hy_sim_setting {
    uint32_t rounds; /* runs one after the other on each rank; at least 1 */
    bool apart;      /* all ranks begin each run at once, when the one before is over everywhere
                        (events call each of them round 0);
                        otherwise a rank is ahead of others as far as the schedule lets it */
    bool outside;    /* IN and OUT are not in the symmetric heap: moved by the single copy */
    uint64_t
        max_steps; /* gives up with UNSUPPORTED when more would have to be simulated; 0: 2^32 */
    void (*watch)(void *context, const hy_sim_event *event); /* in the order of `end` per rank; or
                                                                NULL */
    void *context;
    bool each;       /* no rank stands for others */
    uint32_t window; /* steps of a rank that are kept at first; 0: as many as suits their number */
} hy_sim_setting;

typedef struct hy_sim_result {
    double ns;    /* of a run: the first one when rounds == 1, the last one when they are apart,
                     else what each of the others adds */
    double first; /* until the last rank is through with one run alone */
    uint64_t signals, bytes;           /* of one run over all ranks; bytes moved between ranks */
    uint64_t rank_signals, rank_bytes; /* posted and moved by the rank with the most */
    uint64_t rank_steps;
    uint32_t answers;     /* turns from waiting to signalling, of the rank with the most */
    uint64_t rank_memory; /* bytes that the run-time needs on the rank with the most: steps, slots,
                             TMP, BOX */
    bool alike;           /* one rank was simulated for all (HY_TRAIT_ALIKE) */
} hy_sim_result;

/*
 * What is taken for granted:
 *   - SIGNAL costs model.signal and its payload's copy, and can be seen model.flight later; WAIT
 *     costs model.take and its payload's copy (or that and the reduction) from then on; the others
 *     cost model.step and their curve; a run costs model.start once. What a sender learns of its
 *     receiver (a free slot, the end of an earlier run) it learns model.flight later, too.
 *   - Rank r runs on core r % model.cpus. A rank that has nothing to do gives its core away after
 *     polling for a moment, which costs model.turn, and so does the next one if it has nothing
 *     either. Moves of different cores slow each other down when together they ask for more than
 *     model.bandwidth (bytes moved, each counted once), provided that the callers' regions on all
 *     ranks are more than model.cached.
 *   - Between nodes (shape.nodes) the terms of model.net hold: a SIGNAL costs overhead and its
 *     payload's copy, then has its node's NIC for gap + bytes * byte, is under way for latency,
 *     and has the other one's NIC for as long; WAIT costs overhead and the payload's copy. PUT
 *     costs overhead and lasts until its bytes have left, a signal to another rank after it waits
 *     until they are there; GET and REDUCE last until they are there,
 *     REDUCE pays the way there and back for each HY_BOUNCE_BYTES. Flows of a node share its NIC.
 *     Each node has model.cpus cores; bandwidth and cache are those of all nodes together.
 *   - Beyond 4096 ranks none of these contentions is there: such a communicator spans many nodes.
 *   - On one node, where there is a core for each rank, or more than 4096, and HY_TRAIT_ALIKE
 * holds, rank 0 stands for all; with `watch` only beyond 4096, and then it sees rank 0's steps.
 *
 * way: complete. ARGUMENT, NO_MEMORY, UNSUPPORTED (too many steps: says how many), CORRUPT (the
 * schedules wait for each other).
 */
int hy_simulate(const hy_model *model, const hy_algorithm *algorithm, const hy_shape *shape,
                const hy_way *way, const hy_sim_setting *setting, hy_sim_result *result);

#endif
