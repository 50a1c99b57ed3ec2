/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A set-associative table of windows. A window's count of holders has a bit that closes it;
 * attaching and detaching take a mutex, hits take none.
 */
#include "path/kmod/windows.h"

#include <pthread.h>
#include <sys/mman.h>

#define CLOSED (UINT32_C(1) << 31)
#define NOTES 1024 /* windows whose first use is remembered */

struct hy_windows {
    uint64_t bytes; /* of the whole structure */
    uint64_t sets;  /* 0 in a child of fork(), where the memory is zero */
    uint32_t ways;
    const hy_windows_ops *ops;
    void *context;
    _Atomic uint64_t age; /* twice the number of attachments so far; odd during one */
    pthread_mutex_t lock; /* held by a thread that attaches or detaches */
    _Atomic uint64_t notes[NOTES];
    hy_window entries[];
};

hy_windows *hy_windows_open(uint64_t count, const hy_windows_ops *ops, void *context)
{
    uint32_t ways = count < HY_WINDOW_WAYS ? (uint32_t)count : HY_WINDOW_WAYS;
    uint64_t sets = count / ways;
    uint64_t bytes = hy_round_up(sizeof(hy_windows) + sets * ways * sizeof(hy_window), 4096);
    hy_windows *windows = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                               0);
    if (windows == MAP_FAILED) return NULL;
    madvise(windows, bytes, MADV_WIPEONFORK);
    windows->bytes = bytes;
    windows->sets = sets;
    windows->ways = ways;
    windows->ops = ops;
    windows->context = context;
    pthread_mutex_init(&windows->lock, NULL);
    for (uint64_t i = 0; i < sets * ways; i++) windows->entries[i].holders = CLOSED;
    return windows;
}

/* Empties a closed entry. The caller holds the lock. */
static void empty(hy_windows *windows, hy_window *window)
{
    if (!hy_load_relaxed(&window->key)) return;
    windows->ops->detach(windows->context, window);
    hy_store_relaxed(&window->key, 0);
}

void hy_windows_close(hy_windows *windows)
{
    if (!windows || !windows->sets) return;
    for (uint64_t i = 0; i < windows->sets * windows->ways; i++)
        empty(windows, &windows->entries[i]);
    pthread_mutex_destroy(&windows->lock);
    munmap(windows, windows->bytes);
}

static uint64_t mix(uint64_t key)
{
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return key >> 32;
}

static hy_window *set_of(hy_windows *windows, uint64_t key)
{
    return &windows->entries[mix(key) % windows->sets * windows->ways];
}

static bool hold(hy_window *window)
{
    if (!(atomic_fetch_add_explicit(&window->holders, 1, memory_order_acquire) & CLOSED))
        return true;
    hy_window_release(window);
    return false;
}

void hy_window_release(hy_window *window)
{
    atomic_fetch_sub_explicit(&window->holders, 1, memory_order_release);
}

static hy_window *windows_find(hy_windows *windows, uint64_t key)
{
    hy_window *set = set_of(windows, key);
    for (uint32_t i = 0; i < windows->ways; i++) {
        if (hy_load_relaxed(&set[i].key) != key || !hold(&set[i])) continue;
        if (hy_load_relaxed(&set[i].key) == key) return &set[i];
        hy_window_release(&set[i]);
    }
    return NULL;
}

static void touch(hy_windows *windows, hy_window *window)
{
    uint64_t now = hy_load_relaxed(&windows->age) + 1;
    if (hy_load_relaxed(&window->used) != now) hy_store_relaxed(&window->used, now);
}

/* True unless the key is not known to have been used before. */
static bool is_used_again(hy_windows *windows, uint64_t key)
{
    _Atomic uint64_t *note = &windows->notes[mix(key) % NOTES];
    if (hy_load_relaxed(note) == key) return true;
    hy_store_relaxed(note, key);
    return false;
}

static bool close_unless_held(hy_window *window)
{
    uint32_t nobody = 0;
    return atomic_compare_exchange_strong_explicit(&window->holders, &nobody, CLOSED,
                                                   memory_order_acquire, memory_order_relaxed);
}

/* Finds an entry of the key's set that is empty and now closed; NULL: all are held. The caller
 * holds the lock. */
static hy_window *windows_make_room(hy_windows *windows, uint64_t key)
{
    hy_window *set = set_of(windows, key), *oldest = NULL;
    for (uint32_t i = 0; i < windows->ways; i++) {
        if (!hy_load_relaxed(&set[i].key)) return &set[i];
        if ((hy_load_relaxed(&set[i].holders) & ~CLOSED) > 0) continue;
        if (!oldest || hy_load_relaxed(&set[i].used) < hy_load_relaxed(&oldest->used))
            oldest = &set[i];
    }
    if (!oldest || !close_unless_held(oldest)) return NULL;
    empty(windows, oldest);
    return oldest;
}

/* Attaches the window. The caller then holds it; NULL: it cannot be attached. The caller holds the
 * lock. */
static hy_window *attach(hy_windows *windows, uint64_t key, const void *peer)
{
    hy_window *window = windows_find(windows, key);
    if (window) return window;
    window = windows_make_room(windows, key);
    if (!window || !windows->ops->attach(windows->context, peer, key, window)) return NULL;
    uint64_t now = atomic_fetch_add_explicit(&windows->age, 2, memory_order_relaxed) + 2;
    hy_store_relaxed(&window->used, now);
    hy_store_relaxed(&window->key, key);
    /* opens it with one holder; other threads may be counting up and down again */
    atomic_fetch_sub_explicit(&window->holders, CLOSED - 1, memory_order_release);
    return window;
}

hy_window *hy_windows_take(hy_windows *windows, uint64_t key, bool at_once, const void *peer)
{
    if (hy_unlikely(!windows || !windows->sets)) return NULL;
    hy_window *window = windows_find(windows, key);
    if (hy_likely(window != NULL)) {
        touch(windows, window);
        return window;
    }
    if (!at_once && !is_used_again(windows, key)) return NULL;
    pthread_mutex_lock(&windows->lock);
    window = attach(windows, key, peer);
    pthread_mutex_unlock(&windows->lock);
    return window;
}

void hy_windows_drop(hy_windows *windows, hy_window *window)
{
    uint64_t key = hy_load_relaxed(&window->key);
    hy_window_release(window);
    pthread_mutex_lock(&windows->lock);
    if (hy_load_relaxed(&window->key) == key && close_unless_held(window)) empty(windows, window);
    pthread_mutex_unlock(&windows->lock);
}
