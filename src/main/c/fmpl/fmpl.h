/* SPDX-License-Identifier: Apache-2.0 */
/* FMPL of one process: messages through matching areas, and collectives on communicators. */
#ifndef HY_FMPL_FMPL_H
#define HY_FMPL_FMPL_H

#include "coll/comm.h"
#include "job/shrinkers.h"
#include "msg/msg.h"

typedef struct hy_fmpl {
    hy_msg msg; /* first member: Java passes one address for both types */
    hy_comms *comms;
    hy_shrinker shrinker; /* frees what hy_fmpl_trim() frees */
} hy_fmpl;

/* Collective over the job. For match and flags see fmpl_init(). */
int hy_fmpl_open(hy_fmpl **fmpl, hy_job *job, void *match, void *flags, int64_t count);
/* Ends all operations that are under way with CLOSED; the memory stays until hy_fmpl_free().
 * Idempotent. MISMATCH: as hy_comms_close(). */
int hy_fmpl_close(hy_fmpl *fmpl);
void hy_fmpl_free(hy_fmpl *fmpl);

/* Frees the idle eager buffers of all lanes and communicators that are not in use at the moment.
 * *bytes becomes the number of bytes. CLOSED. */
int hy_fmpl_trim(hy_fmpl *fmpl, uint64_t *bytes);

#endif
