/* SPDX-License-Identifier: Apache-2.0 */
/* Cache lines, and the atomics for shared memory, with the memory order in the name. */
#ifndef HY_BASE_LINE_H
#define HY_BASE_LINE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arch.h"

#define HY_LINE 64
#define HY_ALIGNED _Alignas(HY_LINE)

#define hy_likely(x) __builtin_expect(!!(x), 1)
#define hy_unlikely(x) __builtin_expect(!!(x), 0)

#define hy_load_acquire(p) atomic_load_explicit((p), memory_order_acquire)
#define hy_load_relaxed(p) atomic_load_explicit((p), memory_order_relaxed)
#define hy_store_release(p, v) atomic_store_explicit((p), (v), memory_order_release)
#define hy_store_relaxed(p, v) atomic_store_explicit((p), (v), memory_order_relaxed)

/* Copies what another process may change at any time, for checks of the copy: it is read once, and
 * no compiler uses the original instead of the copy. */
static inline void hy_copy_once(void *to, const void *shared, size_t bytes)
{
    memcpy(to, shared, bytes);
    atomic_signal_fence(memory_order_seq_cst);
}

static inline uint64_t hy_round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

#endif
