/* SPDX-License-Identifier: Apache-2.0 */
/* Protocols heap and direct: loads and stores. One buffer is mapped at the other side: it is in
 * the symmetric heap, or, with direct, anywhere, because all ranks are in one address space.
 * Mapped memory has an offset in its owner's part (hy_job_offset()). The other buffer may be
 * anywhere. */
#include "msg/rendezvous_blocks.h"

/* Together about 2 us. */
#define PATIENCE 64

static hy_counter heap_counter(const hy_ep *ep)
{
    (void)ep;
    return HY_COUNT_HEAP;
}

static hy_counter direct_counter(const hy_ep *ep)
{
    (void)ep;
    return HY_COUNT_DIRECT;
}

/* Each block has a header of its own, which the peer may have changed. */
static int rendezvous_heap_put(hy_op *op, const hy_told_buffer *target, uint64_t offset,
                               uint64_t len)
{
    const hy_ep *ep = op->lane->channel.ep;
    if (target->offset == HY_NOT_IN_HEAP || !hy_told_is_valid(ep, target, op->length))
        return hy_rendezvous_corrupt(op, "a header that is outside its memory");
    const hy_section *section = hy_told_section(target);
    uint8_t *base = ep->part + target->offset;
    if (section) hy_section_put(section, base, &op->buffer, offset, len);
    else hy_buffer_read(&op->buffer, offset, base + offset, len);
    return HAYATE_OK;
}

static int get(hy_op *op, const hy_told_buffer *target, uint64_t offset, uint64_t len)
{
    (void)target;
    const hy_ep *ep = op->lane->channel.ep;
    const hy_section *section = hy_told_section(&op->source);
    const uint8_t *base = ep->part + op->source.offset;
    if (section) hy_section_get(section, base, &op->buffer, offset, len);
    else hy_buffer_write(&op->buffer, offset, base + offset, len);
    return HAYATE_OK;
}

static int loads_push(hy_op *op)
{
    bool mapped = hy_load_relaxed(&hy_rendezvous_mine(&op->lane->channel)->offset) !=
                  HY_NOT_IN_HEAP;
    if (mapped) hy_rendezvous_move_blocks(op, rendezvous_heap_put);
    return HAYATE_OK;
}

static int loads_pull(hy_op *op)
{
    if (op->source.offset != HY_NOT_IN_HEAP) hy_rendezvous_move_blocks(op, get);
    return HAYATE_OK;
}

static const char *const heap_words[] = {"heap", NULL}, *const direct_words[] = {"direct", NULL};

const hy_rendezvous_ops hy_rendezvous_heap = {
    .words = heap_words,
    .patience = PATIENCE,
    .needs = HY_HAS_MAPPED,
    .copies = 1,
    .counter = heap_counter,
    .in_blocks = true,
    .push = loads_push,
    .pull = loads_pull,
};

const hy_rendezvous_ops hy_rendezvous_direct = {
    .words = direct_words,
    .patience = PATIENCE,
    .needs = HY_HAS_MAPPED | HY_HAS_ONE_SPACE,
    .copies = 1,
    .counter = direct_counter,
    .in_blocks = true,
    .push = loads_push,
    .pull = loads_pull,
};
