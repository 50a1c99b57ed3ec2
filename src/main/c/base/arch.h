/* SPDX-License-Identifier: Apache-2.0 */
/* What differs between the processors that Hayate supports, x86-64 and aarch64, except for the
 * tasks of pvas/, which exist on x86-64 only. Atomics are C11's and the same everywhere: line.h. */
#ifndef HY_BASE_ARCH_H
#define HY_BASE_ARCH_H

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "Hayate supports x86-64 and aarch64"
#endif
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Hayate supports little-endian machines: docs/WIRE.md"
#endif

/* One turn of a spinning wait: takes some tens of nanoseconds, and leaves the core's units to its
 * other hardware thread. On aarch64 "yield" takes no time on most cores, which would shorten every
 * wait that counts its turns; "isb" empties the pipeline and takes about as long as x86's pause. */
static inline void hy_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    __asm__ volatile("isb" ::: "memory");
#endif
}

/* Begins to fetch a line that is written soon; any address. The built-in would fetch it to read on
 * processors that are as old as the compiler must assume. */
static inline void hy_prefetch_to_write(const void *line)
{
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" ::"m"(*(const char *)line));
#else
    __builtin_prefetch(line, 1);
#endif
}

/* For measurements: instructions after it start when the loads before it have their values. No
 * synchronisation of threads: that is C11's business. */
static inline void hy_wait_for_loads(void)
{
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#else
    __asm__ volatile("dsb ld\n\tisb" ::: "memory");
#endif
}

#endif
