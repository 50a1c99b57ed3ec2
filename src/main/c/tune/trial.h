/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One cell of `hayate tune --check`: a collective of a size on a communicator, and all that the
 * model lets choose from for it, each of them forced and timed. Members call alike and get the same
 * numbers, so that each can decide on its own what is timed next.
 *
 * Fresh data: before each run a member writes its input and reads its last result, a word of each
 * line, as programs do, and then meets the others; only start and wait are timed. Else data would
 * stay in the cache of whoever moves them, and hardly any would ever travel. Stale data: runs in a
 * loop and nothing else, as many benchmarks have it.
 */
#ifndef HY_TUNE_TRIAL_H
#define HY_TUNE_TRIAL_H

#include "pcoll/pcoll.h"

typedef struct hy_trial hy_trial;

typedef struct hy_trial_time {
    double
        ns; /* of start and wait: lower quartile of the batches, each that of its slowest member */
    double clock; /* seconds of member 0's clock, at the end */
} hy_trial_time;

/* Local. bytes: as hy_shape.bytes, of doubles where they are reduced and divide it, else of floats;
 * member 0 is the root. Memory of the heap for it, and the candidates. ARGUMENT, NO_MEMORY. */
int hy_trial_open(hy_comms *comms, int comm, hy_coll coll, uint64_t bytes, bool fresh,
                  hy_trial **trial);

void hy_trial_close(hy_trial *trial);

/* Fastest first as predicted, no two alike. */
int hy_trial_count(const hy_trial *trial);
const hy_choice *hy_trial_candidate(const hy_trial *trial, int index);

/* Which of them is what init chooses when only the transfer is asked for (AUTO: nothing); -1:
 * there is none. */
int hy_trial_chosen(const hy_trial *trial, hy_transfer transfer);

/* "algorithm=ring transfer=get ...": the options that force it, as snprintf. */
int hy_trial_options(const hy_trial *trial, int index, char *text, size_t size);

#define HY_TRIAL_BATCHES 256

/* Collective: prepares the candidate, runs it `warm` times untimed and then in `batches` (1 to
 * HY_TRIAL_BATCHES) of `runs`, start and wait, with a barrier before each. What else runs on the
 * machine spoils some batches; hence the quartile. The errors of an init and of a run; NO_MEMORY
 * and UNSUPPORTED on all members alike. */
int hy_trial_run(hy_trial *trial, int index, uint32_t warm, uint32_t batches, uint32_t runs,
                 hy_trial_time *time);

#endif
