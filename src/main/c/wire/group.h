/* SPDX-License-Identifier: Apache-2.0 */
/* A group: some ranks of a job, with a channel from this rank to each of them. */
#ifndef HY_WIRE_GROUP_H
#define HY_WIRE_GROUP_H

#include "wire/channel.h"

typedef struct hy_group {
    hy_job *job;
    int rank, size;       /* in the group */
    int *members;         /* ranks of the job, ascending */
    hy_channel *channels; /* [size] */
    uint64_t match_offset, flag_offset;
} hy_group;

/* Collective set-up over ALL ranks of the job. The caller has entered it (job/setup.h, also for
 * `closed`). The ranks with `join` are the members; a rank that does not join gets size 0. An
 * error on one rank fails on all. */
int hy_group_open(hy_group *group, hy_job *job, bool join, const _Atomic uint32_t *closed);
void hy_group_close(hy_group *group);

#endif
