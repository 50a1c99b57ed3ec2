/* SPDX-License-Identifier: Apache-2.0 */
/* Some ranks of a job that act together, with a channel from this rank to each of them. */
#ifndef HY_WIRE_GROUP_H
#define HY_WIRE_GROUP_H

#include "wire/channel.h"

typedef struct hy_group {
    hy_job *job;
    int rank, size;       /* in the group */
    int *members;         /* job ranks, ascending */
    hy_channel *channels; /* [size] */
    uint64_t match_offset, flag_offset;
} hy_group;

/* Collective set-up over ALL ranks of the job, by who has entered it (job/setup.h, also for
 * `closed`); those with join are the members. A rank that does not join gets size 0. On an error on
 * one rank all fail. */
int hy_group_open(hy_group *group, hy_job *job, bool join, const _Atomic uint32_t *closed);
void hy_group_close(hy_group *group);

#endif
