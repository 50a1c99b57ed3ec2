/* SPDX-License-Identifier: Apache-2.0 */
/* Opens FMPL on a job and closes it: the lanes of the messages first, then the communicators. */
#include "fmpl/fmpl.h"

#include <stdlib.h>

#include "job/setup.h"

/* Returns unused eager buffers to the heap: when the program asks for it, or when the heap is
 * full. */
static uint64_t trim(hy_fmpl *fmpl)
{
    return hy_comms_trim(fmpl->comms) + hy_msg_trim(&fmpl->msg);
}

static void give(hy_shrinker *shrinker)
{
    trim((hy_fmpl *)((uint8_t *)shrinker - offsetof(hy_fmpl, shrinker)));
}

/* One collective set-up for both parts, so that no other thread of this rank sets something up
 * in between. */
static int fmpl_open_all(hy_fmpl *fmpl, hy_job *job, const void *match, const void *flags,
                         int64_t count)
{
    int rc = hy_msg_open(&fmpl->msg, job, count);
    if (!rc) rc = hy_setup_enter(job, NULL);
    if (rc) return rc;
    rc = hy_msg_meet(&fmpl->msg, match, flags);
    if (!rc) rc = hy_comms_open(&fmpl->comms, job, fmpl->msg.spin_limit);
    hy_setup_leave(job);
    if (rc) return rc;
    hy_msg_start(&fmpl->msg);
    fmpl->shrinker.give = give;
    hy_shrinker_add(job, &fmpl->shrinker);
    return HAYATE_OK;
}

int hy_fmpl_open(hy_fmpl **result, hy_job *job, void *match, void *flags, int64_t count)
{
    if (count < 1 || count > HY_MAX_MAI)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%lld entries: expected 1 to %d", (long long)count,
                       HY_MAX_MAI);
    if (hy_load_relaxed(&job->closed)) return hy_fail(HAYATE_ERR_CLOSED, "the job is closed");
    hy_fmpl *fmpl = aligned_alloc(HY_LINE, hy_round_up(sizeof *fmpl, HY_LINE));
    if (!fmpl) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for FMPL");
    fmpl->comms = NULL;
    int rc = fmpl_open_all(fmpl, job, match, flags, count);
    if (rc) {
        hy_fmpl_close(fmpl);
        hy_fmpl_free(fmpl);
        return rc;
    }
    *result = fmpl;
    return HAYATE_OK;
}

int hy_fmpl_close(hy_fmpl *fmpl)
{
    if (!hy_msg_refuse(&fmpl->msg)) return HAYATE_OK;
    const hy_failure failure = hy_failure_of(fmpl->comms ? hy_comms_close(fmpl->comms) : HAYATE_OK);
    hy_msg_close(&fmpl->msg);
    return hy_fail_again(&failure);
}

void hy_fmpl_free(hy_fmpl *fmpl)
{
    hy_shrinker_remove(fmpl->msg.job, &fmpl->shrinker);
    hy_msg_free(&fmpl->msg);
    if (fmpl->comms) hy_comms_free(fmpl->comms);
    free(fmpl);
}

int hy_fmpl_trim(hy_fmpl *fmpl, uint64_t *bytes)
{
    hy_job *job = fmpl->msg.job;
    if (hy_load_relaxed(&fmpl->msg.closed) || hy_load_relaxed(&job->closed))
        return hy_fail(HAYATE_ERR_CLOSED, "used after close: this object, or its job, is closed");
    pthread_mutex_lock(&job->asking); /* or another thread would skip the lanes that we visit */
    *bytes = trim(fmpl);
    pthread_mutex_unlock(&job->asking);
    return HAYATE_OK;
}
