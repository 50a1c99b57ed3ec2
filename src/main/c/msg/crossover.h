/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of two protocols is faster for long messages between buffers outside of the heap: the
 * pipeline, or a single copy by the kernel. Where they cross over depends on the machine: between
 * 256 and 512 KB on an AMD EPYC, above 8 MB on an Intel Xeon. So senders time both while they send,
 * for each power of two of the length: the first messages by one and the other, then by the faster
 * one, and now and then by the other one, because the cores of a virtual machine move.
 *
 * Any thread may call. The figures are estimates: threads may overwrite those of each other.
 */
#ifndef HY_MSG_CROSSOVER_H
#define HY_MSG_CROSSOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/line.h"

/* Shorter messages are not timed: there the pipeline is ahead everywhere. */
#define HY_CROSSOVER_FROM (UINT64_C(128) << 10)
/* Lengths from 128 KB, 256 KB, .. on; the last one has no end. */
#define HY_CROSSOVER_CLASSES 8

typedef struct hy_crossover_class {
    _Atomic uint32_t messages;
    _Atomic uint32_t ps[2]; /* for a byte by the pipeline, by a single copy; 0: not known */
} hy_crossover_class;

typedef struct hy_crossover {
    hy_crossover_class classes[HY_CROSSOVER_CLASSES];
} hy_crossover;

/* Whether the next message of this length goes by a single copy; counts it. bytes: at least
 * HY_CROSSOVER_FROM. */
bool hy_crossover_prefers_single(hy_crossover *crossover, uint64_t bytes);

/* A message took this long, from when both sides were there. */
void hy_crossover_timed(hy_crossover *crossover, uint64_t bytes, bool single, uint64_t ns);

#endif
