/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores that may hit memory which its owner has lost: an attachment raises SIGBUS then,
 * which must be an error of one copy, not the end of the process.
 *
 * The handler is the process's: what it does not know goes to the one that was there before (the
 * JVM's, for instance). Who installs another one later has to pass on what is not his.
 */
#ifndef HY_PATH_KMOD_BUS_GUARD_H
#define HY_PATH_KMOD_BUS_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Once per process, before the first guarded copy; any thread, any number of times. */
int hy_guard_install(void);

/* memcpy(to, from, len), of which [risky, risky + len) is one side: false, with some of the bytes
 * copied, if that cannot be touched. Any thread; a system call at a thread's first. */
bool hy_guard_copy(void *to, const void *from, size_t len, const void *risky);

#endif
