/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long messages between far peers. The sender announces; the receiver fetches.
 *
 *   in the sender's heap    LONG(offset) ->   get, get, ...          <- done
 *   elsewhere               the stage is filled as far as it goes, then
 *                           produced, LONG -> get a piece <- done, produced -> get ... <- done
 *
 * What the two tell each other are flags in each other's match entry: the receiver writes `claim`
 * (it is there, or no longer) and `done` with `failed`; the sender writes `produced` with the place
 * of its stage and `gone`, the mark of a message that it gave up. Fetched data count only if `gone`
 * is not there after the fetch: who gives up says so first, and then takes the memory back.
 */
#include "msg/rendezvous.h"

/* The most that is fetched in a step, which does not come back before. */
#define FETCH_BYTES (UINT64_C(1) << 20)

static int tell(const hy_op *op, size_t field, uint64_t value, uint64_t first, uint64_t second,
                uint64_t third)
{
    return hy_channel_flag(&op->lane->channel, field, value, first, second, third);
}

static void prepare(hy_op *op)
{
    op->start = op->sends ? op->lane->moved_out : op->lane->moved_in;
    op->target = op->start + op->length;
    op->staged = 0;
}

/* ---- sender ---- */

static int tell_produced(const hy_op *op, uint64_t gone)
{
    const hy_lane *lane = op->lane;
    uint64_t stage = lane->stage ? (uint64_t)(lane->stage - hy_op_job(op)->part) : 0;
    return tell(op, offsetof(hy_match, produced), op->start + op->staged, stage, HY_STAGE_BYTES,
                gone);
}

/* As far as it goes; `taken` bytes of the message have been fetched. */
static int fill_stage(hy_op *op, uint64_t taken)
{
    uint64_t before = op->staged;
    while (op->staged < op->length) {
        uint64_t len = hy_rendezvous_piece(op);
        if (op->staged + len - taken > HY_STAGE_BYTES) break;
        hy_buffer_read(&op->buffer, op->staged, op->lane->stage + op->staged % HY_STAGE_BYTES, len);
        op->staged += len;
    }
    return op->staged == before ? HAYATE_OK : tell_produced(op, 0);
}

int hy_rendezvous_announce_far(hy_op *op)
{
    hy_lane *lane = op->lane;
    hy_job *job = hy_op_job(op);
    uint64_t offset = HY_NOT_IN_HEAP;
    if (op->buffer.address && job->rendezvous != HY_RENDEZVOUS_PIPELINE)
        offset = hy_job_heap_offset(job, op->buffer.address, op->size);
    op->way = offset == HY_NOT_IN_HEAP ? HY_RENDEZVOUS_PIPELINE : HY_RENDEZVOUS_HEAP;
    op->length = op->size;
    op->number = lane->channel.sent + 1;
    op->parcel = (hy_parcel){.offset = offset, .len = op->size};
    op->patience = 0;
    prepare(op);
    if (op->way == HY_RENDEZVOUS_PIPELINE) {
        int rc = hy_rendezvous_open_stage(lane);
        if (!rc) rc = fill_stage(op, 0);
        if (rc) return rc;
    }
    hy_channel_post(&lane->channel, HY_KIND_LONG, &op->parcel, sizeof op->parcel);
    return HAYATE_OK;
}

static int move_out(hy_op *op)
{
    const hy_match *match = op->lane->channel.match;
    uint64_t done = hy_load_acquire(&match->done), taken = done - op->start;
    if ((int64_t)taken < 0) taken = 0; /* the end of a message that was given up is still to come */
    if (taken > op->length) return hy_rendezvous_corrupt(op, "a wrong count of bytes");
    if (done != op->target) {
        int rc = op->way == HY_RENDEZVOUS_PIPELINE ? fill_stage(op, taken) : HAYATE_OK;
        return rc ? rc : HAYATE_IN_PROGRESS;
    }
    op->lane->moved_out = op->target;
    hy_rendezvous_count(op, op->way);
    bool failed = hy_load_relaxed(&match->failed) == hy_rendezvous_mark(op);
    return failed ? hy_rendezvous_gave_up(op) : HAYATE_OK;
}

/* ---- receiver ---- */

