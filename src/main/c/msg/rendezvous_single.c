/* SPDX-License-Identifier: Apache-2.0 */
/* Protocol single copy: between any two native buffers, by a put or get of the path that reaches
 * the peer's process. It is enough if one side can do so. */
#include "msg/rendezvous_blocks.h"

/* The counter of the path that works with this peer. */
static hy_counter rendezvous_single_counter(const hy_ep *ep)
{
    return ep->single && ep->single->caps & HY_CAP_LOADS ? HY_COUNT_DIRECT : HY_COUNT_CMA;
}

/* ---- sections ---- */

/* Pieces of one system call: beyond this many, the call itself costs nothing. */
#define PIECES 256

typedef struct pieces {
    struct iovec piece[PIECES];
    size_t count;
} pieces;

static void add(pieces *all, uint64_t address, uint64_t len)
{
    struct iovec *last = all->count ? &all->piece[all->count - 1] : NULL;
    if (last && (uintptr_t)last->iov_base + last->iov_len == address) {
        last->iov_len += len;
        return;
    }
    all->piece[all->count++] = (struct iovec){(void *)(uintptr_t)address, len};
}

/* Where the next bytes of a side are, from its address on. */
static hy_section_cursor seek(const hy_section *section, uint64_t offset, uint64_t len)
{
    if (section) return hy_section_seek(section, offset);
    return (hy_section_cursor){.at = offset, .left = len};
}

typedef struct scattered {
    hy_ep *ep;
    bool put;
    uint64_t local, remote; /* addresses of the two sides */
    hy_section_cursor mine, theirs;
    uint64_t len;
} scattered;

static uint64_t next_run(const scattered *s)
{
    uint64_t run = s->mine.left < s->theirs.left ? s->mine.left : s->theirs.left;
    return run < s->len ? run : s->len;
}

static void skip(scattered *s, uint64_t run)
{
    hy_section_skip(&s->mine, run);
    hy_section_skip(&s->theirs, run);
    s->len -= run;
}

static int move_run(scattered *s, uint64_t run)
{
    uint8_t *local = (uint8_t *)(uintptr_t)(s->local + s->mine.at);
    uint64_t remote = s->remote + s->theirs.at;
    int rc = s->put ? s->ep->single->put(s->ep, remote, local, run)
                    : s->ep->single->get(s->ep, remote, local, run);
    skip(s, run);
    return rc;
}

static int move_pieces(scattered *s)
{
    pieces local, remote;
    local.count = remote.count = 0;
    while (s->len && local.count < PIECES && remote.count < PIECES) {
        uint64_t run = next_run(s);
        add(&local, s->local + s->mine.at, run);
        add(&remote, s->remote + s->theirs.at, run);
        skip(s, run);
    }
    return s->ep->single->move_pieces(s->ep, s->put, local.piece, local.count, remote.piece,
                                      remote.count);
}

static int move_scattered(const hy_op *op, bool put, const hy_told_buffer *told, uint64_t offset,
                          uint64_t len)
{
    const hy_strided *strided = hy_buffer_strided(&op->buffer);
    const uint8_t *local = strided ? strided->inner.address : op->buffer.address;
    scattered s = {.ep = op->lane->channel.ep,
                   .put = put,
                   .local = (uint64_t)(uintptr_t)local,
                   .remote = told->address,
                   .mine = seek(strided ? &strided->section : NULL, offset, len),
                   .theirs = seek(hy_told_section(told), offset, len),
                   .len = len};
    int rc = HAYATE_OK;
    while (s.len && !rc)
        rc = s.ep->single->move_pieces ? move_pieces(&s) : move_run(&s, next_run(&s));
    return rc;
}

static bool is_scattered(const hy_op *op, const hy_told_buffer *told)
{
    return !op->buffer.address || hy_told_section(told);
}

/* ---- the protocol ---- */

static int rendezvous_single_put(hy_op *op, const hy_told_buffer *target, uint64_t offset,
                                 uint64_t len)
{
    hy_ep *ep = op->lane->channel.ep;
    if (!hy_told_is_valid(ep, target, op->length))
        return hy_rendezvous_corrupt(op, "a header with an invalid section");
    if (is_scattered(op, target)) return move_scattered(op, true, target, offset, len);
    return ep->single->put(ep, target->address + offset, op->buffer.address + offset, len);
}

static int get(hy_op *op, const hy_told_buffer *target, uint64_t offset, uint64_t len)
{
    (void)target;
    hy_ep *ep = op->lane->channel.ep;
    if (is_scattered(op, &op->source)) return move_scattered(op, false, &op->source, offset, len);
    return ep->single->get(ep, op->source.address + offset, op->buffer.address + offset, len);
}

static int push(hy_op *op)
{
    if (op->lane->channel.ep->single) hy_rendezvous_move_blocks(op, rendezvous_single_put);
    return HAYATE_OK;
}

static int rendezvous_single_pull(hy_op *op)
{
    if (op->lane->channel.ep->single) hy_rendezvous_move_blocks(op, get);
    return HAYATE_OK;
}

static const char *const words[] = {"cma", "copy", "attach", NULL};

const hy_rendezvous_ops hy_rendezvous_single = {
    .words = words,
    .needs = HY_HAS_ADDRESSES | HY_HAS_REACH,
    .copies = 1,
    .single = true,
    .counter = rendezvous_single_counter,
    .in_blocks = true,
    .push = push,
    .pull = rendezvous_single_pull,
};
