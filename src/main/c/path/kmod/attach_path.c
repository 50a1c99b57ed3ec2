/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores on a peer's own pages, which the kernel module maps into this address space when
 * they are first touched. Memory that is used for the first time is copied by the module (`copy`),
 * which is cheaper than the page faults; from the second use on its window is attached.
 *
 * What the owner unmaps, frees or moves disappears from the window at once, so the window is never
 * stale. Touching a page that is not there raises no signal: the module shows zeros and counts the
 * access, and a copy during which the count changed is invalid. It is repeated by `copy`, which
 * reports the reason.
 */
#include <string.h>

#include "base/status.h"
#include "path/kmod/kmod.h"

typedef struct piece {
    bool write;
    uint64_t remote;
    uint8_t *local;
    size_t len; /* does not extend beyond the window of `remote` */
} piece;

static bool move_through(const hy_window *window, const piece *p)
{
    uint64_t offset = p->remote % HY_WINDOW_BYTES;
    if (offset > window->bytes || p->len > window->bytes - offset) return false;
    uint8_t *theirs = window->start + offset;
    if (p->write) memcpy(theirs, p->local, p->len);
    else memcpy(p->local, theirs, p->len);
    return hy_kmod_was_there(window, p->write);
}

static int move_piece(const hy_ep *ep, const piece *p)
{
    hy_window *window = hy_kmod_window(ep, p->write, p->remote);
    if (hy_likely(window != NULL)) {
        if (hy_likely(move_through(window, p))) {
            hy_window_release(window);
            return HAYATE_OK;
        }
        hy_kmod_drop(ep, window);
    }
    return hy_kmod_copy(ep, p->write, p->remote, p->local, p->len);
}

static int attach_path_move(const hy_ep *ep, bool write, uint64_t remote, void *local, size_t len)
{
    piece p = {.write = write, .remote = remote, .local = local};
    int rc = hy_kmod_usable(ep);
    if (rc) return rc;
    if (!hy_kmod_most_windows(ep->kmod))
        return hy_fail(HAYATE_ERR_UNSUPPORTED, "HAYATE_ATTACH_CACHE has no room for a window");
    while (!rc && len > 0) {
        uint64_t room = HY_WINDOW_BYTES - p.remote % HY_WINDOW_BYTES;
        p.len = len < room ? len : room;
        rc = move_piece(ep, &p);
        p.remote += p.len;
        p.local += p.len;
        len -= p.len;
    }
    return rc;
}

static int attach_put(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    return attach_path_move(ep, true, remote, (void *)(uintptr_t)local, len);
}

static int attach_get(hy_ep *ep, uint64_t remote, void *local, size_t len)
{
    return attach_path_move(ep, false, remote, local, len);
}

const hy_path_ops hy_path_attach = {
    .name = "attach",
    .put = attach_put,
    .get = attach_get,
    .probe = hy_kmod_probe,
};
