/* SPDX-License-Identifier: Apache-2.0 */
/* Takes shape, blocks and sides from the arguments of a call, which coll checks. */
#include <stdlib.h>

#include "pcoll/operation.h"

static int take_blocks(hy_pcoll *op, bool uneven)
{
    size_t size = (size_t)op->comm->group.size;
    if (!uneven) return HAYATE_OK;
    op->in_blocks = calloc(size, sizeof *op->in_blocks);
    op->out_blocks = calloc(size, sizeof *op->out_blocks);
    if (op->in_blocks && op->out_blocks) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %zu blocks", size);
}

static void set_side(hy_pcoll *op, hy_side *side, hy_region region, const hy_buffer *buffer)
{
    if (!hy_arguments_has_side(&op->shape, region)) return;
    side->bytes = hy_region_bytes(&op->shape, region);
    side->buffer = *buffer;
}

static void set_data(hy_pcoll *op, const hy_buffer *buffer)
{
    op->in = (hy_side){.buffer = *buffer, .bytes = op->out.bytes, .lent = true};
}

int hy_pcoll_arguments(hy_pcoll *op, const hy_arguments *of_all, const hy_reduction *reduction)
{
    const hy_group *group = &op->comm->group;
    const hy_arguments own = hy_arguments_of_member(of_all, group->rank), *call = &own;
    op->shape = (hy_shape){
        .rank = group->rank, .size = group->size, .wired = true, .nodes = op->comm->nodes};
    int rc = take_blocks(op, call->uneven);
    if (!rc) rc = hy_arguments_check(call, reduction, &op->shape, op->in_blocks, op->out_blocks);
    if (!rc) rc = hy_arguments_apart(&op->shape);
    if (rc) return rc;
    set_side(op, &op->in, HY_IN, &call->in);
    set_side(op, &op->out, HY_OUT, &call->out);
    if (call->apart) set_data(op, &call->in);
    return HAYATE_OK;
}
