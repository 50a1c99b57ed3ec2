/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the machine can do: LogGP-like terms, measured by `hayate tune` or defaults that suit a node
 * of today. Times in nanoseconds. What takes time by the byte is a curve over sizes, because the
 * caches make it one.
 */
#ifndef HY_SCHED_MODEL_H
#define HY_SCHED_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/net_class.h"

#define HY_CURVE_POINTS 8

/* Nanoseconds of one operation of hy_curve_bytes[i] bytes; in between and beyond: straight lines.
 */
typedef struct hy_curve {
    double ns[HY_CURVE_POINTS];
} hy_curve;

extern const uint64_t
    hy_curve_bytes[HY_CURVE_POINTS]; /* 64, 512, 4 Ki, 32 Ki, 256 Ki, 1, 4, 16 Mi */

double hy_curve_at(const hy_curve *curve, uint64_t bytes); /* 0 bytes: 0 */

/* A network between nodes. */
typedef struct hy_net_model {
    double latency;  /* L: on the way from a NIC to another, beside its bytes */
    double overhead; /* o: own time to begin an operation, or to take what came by one */
    double gap;      /* g: of a node's NIC, for each message */
    double byte;     /* G: of a node's NIC, for each byte; flows of all its ranks share it */
} hy_net_model;

typedef struct hy_model {
    double signal;        /* o of the sender: posting a bare signal */
    double flight;        /* L: posted until a polling receiver on another core can see it */
    double take;          /* o of the receiver: taking a signal that is there */
    double step;          /* what any step costs beside that */
    double turn;          /* ranks that share a core: from a yield until the next rank runs */
    double start;         /* start and wait of a persistent operation beside its steps */
    hy_curve payload_out; /* into a signal's payload or an eager buffer */
    hy_curve payload_in;  /* out of it, written by another core a moment ago */
    hy_curve copy;        /* COPY, source and destination of this rank */
    hy_curve put, get;    /* from and to a peer's part of the segment */
    hy_curve single;      /* the same by the kernel's single copy: memory that is not in the heap */
    hy_curve reduce;      /* sum of doubles, both sides of this rank */
    hy_curve reduce_get;  /* ... one in a peer's part */
    double bandwidth;     /* bytes per ns that all cores together move between memory and caches */
    uint64_t cached;      /* bytes up to which that is no limit */
    int cpus;             /* of a node, shared by its ranks */
    bool measured;        /* by `hayate tune`, on this machine */
    hy_net_model nets[HY_NETS];
    hy_net_class net; /* the one that nodes are connected by */
} hy_model;

hy_model hy_model_default(int cpus);

static inline const hy_net_model *hy_model_net(const hy_model *model)
{
    return &model->nets[model->net];
}

/* For formulas: what goes between ranks has the terms of the network. */
hy_model hy_model_across(const hy_model *model);

const char *hy_net_class_name(hy_net_class class); /* "tcp" */
bool hy_net_class_find(const char *name, hy_net_class *class);

#endif
