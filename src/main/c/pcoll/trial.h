/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A collective of one size on a communicator, with all candidates that the model offers, each of
 * which can be forced and timed: for `hayate tune --check`, and for operations that choose by
 * measurement (measured.c). All members make the same calls and get the same numbers, so that each
 * can decide by itself what to time next.
 *
 * Fresh data: before each run a member writes its input, one word per cache line, and then meets
 * the others; start, wait and the reading of the result are timed. Otherwise data would stay in the
 * cache of the mover, and hardly any would travel. Stale data: runs in a loop without anything
 * else, as in many benchmarks.
 */
#ifndef HY_PCOLL_TRIAL_H
#define HY_PCOLL_TRIAL_H

#include "pcoll/pcoll.h"

typedef struct hy_trial hy_trial;

typedef struct hy_trial_time {
    double ns;    /* of start and wait: the lower quartile over the batches of the slowest member's
                   * time */
    double clock; /* seconds by member 0's clock, at the end */
} hy_trial_time;

/* Local. The shape is even, of this member; op: of a reduction, whose elements the shape has.
 * outside: the buffers are not in the heap. Allocates memory, and finds the candidates. ARGUMENT,
 * NO_MEMORY. */
int hy_trial_open_shape(hy_comms *comms, int comm, const hy_shape *shape, int op, bool outside,
                        bool fresh, hy_trial **trial);

/* The same for a collective by name. bytes: like hy_shape.bytes; elements are doubles in reductions
 * if these divide it, else floats; member 0 is the root; buffers are in the heap. */
int hy_trial_open(hy_comms *comms, int comm, hy_coll coll, uint64_t bytes, bool fresh,
                  hy_trial **trial);

void hy_trial_close(hy_trial *trial);

/* The candidates, without duplicates, the fastest prediction first. */
int hy_trial_count(const hy_trial *trial);
const hy_choice *hy_trial_candidate(const hy_trial *trial, int index);

/* The index of the candidate that init chooses if only the transfer is requested (AUTO: nothing);
 * -1: there is none. */
int hy_trial_chosen(const hy_trial *trial, hy_transfer transfer);

/* Collective: from now on these are the indexes of those that init chooses by measurement
 * (measured.h). Call it before anything of the list is used, which may become longer. Returns the
 * errors of init. */
int hy_trial_choose_by_measurement(hy_trial *trial);

/* What forces it: an algorithm and its way. */
void hy_trial_hint(const hy_choice *choice, hy_hint *hint);

/* Writes the options that force it: "algorithm=ring transfer=get ..."; returns like snprintf. */
int hy_trial_options(const hy_trial *trial, int index, char *text, size_t size);

#define HY_TRIAL_BATCHES 256

/* Collective: prepares the candidate, runs it `warm` times untimed and then in `batches` (1 to
 * HY_TRIAL_BATCHES) of `runs`, each a start and a wait, with a barrier before each batch. Other
 * load on the machine spoils some batches, hence the quartile. Returns the errors of init and of a
 * run; NO_MEMORY and UNSUPPORTED on all members alike. */
int hy_trial_run(hy_trial *trial, int index, uint32_t warm, uint32_t batches, uint32_t runs,
                 hy_trial_time *time);

#endif
