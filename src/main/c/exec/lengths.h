/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Says in words that two members disagree on the bytes between them. In gatherv, scatterv and
 * alltoallv each knows only its own blocks, so lengths are compared when a signal arrives. Its
 * cookie contains the number of the call, so that what is left of one call is not taken for part of
 * the next one.
 */
#ifndef HY_EXEC_LENGTHS_H
#define HY_EXEC_LENGTHS_H

#include "exec/cookie.h"

/* What has come instead of the signal for which a step waits; bytes 0: nothing. */
typedef struct hy_told {
    uint32_t cookie;
    bool region; /* the bytes are those of a region, not of a payload */
    uint64_t bytes;
} hy_told;

/* Writes how many bytes `rank`, the peer of this WAIT, sends or expects, and how many this rank.
 * `cookie`: of the run. Returns like snprintf; 0: they do not disagree on the bytes of a block. */
int hy_lengths_text(const hy_schedule *schedule, const hy_step *step, uint32_t cookie, hy_told told,
                    int rank, char *text, size_t size);

#endif
