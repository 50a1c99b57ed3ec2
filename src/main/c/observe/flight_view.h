/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the file of a flight recorder (job/flight.h), of a rank that lives or is dead. Nothing in
 * the file is trusted: it is copied into private memory, its header must be exactly as expected,
 * and records with impossible contents are only counted.
 *
 * While the rank lives it may write at the same time. So the file is copied twice, and a record is
 * taken only if both copies are equal, apart from its outcome. */
#ifndef HY_OBSERVE_FLIGHT_VIEW_H
#define HY_OBSERVE_FLIGHT_VIEW_H

#include "job/flight.h"

typedef struct hy_flight_operation {
    hy_awaited awaited; /* without a name and a time */
    uint64_t number;    /* in the ring of its stripe: how many began there before, and this one */
    uint64_t start_ns;
    double took_ns; /* below 0: not ended */
    int rc;         /* with which it has ended */
    hy_counter way; /* how the data moved; 0: not known */
} hy_flight_operation;

typedef struct hy_flight_view {
    hy_flight_header header;          /* checked, and the host is printable */
    bool lives;                       /* the process exists, and has not left the job */
    uint64_t seen_ns;                 /* now if it lives, else its last sign of life */
    uint64_t begun;                   /* operations since the rank has joined */
    uint32_t count, damaged;          /* records that can be shown, and that cannot */
    hy_flight_operation operations[]; /* in the order of their starts */
} hy_flight_view;

/* ARGUMENT: no flight recorder, of another version, or of another user; CORRUPT: truncated, or an
 * impossible header; SYSTEM: the file cannot be read; NO_MEMORY. */
int hy_flight_view_open(const char *path, hy_flight_view **view);
void hy_flight_view_close(hy_flight_view *view);

/* The name of `way`; NULL: not known. */
const char *hy_flight_way_name(const hy_flight_operation *operation);

#endif
