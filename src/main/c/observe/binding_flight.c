/* SPDX-License-Identifier: Apache-2.0 */
/* `hayate flight`, for JNA. The copy of a flight recorder is represented by its address. */
#include "base/status.h"
#include "observe/flight_view.h"
#include "watchdog/awaited.h"

/* Returns the address, or an error code. */
HAYATE_API int64_t hayate_binding_flight_open(const char *path)
{
    hy_flight_view *view;
    int rc = hy_flight_view_open(path, &view);
    return rc ? rc : (int64_t)(intptr_t)view;
}

HAYATE_API void hayate_binding_flight_close(hy_flight_view *view)
{
    hy_flight_view_close(view);
}

/* numbers[0..8]: rank, ranks, process, whether it lives, whether it has left the job, its last sign
 * of life by the monotonic clock and as a time in nanoseconds since 1970, operations since it has
 * joined, damaged records. */
HAYATE_API void hayate_binding_flight_rank(const hy_flight_view *view, int64_t *numbers)
{
    const hy_flight_header *header = &view->header;
    numbers[0] = header->rank;
    numbers[1] = header->size;
    numbers[2] = header->pid;
    numbers[3] = view->lives;
    numbers[4] = header->left_ns != 0;
    numbers[5] = (int64_t)view->seen_ns;
    numbers[6] = (int64_t)(header->opened_real_ns + (view->seen_ns - header->opened_ns));
    numbers[7] = (int64_t)view->begun;
    numbers[8] = view->damaged;
}

HAYATE_API const char *hayate_binding_flight_host(const hy_flight_view *view)
{
    return view->header.host;
}

HAYATE_API int hayate_binding_flight_count(const hy_flight_view *view)
{
    return (int)view->count;
}

/* numbers[0..8]: thread, start by the monotonic clock, nanoseconds that it took (-1: not ended),
 * error code, peer or root, mai or communicator, bytes, number, operation of an atomic or
 * comparison. */
HAYATE_API void hayate_binding_flight_read(const hy_flight_view *view, int index, int64_t *numbers)
{
    const hy_flight_operation *operation = &view->operations[index];
    const hy_awaited *awaited = &operation->awaited;
    numbers[0] = awaited->thread;
    numbers[1] = (int64_t)operation->start_ns;
    numbers[2] = operation->took_ns < 9e18 ? (int64_t)operation->took_ns : INT64_MAX;
    numbers[3] = operation->rc;
    numbers[4] = awaited->peer;
    numbers[5] = awaited->place;
    numbers[6] = (int64_t)awaited->bytes;
    numbers[7] = (int64_t)awaited->number;
    numbers[8] = awaited->what;
}

HAYATE_API const char *hayate_binding_flight_kind(const hy_flight_view *view, int index)
{
    return hy_awaited_kind_name(&view->operations[index].awaited);
}

/* NULL: it is no collective. */
HAYATE_API const char *hayate_binding_flight_collective(const hy_flight_view *view, int index)
{
    return hy_awaited_collective(&view->operations[index].awaited);
}

/* NULL: not known. */
HAYATE_API const char *hayate_binding_flight_way(const hy_flight_view *view, int index)
{
    return hy_flight_way_name(&view->operations[index]);
}
