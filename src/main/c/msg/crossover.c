/* SPDX-License-Identifier: Apache-2.0 */
/* The estimates of both protocols, and which one a message takes. */
#include "msg/crossover.h"

/* Messages of a class that take turns before one is preferred: each protocol four times, because
 * the first ones also pay for pages that are touched for the first time. */
#define TURNS 8
/* Then, one of 64 messages takes the slower protocol, so that its estimate stays up to date. */
#define AGAIN 64
/* By what part of itself a single copy must be faster, so that estimates that are about equal do
 * not change the choice all the time. */
#define MARGIN 8
/* An estimate falls at once, and rises by at most this part: a side that computes meanwhile must
 * not count, a core that has moved must. */
#define RISE 16

enum { PIPELINE, SINGLE };

static hy_crossover_class *class_of(hy_crossover *crossover, uint64_t bytes)
{
    int i = 0;
    while (i < HY_CROSSOVER_CLASSES - 1 && bytes >= HY_CROSSOVER_FROM << (i + 1)) i++;
    return &crossover->classes[i];
}

bool hy_crossover_prefers_single(hy_crossover *crossover, uint64_t bytes)
{
    hy_crossover_class *class = class_of(crossover, bytes);
    uint32_t turn = atomic_fetch_add_explicit(&class->messages, 1, memory_order_relaxed);
    if (turn < TURNS) return turn % 2 == SINGLE;
    uint64_t pipeline = hy_load_relaxed(&class->ps[PIPELINE]);
    uint64_t single = hy_load_relaxed(&class->ps[SINGLE]);
    bool faster = single && single + single / MARGIN < pipeline;
    return turn % AGAIN ? faster : !faster;
}

void hy_crossover_timed(hy_crossover *crossover, uint64_t bytes, bool single, uint64_t ns)
{
    hy_crossover_class *class = class_of(crossover, bytes);
    _Atomic uint32_t *estimate = &class->ps[single ? SINGLE : PIPELINE];
    uint64_t per_byte = ns < UINT64_MAX / 1000 ? ns * 1000 / bytes : UINT32_MAX;
    uint32_t before = hy_load_relaxed(estimate);
    uint64_t most = before ? before + (uint64_t)before / RISE + 1 : UINT32_MAX;
    if (per_byte > most) per_byte = most;
    if (per_byte > UINT32_MAX) per_byte = UINT32_MAX;
    hy_store_relaxed(estimate, per_byte ? (uint32_t)per_byte : 1);
}
