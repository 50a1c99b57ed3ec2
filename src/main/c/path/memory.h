/* SPDX-License-Identifier: Apache-2.0 */
/* Common helpers of rows: atomics on a word of a part, and the error for an address outside of
 * it. */
#ifndef HY_PATH_MEMORY_H
#define HY_PATH_MEMORY_H

#include "base/status.h"
#include "path/path.h"

static inline int hy_fail_outside(const hy_ep *ep, uint64_t offset, uint64_t len)
{
    return hy_fail_peer(HAYATE_ERR_CORRUPT, ep->rank,
                        "rank %d announced memory outside of its segment (offset %llu, %llu bytes)",
                        ep->rank, (unsigned long long)offset, (unsigned long long)len);
}

/* Returns the previous value of the word. */
static inline uint64_t hy_atomic_apply(_Atomic uint64_t *word, hy_atomic what, uint64_t operand,
                                       uint64_t expected)
{
    switch (what) {
    case HY_ATOMIC_ADD: return atomic_fetch_add(word, operand);
    case HY_ATOMIC_AND: return atomic_fetch_and(word, operand);
    case HY_ATOMIC_OR: return atomic_fetch_or(word, operand);
    case HY_ATOMIC_SWAP: return atomic_exchange(word, operand);
    case HY_ATOMIC_COMPARE_SWAP:
        atomic_compare_exchange_strong(word, &expected, operand);
        return expected;
    default: return hy_load_acquire(word);
    }
}

#endif
