/* SPDX-License-Identifier: Apache-2.0 */
/* The bounce buffer: memory that a path can read is reduced in pieces that were copied into it. */
#include "exec/fold.h"

#include <stdlib.h>

#include "base/status.h"

int hy_fold_room(hy_fold *fold)
{
    if (!fold->bounce) fold->bounce = aligned_alloc(HY_LINE, HY_BOUNCE_BYTES);
    return fold->bounce ? HAYATE_OK
                        : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a bounce buffer");
}

void hy_fold_release(hy_fold *fold)
{
    free(fold->bounce);
    fold->bounce = NULL;
}

int hy_fold_through(const hy_fold *fold, const hy_path_ops *path, hy_ep *ep, uint64_t remote,
                    uint8_t *into, uint64_t len)
{
    for (uint64_t done = 0, piece; done < len; done += piece) {
        piece = hy_fold_piece(fold, len - done);
        int rc = path->get(ep, remote + done, fold->bounce, piece);
        if (rc) return rc;
        hy_fold_in(fold, into + done, fold->bounce, piece);
    }
    return HAYATE_OK;
}
