/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A wired schedule in a form that does not depend on a process, so that another process which maps
 * the rank's part can run it: the delegatee of the node (room deleg). Addresses are offsets in the
 * part of the rank that owns them, peers are ranks of the job, and the reduction is one of the
 * predefined ones, by its number. The image lies in the rank's heap:
 *
 *    | hy_wired_image | count_at of each member | ranks of the members | told | asked | steps |
 *
 * The rank writes it once, before it tells the other process; that one takes a copy and checks it.
 * From then on only `finished` and `status` of the image are used: the process that runs the
 * schedule stores the status of a run, then its number with release order, and rings the rank's
 * bell. The rank begins a run only when the one before has finished.
 */
#ifndef HY_EXEC_WIRED_IMAGE_H
#define HY_EXEC_WIRED_IMAGE_H

#include "exec/wired.h"

#define HY_IMAGE_MAGIC UINT64_C(0x3167616d69796879)
#define HY_IMAGE_NO_REDUCTION UINT32_MAX

/* `remote` of a WAIT, a COPY and a REDUCE within the rank's memory is in the rank's own part. */
typedef struct hy_image_step {
    uint8_t kind, flags;
    int32_t peer;
    uint64_t len, local, remote, local_turn, remote_turn;
} hy_image_step;

typedef struct hy_wired_image {
    uint64_t magic, bytes; /* of all of it */
    uint32_t size, rank;   /* members, and which of them this is */
    uint32_t depth, steps, told, asked;
    uint32_t unit, reduction;             /* index in hy_reductions */
    uint64_t lines;                       /* offset of the counts, HY_SLOT_STRIDE for each member */
    HY_ALIGNED _Atomic uint64_t finished; /* the last run that has ended */
    _Atomic int32_t status;
} hy_wired_image;

/* Makes the image, in the rank's heap. UNSUPPORTED, with the reason: something in the schedule
 * cannot be reached by other processes. NO_MEMORY. */
int hy_wired_pack(const hy_wired *wired, uint32_t reduction, hy_wired_image **image);

/* What a process needs to run images of the rank with this part. */
typedef struct hy_image_place {
    uint8_t *part; /* of the rank */
    uint64_t part_bytes;
    /* The endpoint of a rank of the job, and what to add to offsets in its part. NULL: there is no
     * such rank. */
    hy_ep *(*ep_of)(void *context, uint32_t rank, uint64_t *base);
    void *context;
    /* The function of a predefined reduction, and the alignment of its elements; NULL: there is
     * none of this number and unit. */
    hy_reduce (*reduction_of)(uint32_t number, uint32_t unit, uint32_t *align, void **context);
} hy_image_place;

/* Makes a wired schedule from the image at this offset, whose contents are not trusted: whatever
 * they are, running it touches memory of the part and of the parts of peers only. CORRUPT,
 * NO_MEMORY. hy_wired_drop() frees it. */
int hy_wired_unpack(hy_wired *wired, const hy_image_place *place, uint64_t offset, uint64_t bytes);
void hy_wired_drop(hy_wired *wired);

#endif
