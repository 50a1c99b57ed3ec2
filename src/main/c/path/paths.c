/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of paths, the choice of a single-copy path for a peer, and the non-blocking form of
 * operations that a row completes at once.
 */
#include <pthread.h>
#include <stdlib.h>

#include "base/status.h"
#include "path/path.h"

const hy_path_ops *const hy_paths[] = {&hy_path_direct, &hy_path_shm, &hy_path_attach,
                                       &hy_path_copy,   &hy_path_cma, NULL};

const hy_path_ops *const hy_single_copies[] = {&hy_path_direct, &hy_path_attach, &hy_path_copy,
                                               &hy_path_cma, NULL};

/* Reading a number that only the right process holds at that address checks permission, pid
 * namespace and pid reuse at once. */
static int reaches(hy_ep *ep, const hy_path_ops *path)
{
    uint64_t seen = 0;
    int rc = path->probe();
    if (!rc) rc = path->get(ep, ep->cookie_address, &seen, sizeof seen);
    if (!rc && seen != ep->cookie)
        rc = hy_fail(
            HAYATE_ERR_UNSUPPORTED,
            "process %d is not rank %d here: another pid namespace, start the ranks in one",
            (int)ep->pid, ep->rank);
    return rc;
}

typedef struct kept_reason {
    struct kept_reason *next;
    char text[];
} kept_reason;

/* Nearly all peers have the same reason, so it is kept once, and for good: endpoints are copied. */
static const char *keep_reason(const char *text)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static kept_reason *all;
    pthread_mutex_lock(&lock);
    kept_reason *kept = all;
    while (kept && strcmp(kept->text, text) != 0) kept = kept->next;
    if (!kept && (kept = malloc(sizeof *kept + strlen(text) + 1))) {
        kept->next = all;
        strcpy(kept->text, text);
        all = kept;
    }
    pthread_mutex_unlock(&lock);
    return kept ? kept->text : "there was no memory for the reason";
}

void hy_ep_choose_single(hy_ep *ep, const char *only)
{
    ep->single = NULL;
    for (int i = 0; hy_single_copies[i]; i++) {
        if (only && strcmp(only, hy_single_copies[i]->name) != 0) continue;
        if (reaches(ep, hy_single_copies[i]) == HAYATE_OK) {
            ep->single = hy_single_copies[i];
            return;
        }
        ep->why_not_single = keep_reason(hayate_error());
    }
}

int hy_op_begin(const hy_path_ops *row, hy_ep *ep, hy_path_op *op)
{
    if (row->begin) return row->begin(ep, op);
    hy_flag flag = {.value = op->operand};
    op->ordered = true;
    switch (op->kind) {
    case HY_OP_GET: return row->get(ep, op->remote, op->local, op->len);
    case HY_OP_PUT: return row->put(ep, op->remote, op->local, op->len);
    case HY_OP_FLUSH: return row->flush ? row->flush(ep) : HAYATE_OK;
    case HY_OP_SIGNAL:
        row->signal(ep, op->remote, op->operand, op->local, op->len);
        return HAYATE_OK;
    case HY_OP_FLAG:
        memcpy(flag.data, op->local, sizeof flag.data);
        return row->put_flag(ep, op->remote, &flag);
    default: return row->atomic(ep, op->remote, op->what, op->operand, op->expected, op->before);
    }
}