void hy_rendezvous_offer_far(const hy_op *op, uint64_t claim)
{
    tell(op, offsetof(hy_match, claim), claim, 0, 0, 0);
}

void hy_rendezvous_accept_far(hy_op *op)
{
    op->way = op->parcel.offset == HY_NOT_IN_HEAP ? HY_RENDEZVOUS_PIPELINE : HY_RENDEZVOUS_HEAP;
    prepare(op);
}

/* Straight into memory, through the bounce buffer into what has no address. */
static int fetch(hy_op *op, uint64_t from, uint64_t len)
{
    hy_ep *ep = op->lane->channel.ep;
    if (op->buffer.address) return ep->ops->get(ep, from, op->buffer.address + op->staged, len);
    hy_lane *lane = op->lane;
    if (!lane->bounce) lane->bounce = hy_job_alloc(hy_op_job(op), HY_STAGE_BYTES);
    if (!lane->bounce) return HAYATE_ERR_NO_MEMORY;
    int rc = ep->ops->get(ep, from, lane->bounce, len);
    if (!rc) hy_buffer_write(&op->buffer, op->staged, lane->bounce, len);
    return rc;
}

static int fetch_from_heap(hy_op *op)
{
    uint64_t most = op->buffer.address ? FETCH_BYTES : HY_STAGE_BYTES;
    uint64_t left = op->length - op->staged, len = left < most ? left : most;
    int rc = fetch(op, op->parcel.offset + op->staged, len);
    if (!rc) op->staged += len;
    return rc;
}

/* Counts of earlier messages are behind `start`: the difference is huge then. */
static int fetch_from_stage(hy_op *op)
{
    const hy_match *mine = op->lane->channel.match;
    uint64_t produced = hy_load_acquire(&mine->produced) - op->start;
    uint64_t len = hy_rendezvous_piece(op), stage = hy_load_relaxed(&mine->stage_offset);
    if (produced > op->length || produced < op->staged + len) return HAYATE_IN_PROGRESS;
    if (hy_load_relaxed(&mine->stage_bytes) != HY_STAGE_BYTES ||
        !hy_ep_contains(op->lane->channel.ep, stage, HY_STAGE_BYTES))
        return hy_rendezvous_corrupt(op, "a stage that lies outside of its memory");
    int rc = fetch(op, stage + op->staged % HY_STAGE_BYTES, len);
    if (!rc) op->staged += len;
    return rc;
}

static bool is_gone(const hy_op *op)
{
    return hy_load_acquire(&op->lane->channel.match->gone) == hy_rendezvous_mark(op);
}

/* A failure of the path that would have told is the sender's to find out. */
static void tell_failed(hy_op *op)
{
    op->lane->moved_in = op->target;
    tell(op, offsetof(hy_match, done), op->target, hy_rendezvous_mark(op), 0, 0);
}

/* The sender waits for `done` at the end, and between where its stage is too short for all. */
static int move_in(hy_op *op)
{
    bool staged = op->way == HY_RENDEZVOUS_PIPELINE;
    int rc = is_gone(op) ? hy_rendezvous_gave_up(op)
             : staged    ? fetch_from_stage(op)
                         : fetch_from_heap(op);
    if (rc == HAYATE_OK && is_gone(op)) rc = hy_rendezvous_gave_up(op);
    if (rc < 0) tell_failed(op);
    if (rc) return rc;
    bool over = op->staged == op->length;
    if (over) op->lane->moved_in = op->target;
    if (over || (staged && op->length > HY_STAGE_BYTES))
        rc = tell(op, offsetof(hy_match, done), op->start + op->staged, 0, 0, 0);
    return over ? HAYATE_OK : rc ? rc : HAYATE_IN_PROGRESS;
}

/* ---- both ---- */

int hy_rendezvous_move_far(hy_op *op)
{
    return op->sends ? move_out(op) : move_in(op);
}

void hy_rendezvous_revoke_far(hy_op *op)
{
    hy_ep *ep = op->lane->channel.ep;
    if (!op->sends) {
        tell_failed(op);
        return;
    }
    op->lane->moved_out = op->target; /* as the receiver will, who does not move it any more */
    if (!tell_produced(op, hy_rendezvous_mark(op))) ep->ops->flush(ep);
}
