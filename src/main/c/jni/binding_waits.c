/* SPDX-License-Identifier: Apache-2.0 */
/* `hayate stat --waits` and Hayate.waits(), for JNA. A look is represented by its address. */
#include "base/status.h"
#include "job/job.h"
#include "watchdog/awaited.h"
#include "watchdog/look.h"

/* Takes two looks if ranks seem to wait for each other, which takes a moment. Returns the address,
 * or an error code. */
HAYATE_API int64_t hayate_binding_waits_look(const hy_view *job)
{
    hy_look *look = hy_look_settled(job);
    return look ? (int64_t)(intptr_t)look : HAYATE_ERR_NO_MEMORY;
}

/* A look at the job of a rank of this process: one that neither waits nor looks for cycles, or, if
 * it is to be settled, as above. Returns the address, or an error code. The job may be closed, but
 * not freed. */
HAYATE_API int64_t hayate_binding_waits_own(const hy_job *job, int settled)
{
    hy_view view;
    int rc = hy_view_borrow(&view, job->boot.control, job->boot.segment_bytes, (uint32_t)job->size);
    if (rc) return rc;
    hy_look *look = settled ? hy_look_settled(&view) : hy_look_take(&view);
    return look ? (int64_t)(intptr_t)look : HAYATE_ERR_NO_MEMORY;
}

HAYATE_API void hayate_binding_waits_free(hy_look *look)
{
    hy_look_free(look);
}

HAYATE_API int hayate_binding_waits_count(const hy_look *look)
{
    return (int)look->wait_count;
}

/* numbers[0..7]: rank, thread, whether it is virtual, peer, mai or communicator, bytes, number, and
 * for how many nanoseconds. */
HAYATE_API void hayate_binding_waits_read(const hy_look *look, int index, int64_t *numbers)
{
    const hy_look_wait *wait = &look->waits[index];
    const hy_awaited *awaited = &wait->seen.awaited;
    uint64_t since = awaited->since_ns;
    numbers[0] = wait->rank;
    numbers[1] = awaited->thread;
    numbers[2] = awaited->is_virtual != 0;
    numbers[3] = awaited->peer;
    numbers[4] = awaited->place;
    numbers[5] = (int64_t)awaited->bytes;
    numbers[6] = (int64_t)awaited->number;
    numbers[7] = look->now_ns > since ? (int64_t)(look->now_ns - since) : 0;
}

HAYATE_API const char *hayate_binding_waits_kind(const hy_look *look, int index)
{
    return hy_awaited_kind_name(&look->waits[index].seen.awaited);
}

/* NULL: it is no collective. */
HAYATE_API const char *hayate_binding_waits_collective(const hy_look *look, int index)
{
    return hy_awaited_collective(&look->waits[index].seen.awaited);
}

HAYATE_API void hayate_binding_waits_text(const hy_look *look, int index, char *text, int room)
{
    hy_look_print_wait(look, &look->waits[index], text, (size_t)room);
}

/* Stores the ranks of a cycle, at most `room`, beginning with the lowest. Returns their number; 0:
 * there are fewer cycles. */
HAYATE_API int hayate_binding_waits_cycle(const hy_look *look, int index, int *ranks, int room)
{
    int first = hy_look_cycle(look, index), at = first, length = 0;
    if (first < 0) return 0;
    do {
        ranks[length++] = look->ranks[at].rank;
        at = look->ranks[at].next;
    } while (at != first && length < room);
    return length;
}

/* 1: the cycle is a deadlock for certain. */
HAYATE_API int hayate_binding_waits_is_certain(const hy_look *look, int index)
{
    return hy_look_is_certain(look, hy_look_cycle(look, index));
}

HAYATE_API void hayate_binding_waits_cycle_text(const hy_look *look, int index, char *text,
                                                int room)
{
    hy_look_print_cycle(look, hy_look_cycle(look, index), text, (size_t)room);
}
