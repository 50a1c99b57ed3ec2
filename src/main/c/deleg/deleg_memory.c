/* SPDX-License-Identifier: Apache-2.0 */
/* Data of a put that are outside of the rank's part: the delegatee copies them from the process of
 * the rank, one piece after the other. */
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "base/status.h"
#include "deleg/deleg_state.h"

/* Short enough that the copy by the kernel does not keep other ranks waiting. */
#define PIECE_BYTES (UINT64_C(256) << 10)

/* ---- which processes can be reached ---- */

/* Cookie, address and pid come from the rank. It could name another process of the same user; the
 * kernel decides whether the delegatee may access that one, and the rank may do so itself. */
static void probe_process(hy_deleg *deleg, deleg_rank *rank)
{
    hy_delegation_rank *shared = rank->shared;
    int32_t pid = hy_load_acquire(&shared->pid);
    if (pid == 0) return;
    rank->probed = true;
    rank->process = (hy_ep){.rank = (int)rank->part,
                            .pid = pid,
                            .cookie_address = shared->cookie_address,
                            .cookie = shared->cookie};
    hy_ep_choose_single(&rank->process, hy_path_cma.name);
    hy_store_release(&shared->reachable, rank->process.single != NULL);
    if (rank->process.single || deleg->told) return;
    deleg->told = true;
    hy_log(HY_LOG_INFO,
           "data of rank %d outside of the symmetric heap are copied through a buffer: %s",
           hy_layout_rank(&deleg->layout, (uint32_t)deleg->job.rank, rank->part),
           rank->process.why_not_single);
}

void hy_deleg_probe(hy_deleg *deleg)
{
    for (uint32_t part = 0; part < deleg->parts; part++)
        if (hy_unlikely(!deleg->ranks[part].probed)) probe_process(deleg, &deleg->ranks[part]);
}

/* ---- pieces ---- */

/* An error of the copy is about the rank that gave the command, not about its peer. */
static int begin_piece(deleg_op *op)
{
    uint64_t left = op->command.len - op->moved;
    op->op.len = left < PIECE_BYTES ? left : PIECE_BYTES;
    op->op.local = op->piece;
    op->op.ordered = false;
    hy_ep *process = &op->ring->rank->process;
    if (process->single->get(process, op->command.local + op->moved, op->piece, op->op.len))
        return HAYATE_ERR_SYSTEM;
    return hy_op_begin(op->ep->ops, op->ep, &op->op);
}

/* rc: of the piece under way. What is behind the command waits for its last piece. */
static int move_on(deleg_op *op, int rc)
{
    while (rc == HAYATE_OK && op->moved < op->command.len) {
        op->moved += op->op.len;
        op->op.remote += op->op.len;
        if (op->moved < op->command.len) rc = begin_piece(op);
    }
    if (rc == HAYATE_IN_PROGRESS) {
        if (op->command.len - op->moved > op->op.len) op->op.ordered = false;
        return rc;
    }
    free(op->piece);
    op->piece = NULL;
    return rc;
}

int hy_deleg_pieces_begin(deleg_op *op)
{
    const hy_ep *process = &op->ring->rank->process;
    if (!process->single)
        return hy_fail(HAYATE_ERR_UNSUPPORTED, "the process of a rank cannot be reached: %s",
                       process->why_not_single);
    op->piece = malloc(PIECE_BYTES);
    if (!op->piece) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a piece of data");
    op->moved = 0;
    return move_on(op, op->command.len ? begin_piece(op) : HAYATE_OK);
}

int hy_deleg_pieces_test(deleg_op *op)
{
    return move_on(op, hy_op_test(op->ep->ops, op->ep, &op->op));
}
