/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accumulates: combine elements of a part with those of the caller, under the lock of the part.
 *
 * Inside of a node each piece takes the lock anew, after its elements were read from the caller's
 * memory: that may be a Java array, and a garbage collection must not stop others. To another node,
 * where it costs a round trip, the lock is held for the whole operation.
 */
#include "ompl/ompl.h"

/* A multiple of all predefined elements (1 to 24 bytes), so that none is cut, and of a line. */
#define PIECE 16320
_Static_assert(PIECE % 48 == 0 && PIECE % HY_LINE == 0, "whole elements, whole lines");

typedef struct accumulation {
    hy_part_lock lock;
    uint64_t remote; /* of the first element: its offset, then as an address of the path */
    uint64_t len;
    const hy_buffer *from, *before; /* `before` may be NULL */
    hy_reduce combine;              /* NULL: the elements stay as they are */
    void *context;
    uint32_t unit, align;
    bool blind; /* the result does not depend on the elements of the target */
} accumulation;

static inline uint64_t piece_of(uint64_t done, uint64_t len)
{
    return len - done < PIECE ? len - done : PIECE;
}

/* Whether the elements of the caller can be read where they are. */
static inline bool is_direct(const accumulation *a)
{
    return !a->combine || (a->from->address && ((uintptr_t)a->from->address & (a->align - 1)) == 0);
}

static inline const void *elements_at(const accumulation *a, uint64_t done, uint64_t n,
                                      uint8_t *bounce)
{
    if (!a->combine) return NULL;
    if (is_direct(a)) return a->from->address + done;
    hy_buffer_read(a->from, done, bounce, n);
    return bounce;
}

/* ---- inside of a node ---- */

static inline int near_piece(const accumulation *a, uint64_t done, uint64_t n, const void *from,
                             void *before)
{
    uint8_t *to = a->lock.ep->part + a->remote + done;
    int rc = hy_part_lock_take(&a->lock);
    if (hy_unlikely(rc)) return rc;
    if (before) hy_copy(before, to, n);
    if (a->combine) a->combine(to, from, n / a->unit, a->context);
    return hy_part_lock_give(&a->lock);
}

/* In a function of its own, because short operations need no room on the stack. */
__attribute__((noinline)) static int near_through_bounce(const accumulation *a)
{
    HY_ALIGNED uint8_t bounce[PIECE], old[PIECE];
    int rc = HAYATE_OK;
    for (uint64_t done = 0, n; !rc && done < a->len; done += n) {
        n = piece_of(done, a->len);
        const void *from = elements_at(a, done, n, bounce);
        rc = near_piece(a, done, n, from, a->before ? old : NULL);
        if (!rc && a->before) hy_buffer_write(a->before, done, old, n);
    }
    return rc;
}

static int accumulate_near(const accumulation *a)
{
    const uint8_t *from = a->combine ? a->from->address : NULL;
    uint8_t *before = a->before ? a->before->address : NULL;
    int rc = HAYATE_OK;
    if (!is_direct(a) || (a->before && !before)) return near_through_bounce(a);
    for (uint64_t done = 0, n; !rc && done < a->len; done += n) {
        n = piece_of(done, a->len);
        rc = near_piece(a, done, n, from ? from + done : NULL, before ? before + done : NULL);
    }
    return rc;
}

/* ---- to another node ---- */

static int far_piece(const accumulation *a, uint64_t done, uint64_t n)
{
    HY_ALIGNED uint8_t bounce[PIECE], old[PIECE];
    hy_ep *ep = a->lock.ep;
    const void *from = elements_at(a, done, n, bounce);
    bool reads = a->before || !a->blind;
    int rc = reads ? ep->ops->get(ep, a->remote + done, old, n) : HAYATE_OK;
    if (rc) return rc;
    if (a->before) hy_buffer_write(a->before, done, old, n);
    if (!a->combine) return HAYATE_OK;
    a->combine(old, from, n / a->unit, a->context);
    return ep->ops->put(ep, a->remote + done, old, n);
}

__attribute__((noinline)) static int accumulate_far(const accumulation *a)
{
    int rc = hy_part_lock_take(&a->lock);
    if (rc) return rc;
    for (uint64_t done = 0, n; !rc && done < a->len; done += n) {
        n = piece_of(done, a->len);
        rc = far_piece(a, done, n);
    }
    int given = hy_part_lock_give(&a->lock);
    return rc ? rc : given;
}

/* ---- the call ---- */

