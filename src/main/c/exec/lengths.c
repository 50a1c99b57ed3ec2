/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out which block a signal belongs to, and how much of it had come before. */
#include "exec/lengths.h"

#include <stdio.h>

/* Bytes of the peer's block before this payload. */
static uint64_t bytes_before(const hy_shape *shape, const hy_step *step)
{
    if (step->len == 0) return 0;
    return step->local_off - (shape->out_blocks ? shape->out_blocks[step->peer].off : 0);
}

/* Whether it is about the block that this rank sends: who puts must learn where, and who is read
 * waits for the end (sched/stream.h). */
static bool is_outward(const hy_schedule *schedule, const hy_step *step, bool region)
{
    bool learns = region || step->flags & HY_STEP_EXPOSE;
    return learns == (schedule->way.transfer == HY_TRANSFER_PUT) && (learns || !step->len);
}

static int private_text(const hy_schedule *schedule, const hy_step *step, int ahead, hy_told told,
                        int rank, char *text, size_t size)
{
    const hy_shape *shape = &schedule->shape;
    if (ahead < 0)
        return snprintf(text, size,
                        "%s: rank %d has sent more bytes in an earlier call than this rank "
                        "expected: check the sizes that both pass",
                        hy_coll_name(shape->coll), rank);
    if (ahead) told = (hy_told){0}; /* of this call nothing more comes */
    bool out = is_outward(schedule, step, told.region);
    bool part = step->len && told.bytes == HY_SCHED_PAYLOAD; /* more may follow */
    return snprintf(
        text, size, "%s: rank %d %s %s%llu bytes %s this rank, which %s %llu bytes",
        hy_coll_name(shape->coll), rank, out ? "expects" : "sends", part ? "at least " : "",
        (unsigned long long)(bytes_before(shape, step) + told.bytes), out ? "from" : "to",
        out ? "sends" : "expects",
        (unsigned long long)hy_shape_view_bytes(shape, out ? HY_OUT : HY_IN, step->peer));
}

/* What a signal tells if all members pass the same blocks. */
static uint64_t told_if_same(const hy_shape *shape, const hy_step *step)
{
    if (!(step->flags & HY_STEP_EXPOSE)) return step->len;
    if (step->remote == HY_IN && shape->coll == HY_COLL_ALLGATHER)
        return shape->out_blocks[step->peer].len;
    return hy_region_bytes(shape, (hy_region)step->remote);
}

static int common_text(const hy_shape *shape, const hy_step *step, hy_told told, int rank,
                       char *text, size_t size)
{
    uint64_t expected = told_if_same(shape, step);
    if (!told.bytes || !expected || told.bytes == expected) return 0;
    return snprintf(text, size,
                    "%s: rank %d passes other sizes or offsets of blocks than this rank (%llu "
                    "bytes where this rank expects %llu): all members must pass the same",
                    hy_coll_name(shape->coll), rank, (unsigned long long)told.bytes,
                    (unsigned long long)expected);
}

int hy_lengths_text(const hy_schedule *schedule, const hy_step *step, uint32_t cookie, hy_told told,
                    int rank, char *text, size_t size)
{
    const hy_shape *shape = &schedule->shape;
    int ahead = hy_cookie_ahead(cookie, told.cookie);
    if (!shape->uneven || step->kind != HY_STEP_WAIT ||
        !hy_cookie_agrees_but_for_size(cookie, told.cookie))
        return 0;
    if (hy_shape_is_private(shape))
        return private_text(schedule, step, ahead, told, rank, text, size);
    return common_text(shape, step, told, rank, text, size);
}
