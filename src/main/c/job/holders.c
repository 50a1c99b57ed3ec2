/* SPDX-License-Identifier: Apache-2.0 */
#include "job/holders.h"

int hy_holder_add(hy_job *job, bool (*give)(void *context), void *context)
{
    pthread_mutex_lock(&job->lock);
    bool added = hy_hooks_add(&job->holders, give, context);
    pthread_mutex_unlock(&job->lock);
    return added ? HAYATE_OK : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a holder of memory");
}

void hy_holder_remove(hy_job *job, const void *context)
{
    hy_hooks_remove(&job->holders, context);
}

/* Who comes second waits: what the first one visits the second one would pass over, and so say that
 * there is no room just before there is. */
void hy_holders_ask(hy_job *job)
{
    pthread_mutex_lock(&job->asking);
    hy_hooks_call(&job->holders);
    pthread_mutex_unlock(&job->asking);
}
