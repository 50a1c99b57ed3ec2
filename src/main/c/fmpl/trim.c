/* SPDX-License-Identifier: Apache-2.0 */
/* Unused eager buffers go back to the heap: asked for by the program, or when there is no room. */
#include "coll/comm.h"
#include "fmpl/context.h"
#include "job/holders.h"

static uint64_t trim_all(hy_fmpl *fmpl)
{
    uint64_t lanes = (uint64_t)fmpl->count * (uint64_t)fmpl->size;
    uint64_t bytes = hy_comms_trim(fmpl->comms);
    for (uint64_t i = 0; i < lanes; i++) {
        hy_lane *lane = &fmpl->lanes[i];
        if (!hy_channel_has_eager(&lane->channel) || !hy_busy_visit(&lane->send.busy)) continue;
        bytes += hy_channel_trim(&lane->channel);
        hy_busy_leave(&lane->send.busy);
    }
    return bytes;
}

bool hy_fmpl_give(void *fmpl)
{
    return trim_all(fmpl) != 0;
}

int hy_fmpl_trim(hy_fmpl *fmpl, uint64_t *bytes)
{
    if (hy_load_relaxed(&fmpl->closed) || hy_load_relaxed(&fmpl->job->closed))
        return hy_fail(HAYATE_ERR_CLOSED, "used after close");
    pthread_mutex_lock(&fmpl->job->asking); /* what we visit others would pass over */
    *bytes = trim_all(fmpl);
    pthread_mutex_unlock(&fmpl->job->asking);
    return HAYATE_OK;
}
