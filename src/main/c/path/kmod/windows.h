/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bounded cache of windows into the memory of peers: which windows are attached, where, and which
 * one is evicted. The user of the cache defines what attaching means.
 *
 * A window is HY_WINDOW_BYTES of a peer's addresses, for reading or for writing. A thread holds a
 * window while it copies through it; a held window is not evicted. A hit looks at no more than
 * HY_WINDOW_WAYS entries and does one atomic addition each way: no lock, no system call. Of the
 * entries where a new window may be stored, the one that was not used for the longest time is
 * evicted; time is counted in attachments.
 *
 * Memory order: an entry is filled before its count is opened (release), and read after the count
 * was incremented (acquire); a closed count has no holder.
 *
 * In a child of fork() the cache is empty and stays so, because the child has no attachments.
 */
#ifndef HY_PATH_KMOD_WINDOWS_H
#define HY_PATH_KMOD_WINDOWS_H

#include <stdbool.h>

#include "base/line.h"

#define HY_WINDOW_BYTES (UINT64_C(4) << 20)
#define HY_WINDOW_WAYS 8
/* The number of mappings of a process is limited (vm.max_map_count). */
#define HY_WINDOWS_MOST 16384

typedef struct hy_windows hy_windows;

typedef struct hy_window {
    HY_ALIGNED _Atomic uint32_t holders; /* and a bit: closed */
    _Atomic uint64_t key;                /* 0: empty; changes only while closed */
    _Atomic uint64_t used;               /* the age of the cache at the last use */
    uint8_t *start;
    uint64_t bytes;                 /* HY_WINDOW_BYTES, or less at the end of a peer's addresses */
    const _Atomic uint64_t *losses; /* of its peer: number of accesses to memory that the peer no
                                     * longer has */
    uint64_t losses_before;         /* `losses` before the window was attached */
} hy_window;

/* How windows are attached and detached; called by one thread at a time. */
typedef struct hy_windows_ops {
    /* Fills window->start and the members behind it. False: it cannot be attached. */
    bool (*attach)(void *context, const void *peer, uint64_t key, hy_window *window);
    void (*detach)(void *context, const hy_window *window);
} hy_windows_ops;

/* For at most `count` windows at a time, 1 to HY_WINDOWS_MOST; NULL: no memory. */
hy_windows *hy_windows_open(uint64_t count, const hy_windows_ops *ops, void *context);

/* Detaches all windows. Nobody holds one. */
void hy_windows_close(hy_windows *windows);

#define HY_WINDOWS_ADDRESSES (UINT64_C(1) << 57) /* no machine gives a process more */
#define HY_WINDOWS_PEERS (1u << 22)

/* The key of the window at this address, which is below HY_WINDOWS_ADDRESSES; peer is below
 * HY_WINDOWS_PEERS. */
static inline uint64_t hy_window_key(uint32_t peer, bool write, uint64_t address)
{
    return UINT64_C(1) << 63 | (uint64_t)write << 62 | (uint64_t)peer << 40 |
           address / HY_WINDOW_BYTES;
}

static inline bool hy_window_key_writes(uint64_t key)
{
    return key >> 62 & 1;
}

static inline uint64_t hy_window_key_address(uint64_t key)
{
    return (key & ((UINT64_C(1) << 40) - 1)) * HY_WINDOW_BYTES;
}

/* The window of this key, held by the caller. NULL: it is not attached, or it is used for the first
 * time, which may also be the last (unless `at_once`), or it cannot be attached. `peer` is passed
 * to attach(). */
hy_window *hy_windows_take(hy_windows *windows, uint64_t key, bool at_once, const void *peer);

void hy_window_release(hy_window *window);

/* Releases the window, and detaches it unless others hold it, because it turned out to be
 * unusable. */
void hy_windows_drop(hy_windows *windows, hy_window *window);

#endif
