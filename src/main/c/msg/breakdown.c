/* SPDX-License-Identifier: Apache-2.0 */
/* Collects time samples of each phase in arrays of fixed size, and computes their medians. */
#include "msg/breakdown.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"

#define SAMPLES 4096 /* samples kept for each phase: the latest ones */

struct hy_breakdown {
    _Atomic uint64_t count[HY_PHASES];
    _Atomic uint32_t sample[HY_PHASES][SAMPLES];
};

/* The samples are never freed while FMPL is open: a thread that saw the measurement on may still
 * add one. */
static int breakdown_begin(hy_msg *msg)
{
    if (!msg->measured) msg->measured = calloc(1, sizeof *msg->measured);
    if (!msg->measured) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the samples");
    for (int phase = 0; phase < HY_PHASES; phase++)
        hy_store_relaxed(&msg->measured->count[phase], 0);
    hy_store_release(&msg->breakdown, msg->measured);
    atomic_fetch_or_explicit(&msg->observed, HY_OBSERVES_BREAKDOWN, memory_order_relaxed);
    return HAYATE_OK;
}

int hy_breakdown_set(hy_msg *msg, int on)
{
    int rc = HAYATE_OK;
    pthread_mutex_lock(&msg->lock);
    if (!on)
        atomic_fetch_and_explicit(&msg->observed, ~HY_OBSERVES_BREAKDOWN, memory_order_relaxed);
    if (!on) hy_store_relaxed(&msg->breakdown, NULL);
    else if (!hy_load_relaxed(&msg->breakdown)) rc = breakdown_begin(msg);
    pthread_mutex_unlock(&msg->lock);
    return rc;
}

void hy_breakdown_free(hy_msg *msg)
{
    free(msg->measured);
}

void hy_breakdown_record(hy_op *op, hy_phase phase)
{
    struct hy_breakdown *breakdown = hy_load_acquire(&op->lane->msg->breakdown);
    if (!breakdown || !op->since_ns) return; /* off, or on only after the operation began */
    uint64_t now = hy_now_ns(), took = now - op->since_ns;
    uint64_t n = atomic_fetch_add_explicit(&breakdown->count[phase], 1, memory_order_relaxed);
    hy_store_relaxed(&breakdown->sample[phase][n % SAMPLES],
                     took < UINT32_MAX ? (uint32_t)took : UINT32_MAX);
    op->since_ns = now;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static double median(const struct hy_breakdown *breakdown, hy_phase phase, uint32_t *scratch)
{
    uint64_t n = hy_load_relaxed(&breakdown->count[phase]);
    if (n > SAMPLES) n = SAMPLES;
    if (n == 0) return 0;
    for (uint64_t i = 0; i < n; i++) scratch[i] = hy_load_relaxed(&breakdown->sample[phase][i]);
    qsort(scratch, n, sizeof *scratch, ascending);
    return scratch[n / 2];
}

int hy_breakdown_get(hy_msg *msg, fmpl_breakdown_t *result)
{
    *result = (fmpl_breakdown_t){0};
    pthread_mutex_lock(&msg->lock);
    const struct hy_breakdown *measured = msg->measured;
    pthread_mutex_unlock(&msg->lock);
    if (!measured) return HAYATE_OK;
    uint32_t *scratch = malloc(SAMPLES * sizeof *scratch);
    if (!scratch) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to sort the samples");
    double *medians[HY_PHASES] = {&result->send_setup, &result->send_header, &result->send_data,
                                  &result->recv_setup, &result->recv_header, &result->recv_data};
    for (hy_phase phase = 0; phase < HY_PHASES; phase++)
        *medians[phase] = median(measured, phase, scratch);
    free(scratch);
    result->samples = hy_load_relaxed(&measured->count[HY_PHASE_SEND_DATA]) +
                      hy_load_relaxed(&measured->count[HY_PHASE_RECV_DATA]);
    return HAYATE_OK;
}
