/* SPDX-License-Identifier: Apache-2.0 */
/*
 * This process's use of the kernel module, /dev/hayate: what it publishes to the other ranks of its
 * job (all of its memory, under one number), and what it uses of theirs. The rows `copy` and
 * `attach` use it.
 *
 * Threads: any number at once, except for open and close. A child of fork() is another process for
 * the module: its copies fail, and it has no attachments.
 */
#ifndef HY_PATH_KMOD_KMOD_H
#define HY_PATH_KMOD_KMOD_H

#include "path/kmod/windows.h"
#include "path/path.h"

#define HY_KMOD_TOKEN_BYTES 16

/* How a job uses the module. */
typedef struct hy_kmod_use {
    uint8_t token[HY_KMOD_TOKEN_BYTES]; /* the job's secret; all 0: none */
    int ranks;
    uint64_t attach_bytes; /* limit of peers' memory that is attached at a time */
    bool at_once;          /* attach memory at its first use already */
} hy_kmod_use;

/* NULL only if there is no memory. If the module cannot be used, every use of the result fails with
 * the reason. */
hy_kmod *hy_kmod_open(const hy_kmod_use *use);
void hy_kmod_close(hy_kmod *kmod);

/* The number that the other ranks need; 0: this process publishes nothing. */
uint64_t hy_kmod_segment(const hy_kmod *kmod);

/* OK, or UNSUPPORTED: no module, no permission, or another version. */
int hy_kmod_probe(void);

/* Does the same check on the version that the module reports. */
int hy_kmod_check_abi(uint32_t abi);

/* OK, or UNSUPPORTED with the reason why this process or the peer does not use the module. */
int hy_kmod_usable(const hy_ep *ep);

/* Copies with one system call. write: into the peer's memory. */
int hy_kmod_copy(const hy_ep *ep, bool write, uint64_t remote, const void *local, size_t len);

/* Like hy_windows_take(), for the window that contains `remote`. */
hy_window *hy_kmod_window(const hy_ep *ep, bool write, uint64_t remote);
void hy_kmod_drop(const hy_ep *ep, hy_window *window);

/* Called after a use of the window. True: everything that was loaded (or stored, if `wrote`) was
 * the peer's memory. False: some of it may not have been, and the window is no longer usable. */
bool hy_kmod_was_there(const hy_window *window, bool wrote);

/* The number of windows that can be attached at a time; 0: HAYATE_ATTACH_CACHE permits none. */
uint64_t hy_kmod_most_windows(const hy_kmod *kmod);

#endif
