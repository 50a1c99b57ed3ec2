/* SPDX-License-Identifier: Apache-2.0 */
/* Puts, clears and atomics on flags and words, for which peers wait. The path keeps a flag
 * behind the data that were put before it. */
#include "ompl/ompl.h"

static inline int write_flag(hy_ompl *ompl, int endpoint, int target, uint64_t at,
                             const hy_flag *flag)
{
    hy_ep *ep;
    int rc = hy_ompl_reach(ompl, endpoint, target, &ep);
    if (hy_unlikely(rc)) return rc;
    rc = ep->ops->put_flag(ep, ompl->starts[target] + at, flag);
    if (hy_likely(!rc)) hy_count(ompl->job->counters, HY_COUNT_FLAGS, 1);
    return rc;
}

/* A flag ends a run: the path has sent it behind everything that was started. */
static inline int over(hy_ompl *ompl, int number, int rc)
{
    int ended = hy_endpoint_end(ompl->endpoints, number);
    return hy_unlikely(rc) ? rc : ended;
}

static int flags_put(hy_ompl *ompl, int target, uint64_t at, const hy_flag *flag)
{
    int number, rc = hy_ompl_check(ompl, target, at, sizeof *flag, sizeof *flag);
    if (hy_unlikely(rc)) return rc;
    rc = hy_endpoint_take(ompl->endpoints, &number);
    return hy_unlikely(rc) ? rc : over(ompl, number, write_flag(ompl, number, target, at, flag));
}

int hy_ompl_put_flag(hy_ompl *ompl, int target, uint64_t at, const hy_flag *flag)
{
    uint64_t name = hy_ompl_record(ompl, HY_AWAITED_FLAG, target, at, 0, 0);
    return hy_flight_over(ompl->job->flight, name, flags_put(ompl, target, at, flag));
}

/* Both parts are checked first: a call that fails its checks has put nothing. */
static int flags_signal(hy_ompl *ompl, const hy_buffer *from, int target, uint64_t at, uint64_t len,
                        uint64_t flag_at, const hy_flag *flag)
{
    int number, rc = hy_ompl_check(ompl, target, flag_at, sizeof *flag, sizeof *flag);
    if (!rc) rc = hy_ompl_check_put(ompl, from, target, at, len);
    if (hy_unlikely(rc)) return rc;
    rc = hy_endpoint_take(ompl->endpoints, &number);
    if (hy_unlikely(rc)) return rc;
    rc = hy_ompl_put_unchecked(ompl, number, from, target, at, len);
    if (hy_likely(!rc)) rc = write_flag(ompl, number, target, flag_at, flag);
    return over(ompl, number, rc);
}

int hy_ompl_put_signal(hy_ompl *ompl, const hy_buffer *from, int target, uint64_t at, uint64_t len,
                       uint64_t flag_at, const hy_flag *flag)
{
    uint64_t name = hy_ompl_record(ompl, HY_AWAITED_FLAG, target, flag_at, len, 0);
    return hy_flight_over(ompl->job->flight, name,
                          flags_signal(ompl, from, target, at, len, flag_at, flag));
}

static int flags_atomic(hy_ompl *ompl, int target, uint64_t at, hy_atomic what, uint64_t operand,
                        uint64_t expected, uint64_t *before)
{
    int number, rc = hy_ompl_check(ompl, target, at, sizeof operand, sizeof operand);
    if (hy_unlikely(rc)) return rc;
    rc = hy_endpoint_take(ompl->endpoints, &number);
    if (hy_unlikely(rc)) return rc;
    hy_ep *ep;
    rc = hy_ompl_reach(ompl, number, target, &ep);
    if (hy_likely(!rc))
        rc = ep->ops->atomic(ep, ompl->starts[target] + at, what, operand, expected, before);
    if (hy_likely(!rc)) hy_count(ompl->job->counters, HY_COUNT_ATOMICS, 1);
    return over(ompl, number, rc);
}

int hy_ompl_atomic(hy_ompl *ompl, int target, uint64_t at, hy_atomic what, uint64_t operand,
                   uint64_t expected, uint64_t *before)
{
    uint64_t name = hy_ompl_record(ompl, HY_AWAITED_ATOMIC, target, at, sizeof operand,
                                   (uint8_t)what);
    return hy_flight_over(ompl->job->flight, name,
                          flags_atomic(ompl, target, at, what, operand, expected, before));
}

/* Release order: earlier reads of this thread come first, and whoever sees the 0 may overwrite
 * what was read. */
int hy_ompl_clear(hy_ompl *ompl, uint64_t at)
{
    int rc = hy_ompl_check(ompl, ompl->rank, at, sizeof(uint64_t), sizeof(uint64_t));
    if (hy_unlikely(rc)) return rc;
    hy_store_release((_Atomic uint64_t *)(void *)(ompl->memory + at), 0);
    hy_bell_ring(ompl->job->bell);
    return HAYATE_OK;
}
