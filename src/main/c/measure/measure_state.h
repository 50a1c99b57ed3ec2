/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of measure.h share: two members that meet, and signal each other through cache
 * lines. */
#ifndef HY_MEASURE_MEASURE_STATE_H
#define HY_MEASURE_MEASURE_STATE_H

#include "measure/measure.h"

#define HY_MEASURE_MOST (UINT64_C(16) << 20)
#define HY_MEASURE_SAMPLES 4000
#define HY_MEASURE_BURST 8 /* signals posted or taken in one sample */
#define HY_MEASURE_LINES (HY_MEASURE_BURST + 2)

typedef struct hy_measure_record {
    uint64_t lines, data, own; /* offsets; own: an address outside of the heap */
    int64_t cpu;               /* the only CPU that it may use; -1: there are several */
} hy_measure_record;

struct hy_measure {
    hy_comms *comms;
    int member;
    hy_ep *peer;
    hy_slot *lines;      /* of this rank, written by the peer: the first and the last for
                          * meetings, bursts between */
    uint8_t *data, *own; /* data: HY_MEASURE_MOST bytes of the heap; own: twice as many bytes of
                          * private memory */
    uint8_t *stream;     /* 2 * STREAM bytes, allocated at the first use */
    hy_measure_record theirs;
    uint64_t met, posted;
    hy_pcoll *barrier;
    const char *alone; /* why terms between two CPUs cannot be measured; NULL: they can */
    double clock;      /* ns of a reading of the clock */
    double samples[HY_MEASURE_SAMPLES];
};

/* ---- measure.c ---- */

/* Writes to a line of the peer: between meetings, lines 1 to HY_MEASURE_BURST are free. */
void hy_measure_post(const hy_measure *m, int line, uint64_t head, uint64_t value);

/* Waits until this rank's line has that head. PEER_FAILED if the peer has ended. */
int hy_measure_await(hy_measure *m, int line, uint64_t head);

/* Synchronises both members, and exchanges a value. */
int hy_measure_meet(hy_measure *m, uint64_t value, uint64_t *theirs);

/* ---- measure_net.c ---- */

/* Takes one sample of a term of the network between members on different nodes. */
int hy_measure_net_once(hy_measure *m, int term, double *ns);

#endif
