/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which signals of a schedule go by cells (wire/cells.h), and where. Both members of a pair walk
 * over their signals in the same order with the same lengths, and so come to the same places.
 * Shapes whose lengths only one side may know (uneven ones) have none.
 *
 * The result is an array that belongs to the schedule: a word for each step, then the members of
 * which this rank waits for signals by cells: their number, and which.
 */
#ifndef HY_EXEC_PLACES_H
#define HY_EXEC_PLACES_H

#include "sched/schedule.h"
#include "wire/cells.h"

/* Of a step: 0: it is no signal, or goes by the channel. */
static inline uint32_t hy_place_line(uint32_t place)
{
    return (place & 0xff) - 1;
}

/* Of a payload that is not in the line, from the place of its turn on. */
static inline uint32_t hy_place_payload(uint32_t place)
{
    return place >> 8;
}

/* Sets schedule->places (NULL: all signals go by channels) and what concerns its boxes.
 * NO_MEMORY. */
int hy_places_find(hy_schedule *schedule, const hy_cells *cells);

#endif
