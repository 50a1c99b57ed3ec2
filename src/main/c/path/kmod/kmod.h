/* SPDX-License-Identifier: Apache-2.0 */
/*
 * This process in the kernel's module, /dev/hayate: what it gives to the other ranks of its job
 * (all of its memory, under one number), and what it uses of theirs. Rows `copy` and `attach` of
 * the table of paths use it.
 *
 * Threads: any number at once, but for open and close. A child of fork() is another process to the
 * module: its copies fail, and it has no attachments.
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
    uint64_t attach_bytes; /* at most so much of peers' memory attached at a time */
    bool at_once;          /* attach what is used for the first time, too */
} hy_kmod_use;

/* NULL only without memory. Where the module cannot be used the result says so at every use. */
hy_kmod *hy_kmod_open(const hy_kmod_use *use);
void hy_kmod_close(hy_kmod *kmod);

/* What the other ranks are to be told; 0: this process gives nothing. */
uint64_t hy_kmod_segment(const hy_kmod *kmod);

/* OK, or UNSUPPORTED: no module, no right, another version. */
int hy_kmod_probe(void);

/* The same about what the module says of itself. */
int hy_kmod_check_abi(uint32_t abi);

/* OK, or UNSUPPORTED: this process, or the peer, does not use the module, and why. */
int hy_kmod_usable(const hy_ep *ep);

/* One call of the kernel. write: into the peer's memory. */
int hy_kmod_copy(const hy_ep *ep, bool write, uint64_t remote, const void *local, size_t len);

/* As hy_windows_take(), of the window that `remote` lies in. */
hy_window *hy_kmod_window(const hy_ep *ep, bool write, uint64_t remote);
void hy_kmod_drop(const hy_ep *ep, hy_window *window);

/* After a use of it: all that was loaded, or stored when `wrote`, was the peer's memory. False:
 * some may not have been; the window is of no use any more. */
bool hy_kmod_was_there(const hy_window *window, bool wrote);

/* Windows that can be attached at a time; 0: none, by HAYATE_ATTACH_CACHE. */
uint64_t hy_kmod_most_windows(const hy_kmod *kmod);

#endif
