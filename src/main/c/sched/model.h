/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The performance of the machine: LogGP-like terms, measured by `hayate tune`, or defaults for a
 * typical current node. Times are in nanoseconds. Times per byte are curves over sizes, because of
 * the caches.
 */
#ifndef HY_SCHED_MODEL_H
#define HY_SCHED_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/net_class.h"

#define HY_CURVE_POINTS 8

/* Nanoseconds of one operation on hy_curve_bytes[i] bytes, interpolated and extrapolated
 * linearly. */
typedef struct hy_curve {
    double ns[HY_CURVE_POINTS];
} hy_curve;

extern const uint64_t
    hy_curve_bytes[HY_CURVE_POINTS]; /* 64, 512, 4 Ki, 32 Ki, 256 Ki, 1, 4, 16 Mi */

double hy_curve_at(const hy_curve *curve, uint64_t bytes); /* 0 for 0 bytes */

/* A network between nodes. */
typedef struct hy_net_model {
    double latency;  /* L: from one NIC to another, without its bytes */
    double overhead; /* o: CPU time to begin an operation, or to handle an arrival */
    double gap;      /* g: time of a node's NIC for each message */
    double byte;     /* G: time of a node's NIC for each byte, shared by the flows of all its
                      * ranks */
} hy_net_model;

typedef struct hy_model {
    double signal;        /* o of the sender: posting a signal without payload */
    double flight;        /* L: from posting until a polling receiver on another core can see it */
    double take;          /* o of the receiver: taking a signal that has arrived */
    double step;          /* additional cost of every step */
    double turn;          /* for ranks that share a core: from a yield until the next rank runs */
    double start;         /* start and wait of a persistent operation, without its steps */
    hy_curve payload_out; /* copy into a signal's payload or an eager buffer */
    hy_curve payload_in;  /* copy out of it, just written by another core */
    hy_curve copy;        /* COPY, with source and destination of this rank */
    hy_curve put, get;    /* to and from a peer's part of the segment */
    hy_curve single;      /* the same by the kernel's single copy, for memory outside of the heap */
    hy_curve reduce;      /* sum of doubles, both sides of this rank */
    hy_curve reduce_get;  /* the same, with one side in a peer's part */
    double bandwidth;     /* bytes per ns that all cores together move between memory and caches */
    uint64_t cached;      /* up to this many bytes, the bandwidth is no limit */
    int cpus;             /* of a node, shared by its ranks */
    bool measured;        /* by `hayate tune` on this machine */
    hy_net_model nets[HY_NETS];
    hy_net_class net; /* the network that connects the nodes */
} hy_model;

hy_model hy_model_default(int cpus);

static inline const hy_net_model *hy_model_net(const hy_model *model)
{
    return &model->nets[model->net];
}

/* For formulas: replaces the terms for moves between ranks by those of the network. */
hy_model hy_model_across(const hy_model *model);

const char *hy_net_class_name(hy_net_class class); /* "tcp" */
bool hy_net_class_find(const char *name, hy_net_class *class);

#endif
