/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simulates the schedules of all ranks under a model, without a machine: discrete events over the
 * steps, which are generated window by window (hy_schedule_window()), so that a million ranks fit
 * into memory. Contention is included: ranks that share cores take turns, and cores that move data
 * at the same time share the memory bandwidth.
 */
#ifndef HY_CHOOSE_SIMULATE_H
#define HY_CHOOSE_SIMULATE_H

#include "sched/model.h"
#include "sched/schedule.h"

typedef struct hy_sim_event {
    int rank;
    uint32_t round;
    uint64_t index;      /* of the step in the rank's schedule */
    const hy_step *step; /* valid during the call */
    double begin, end;   /* ns; a WAIT begins when it is reached and ends when its signal was
                          * taken */
} hy_sim_event;

typedef struct hy_sim_setting {
    uint32_t rounds; /* consecutive runs on each rank; at least 1 */
    bool apart;      /* all ranks begin each run together, when the last one is complete
                      * everywhere (each is round 0 in events); else a rank is ahead of others as
                      * far as the schedule permits */
    bool outside;    /* IN and OUT are outside of the symmetric heap: moved by the single copy */
    uint64_t
        max_steps; /* limit of simulated steps, beyond which the result is UNSUPPORTED; 0: 2^32 */
    void (*watch)(void *context, const hy_sim_event *event); /* in the order of `end` per rank; or
                                                                NULL */
    void *context;
    bool each;       /* simulate every rank: none stands for others */
    uint32_t window; /* initial number of steps kept per rank; 0: depends on the number of ranks */
} hy_sim_setting;

typedef struct hy_sim_result {
    double ns;    /* of a run: of the first one if rounds == 1, of the last one if they are
                   * apart, else the time that each further run adds */
    double first; /* until the last rank has completed one run alone */
    uint64_t signals, bytes;           /* of one run on all ranks; bytes moved between ranks */
    uint64_t rank_signals, rank_bytes; /* posted and moved by the rank with the most */
    uint64_t rank_steps;
    uint32_t answers;     /* changes from waiting to signalling, on the rank with the most */
    uint64_t rank_memory; /* bytes that the run-time needs on the rank with the most: steps,
                           * slots, TMP, BOX */
    bool alike;           /* one rank was simulated for all (HY_TRAIT_ALIKE) */
} hy_sim_result;

/*
 * Assumptions:
 *   - SIGNAL costs model.signal and the copy of its payload, and can be seen model.flight later;
 *     WAIT costs model.take and the copy of the payload (or also the reduction) from then on; the
 *     others cost model.step and their curve; a run costs model.start once. What a sender learns of
 *     its receiver (a free slot, the end of an earlier run) it learns model.flight later, too.
 *   - Of up to 16 ranks, the simulation knows which core wrote and which cores read which bytes
 *     (simulate_lines.h). A run ends when each rank has read its result; what another core has put
 *     there, or where a rank copies from, takes model.reduce_get - model.reduce. Writing what
 *     another core has read takes model.put - model.get more than writing else. A copy for which
 *     neither holds takes at most model.reduce. The caller writes its input between the runs, in
 *     no time.
 *   - A piece of at least 4 KiB of a peer's IN or OUT takes at most its share of a move of
 *     shape.bytes.
 *   - Rank r runs on core r % model.cpus. A rank that has nothing to do yields its core after
 *     polling for a moment, which costs model.turn, and so does the next one if it has nothing
 *     to do either. Moves of different cores slow each other down if together they need more than
 *     model.bandwidth (bytes moved, each counted once), provided that the callers' regions on all
 *     ranks are larger than model.cached.
 *   - Between nodes (shape.nodes) the terms of model.net apply: a SIGNAL costs overhead and the
 *     copy of its payload, then uses its node's NIC for gap + bytes * byte, is under way for
 *     latency, and uses the other NIC for as long; WAIT costs overhead and the copy of the payload.
 *     PUT costs overhead and lasts until its bytes have left; a signal to another rank after it
 *     waits until they have arrived; GET and REDUCE last until the bytes have arrived, and REDUCE
 *     needs a round trip for each HY_BOUNCE_BYTES. Flows of a node share its NIC. Each node has
 *     model.cpus cores; bandwidth and cache are those of all nodes together.
 *   - Beyond 4096 ranks there is none of this contention: such a communicator spans many nodes.
 *   - On one node, if there is a core for each rank or there are more than 4096 ranks, and if
 *     HY_TRAIT_ALIKE holds, rank 0 stands for all; with `watch` only beyond 4096 ranks, and then
 *     it gets rank 0's steps.
 *
 * way: complete. ARGUMENT, NO_MEMORY, UNSUPPORTED (too many steps: the text has their number),
 * CORRUPT (the schedules wait for each other).
 */
int hy_simulate(const hy_model *model, const hy_algorithm *algorithm, const hy_shape *shape,
                const hy_way *way, const hy_sim_setting *setting, hy_sim_result *result);

#endif
