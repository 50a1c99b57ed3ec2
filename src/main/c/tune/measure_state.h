/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of measure.c share: two members who meet, and signal each other by lines. */
#ifndef HY_TUNE_MEASURE_STATE_H
#define HY_TUNE_MEASURE_STATE_H

#include "tune/measure.h"

#define HY_MEASURE_MOST (UINT64_C(16) << 20)
#define HY_MEASURE_SAMPLES 4000
#define HY_MEASURE_BURST 8 /* signals posted or taken at once */
#define HY_MEASURE_LINES (HY_MEASURE_BURST + 2)

typedef struct hy_measure_record {
    uint64_t lines, data, own; /* offsets; own: an address outside of the heap */
    int64_t cpu;               /* the only one that it may use, -1: there are several */
} hy_measure_record;

struct hy_measure {
    hy_comms *comms;
    int member;
    hy_ep *peer;
    hy_slot *lines;      /* ours, written by the peer: first and last to meet, bursts between */
    uint8_t *data, *own; /* HY_MEASURE_MOST of the heap; twice that of nobody else's */
    uint8_t *stream;     /* 2 STREAM, from the first use on */
    hy_measure_record theirs;
    uint64_t met, posted;
    hy_pcoll *barrier;
    const char *alone; /* why there is nothing to measure between two CPUs, NULL: there is */
    double clock;      /* ns of a look at the clock */
    double samples[HY_MEASURE_SAMPLES];
};

/* ---- measure.c ---- */

/* Into a line of the peer's: 1 to HY_MEASURE_BURST are free between meetings. */
void hy_measure_post(const hy_measure *m, int line, uint64_t head, uint64_t value);

/* Until that head is in the own line. The error of a peer that is gone. */
int hy_measure_await(hy_measure *m, int line, uint64_t head);

/* Both come, each with a value for the other. */
int hy_measure_meet(hy_measure *m, uint64_t value, uint64_t *theirs);

/* ---- measure_net.c ---- */

/* Terms of the network between members on different nodes. */
enum {
    HY_MEASURE_NET_SIGNAL,
    HY_MEASURE_NET_TRIP,
    HY_MEASURE_NET_STREAM,
    HY_MEASURE_NET_BYTE,
    HY_MEASURE_NETS
};

/* One sample. */
int hy_measure_net_once(hy_measure *m, int term, double *ns);

/* values: of all of them. */
void hy_measure_net_fill(const double *values, hy_net_model *net);

#endif
