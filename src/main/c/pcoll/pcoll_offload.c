/* SPDX-License-Identifier: Apache-2.0 */
/* Persistent collectives that the delegatee of the node runs whole. */
#include "coll/reductions.h"
#include "net/delegated/offload.h"
#include "pcoll/operation.h"

bool hy_pcoll_may_offload(const hy_pcoll *op, const hy_arguments *call)
{
    if (!op->all->comms->job->delegate) return false;
    return !hy_coll_reduces(call->coll) || (call->op < FMPL_OP_COUNT && !call->context);
}

static const char *why_not(const hy_pcoll *op, const hy_arguments *call)
{
    if (!op->all->comms->job->delegate) return "this node has no delegatee";
    return hy_pcoll_may_offload(op, call) ? NULL : "its reduction is a function of the program";
}

static int hand_over(hy_pcoll *op, const hy_arguments *call)
{
    hy_job *job = op->all->comms->job;
    uint32_t reduction = hy_coll_reduces(call->coll) ? (uint32_t)call->op : HY_IMAGE_NO_REDUCTION;
    int rc = hy_wired_pack(&op->wired, reduction, &op->image);
    if (rc) return rc;
    uint64_t offset = (uint64_t)((uint8_t *)op->image - job->part);
    rc = hy_offload_load(job->delegate, offset, op->image->bytes, &op->handle);
    if (rc) {
        hy_job_release(job, op->image);
        op->image = NULL;
    }
    return rc;
}

int hy_pcoll_offload(hy_pcoll *op, const hy_arguments *call)
{
    op->why_not = why_not(op, call);
    if (!op->why_not) {
        int rc = hand_over(op, call);
        if (rc != HAYATE_ERR_UNSUPPORTED) return rc;
        op->why_not = "not all memory is in the symmetric heap";
    }
    op->progress = HY_PROGRESS_THREAD;
    return hy_pcolls_thread(op->all);
}

/* Acquire order: the data of the run were written before. */
int hy_pcoll_offloaded(const hy_pcoll *op)
{
    if (hy_load_acquire(&op->image->finished) != op->wired.run) return HAYATE_IN_PROGRESS;
    int status = hy_load_relaxed(&op->image->status);
    if (status >= 0) return HAYATE_OK;
    status = hy_status_told(status);
    return hy_fail(status, "the delegatee of this node could not complete the %s: %s",
                   hy_coll_name(op->shape.coll), hayate_strerror(status));
}

void hy_pcoll_take_back(hy_pcoll *op)
{
    hy_job *job = op->all->comms->job;
    if (!op->image) return;
    bool over = hy_pcoll_offloaded(op) != HAYATE_IN_PROGRESS;
    int rc = hy_offload_unload(job->delegate, op->handle);
    if (over && !rc) hy_job_release(job, op->image);
    else hy_job_release_late(job, op->image);
    op->image = NULL;
}
