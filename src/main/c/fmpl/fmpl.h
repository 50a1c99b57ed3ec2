/* SPDX-License-Identifier: Apache-2.0 */
/* FMPL of one process: messages by matching areas, and collectives of communicators. */
#ifndef HY_FMPL_FMPL_H
#define HY_FMPL_FMPL_H

#include "coll/comm.h"
#include "msg/msg.h"

typedef struct hy_fmpl {
    hy_msg msg; /* first: the calls from Java take its address for both */
    hy_comms *comms;
} hy_fmpl;

/* Collective over the job. match, flags: fmpl_init(). */
int hy_fmpl_open(hy_fmpl **fmpl, hy_job *job, void *match, void *flags, int64_t count);
/* Ends everything under way with CLOSED; memory stays until hy_fmpl_free(). Idempotent. */
void hy_fmpl_close(hy_fmpl *fmpl);
void hy_fmpl_free(hy_fmpl *fmpl);

/* Gives back the eager buffers that nobody waits for, of all lanes and communicators that are not
 * in use at the moment: *bytes. CLOSED. */
int hy_fmpl_trim(hy_fmpl *fmpl, uint64_t *bytes);

#endif
