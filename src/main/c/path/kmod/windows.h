/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bounded cache of windows into the memory of peers: which of them are attached, where, and which
 * one goes when another is wanted. What "attached" means is its user's.
 *
 * A window is HY_WINDOW_BYTES of a peer's addresses, to read or to write. Whoever copies through it
 * holds it; one that is held stays. A hit is a look into at most HY_WINDOW_WAYS entries and one
 * atomic addition each way: no lock, no system call. Which window goes: of the entries where the
 * new one may lie, one that was not used for the longest time, in steps of attachments.
 *
 * Memory order: an entry is filled before its count is opened (release) and read after it was
 * counted up (acquire); a count that is closed has no holder.
 *
 * In a child of fork() the cache is empty and stays so, as the child has no attachments.
 */
#ifndef HY_PATH_KMOD_WINDOWS_H
#define HY_PATH_KMOD_WINDOWS_H

#include <stdbool.h>

#include "base/line.h"

#define HY_WINDOW_BYTES (UINT64_C(4) << 20)
#define HY_WINDOW_WAYS 8
#define HY_WINDOWS_MOST 16384 /* mappings of a process are limited as well (vm.max_map_count) */

typedef struct hy_windows hy_windows;

typedef struct hy_window {
    HY_ALIGNED _Atomic uint32_t holders; /* and a bit: closed */
    _Atomic uint64_t key;                /* 0: empty; changes only while closed */
    _Atomic uint64_t used;               /* the age of the cache when it was used last */
    uint8_t *start;
    uint64_t bytes;                 /* HY_WINDOW_BYTES, or less at the end of a peer's addresses */
    const _Atomic uint64_t *losses; /* of its peer: how often memory was touched that he has not */
    uint64_t losses_before;         /* the count before it was attached */
} hy_window;

/* How windows come and go; called by one thread at a time. */
typedef struct hy_windows_ops {
    /* Fills window->start and what is behind it. False: it cannot be had. */
    bool (*attach)(void *context, const void *peer, uint64_t key, hy_window *window);
    void (*detach)(void *context, const hy_window *window);
} hy_windows_ops;

/* At most `count` windows at a time, 1 to HY_WINDOWS_MOST; NULL: no memory. */
hy_windows *hy_windows_open(uint64_t count, const hy_windows_ops *ops, void *context);

/* Detaches all. Nobody holds a window. */
void hy_windows_close(hy_windows *windows);

#define HY_WINDOWS_ADDRESSES (UINT64_C(1) << 57) /* a process has fewer on every machine */
#define HY_WINDOWS_PEERS (1u << 22)

/* The window of this address, which is below HY_WINDOWS_ADDRESSES; peer below HY_WINDOWS_PEERS. */
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

/* The window of this key, held by the caller. NULL: it is not attached, or its first use may well
 * be its last (which `at_once` denies), or it cannot be had. `peer` is for attach(). */
hy_window *hy_windows_take(hy_windows *windows, uint64_t key, bool at_once, const void *peer);

void hy_window_release(hy_window *window);

/* Releases it, and detaches it unless others hold it: it was of no use. */
void hy_windows_drop(hy_windows *windows, hy_window *window);

#endif