static int accumulate_check(const hy_ompl *ompl, int target, const accumulation *a)
{
    int rc = hy_ompl_check(ompl, target, a->remote, a->len, 1);
    if (hy_unlikely(rc)) return rc;
    if (hy_unlikely((a->remote & (a->align - 1)) != 0))
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "offset %llu of elements of %u bytes: expected a multiple of %u",
                       (unsigned long long)a->remote, a->unit, a->align);
    if (hy_unlikely(a->len % a->unit != 0))
        return hy_fail(HAYATE_ERR_ARGUMENT, "%llu bytes: expected whole elements of %u bytes",
                       (unsigned long long)a->len, a->unit);
    rc = a->combine ? hy_ompl_check_buffer(a->from, a->len) : HAYATE_OK;
    return !rc && a->before ? hy_ompl_check_buffer(a->before, a->len) : rc;
}

static int accumulate_on(hy_ompl *ompl, int endpoint, int target, accumulation *a)
{
    hy_ep *ep;
    int rc = hy_ompl_reach(ompl, endpoint, target, &ep);
    if (hy_unlikely(rc)) return rc;
    a->remote += ompl->starts[target];
    a->lock = (hy_part_lock){.ompl = ompl, .ep = ep, .at = ompl->locks[target]};
    rc = hy_ep_is_far(ep) ? accumulate_far(a) : accumulate_near(a);
    if (hy_likely(!rc)) hy_count(ompl->job->counters, HY_COUNT_ATOMICS, 1);
    return rc;
}

static int accumulate_checked(hy_ompl *ompl, int target, accumulation *a)
{
    int number, rc = accumulate_check(ompl, target, a);
    if (hy_unlikely(rc || a->len == 0)) return rc;
    rc = hy_endpoint_take(ompl->endpoints, &number);
    if (hy_unlikely(rc)) return rc;
    rc = accumulate_on(ompl, number, target, a);
    hy_endpoint_give(ompl->endpoints, number);
    return rc;
}

static int accumulate(hy_ompl *ompl, int target, accumulation *a)
{
    uint64_t name = hy_ompl_record(ompl, HY_AWAITED_ACCUMULATE, target, a->remote, a->len, 0);
    return hy_flight_over(ompl->job->flight, name, accumulate_checked(ompl, target, a));
}

/* ---- operations ---- */

const hy_reduction *hy_ompl_reduction(int op)
{
    if (hy_likely((unsigned)op < FMPL_OP_COUNT)) return &hy_reductions[op];
    hy_fail(HAYATE_ERR_ARGUMENT, "reduction %d: expected a predefined one, FMPL_INT_SUM or another",
            op);
    return NULL;
}

int hy_ompl_accumulate(hy_ompl *ompl, const hy_buffer *from, const hy_buffer *before, int target,
                       uint64_t at, uint64_t len, int op)
{
    const hy_reduction *reduction = hy_ompl_reduction(op);
    if (hy_unlikely(!reduction)) return HAYATE_ERR_ARGUMENT;
    accumulation a = {.remote = at,
                      .len = len,
                      .from = from,
                      .before = before,
                      .combine = reduction->apply,
                      .unit = reduction->unit,
                      .align = reduction->align};
    return accumulate(ompl, target, &a);
}

static void replace(void *inout, const void *in, size_t count, void *context)
{
    (void)context;
    hy_copy(inout, in, count);
}

int hy_ompl_exchange(hy_ompl *ompl, const hy_buffer *from, const hy_buffer *before, int target,
                     uint64_t at, uint64_t len)
{
    accumulation a = {.remote = at,
                      .len = len,
                      .from = from,
                      .before = before,
                      .combine = from ? replace : NULL,
                      .unit = 1,
                      .align = 1,
                      .blind = true};
    return accumulate(ompl, target, &a);
}

/* What an element is compared with; `context` of swap(). */
typedef struct comparand {
    const void *expected;
    uint32_t unit;
} comparand;

static void swap(void *inout, const void *in, size_t count, void *context)
{
    const comparand *c = context;
    if (memcmp(inout, c->expected, c->unit) == 0) memcpy(inout, in, count * c->unit);
}

int hy_ompl_compare_and_swap(hy_ompl *ompl, int target, uint64_t at, uint32_t unit,
                             const void *expected, const void *desired, void *before)
{
    comparand c = {.expected = expected, .unit = unit};
    const hy_buffer from = {.address = (uint8_t *)(uintptr_t)desired}, old = {.address = before};
    if (hy_unlikely(unit == 0 || unit > sizeof(uint64_t) || (unit & (unit - 1)) != 0))
        return hy_fail(HAYATE_ERR_ARGUMENT, "an element of %u bytes: expected 1, 2, 4 or 8", unit);
    accumulation a = {.remote = at,
                      .len = unit,
                      .from = &from,
                      .before = &old,
                      .combine = swap,
                      .context = &c,
                      .unit = unit,
                      .align = unit};
    return accumulate(ompl, target, &a);
}
