/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and finds requests of collectives, and waits for those of both kinds together. */
#include "fmpl/fmpl_started.h"

#include "coll/background.h"
#include "job/await.h"

static int started_begin(hy_comms *comms, hy_comm *comm, int number, const hy_arguments *call,
                         fmpl_request_t *request)
{
    uint32_t none = 0, start = (atomic_fetch_add(&comms->starts, 2) | 1) & INT32_MAX;
    if (!atomic_compare_exchange_strong(&comm->started.start, &none, start))
        return hy_fail(HAYATE_ERR_BUSY,
                       "a collective was started on communicator %d: wait for its request first",
                       number);
    int rc = hy_background_start(comms, number, call);
    if (rc == HAYATE_IN_PROGRESS) {
        *request = HY_STARTED_BIT | (uint64_t)start << 32 | (uint32_t)number;
        return HAYATE_OK;
    }
    hy_store_release(&comm->started.start, 0);
    return rc;
}

int hy_started_begin(hy_comms *comms, int number, const hy_arguments *call, fmpl_request_t *request)
{
    if (!request) return hy_fail(HAYATE_ERR_ARGUMENT, "request is null");
    *request = FMPL_REQUEST_NULL;
    hy_comm *comm = hy_comm_find(comms, number);
    return comm ? started_begin(comms, comm, number, call, request) : HAYATE_ERR_ARGUMENT;
}

int hy_started_wait(hy_comms *comms, fmpl_request_t request, uint32_t turns)
{
    int number = (int)(request & INT32_MAX);
    hy_comm *comm = hy_comm_find(comms, number);
    if (!comm) return HAYATE_ERR_ARGUMENT;
    if (hy_load_acquire(&comm->started.start) != (uint32_t)(request >> 32 & INT32_MAX))
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "the request of a collective on communicator %d has already completed",
                       number);
    int rc = hy_background_wait(comms, number, turns, NULL);
    if (rc != HAYATE_IN_PROGRESS) hy_store_release(&comm->started.start, 0);
    return rc;
}

/* ---- several ---- */

typedef struct any {
    hy_comms *comms;
    hy_msg *msg;
    int n;
    const fmpl_request_t *requests;
    int index;
} any;

static int test_one(const any *a, fmpl_request_t request)
{
    return hy_is_started(request) ? hy_started_wait(a->comms, request, 1)
                                  : hy_request_test(a->msg, request, NULL);
}

/* The result of the first that is complete. A test learns of failures itself. */
static int any_step(void *context)
{
    any *a = context;
    for (int i = 0; i < a->n; i++) {
        if (a->requests[i] == FMPL_REQUEST_NULL) continue;
        int rc = test_one(a, a->requests[i]);
        if (rc == HAYATE_IN_PROGRESS) continue;
        a->index = i;
        return rc;
    }
    return HAYATE_IN_PROGRESS;
}

static void any_tell(const void *context, hy_awaited *awaited)
{
    const any *a = context;
    awaited->kind = HY_AWAITED_REQUESTS;
    awaited->number = (uint64_t)a->n;
}

int hy_started_wait_any(hy_comms *comms, hy_msg *msg, int n, const fmpl_request_t *requests,
                        int *index)
{
    any a = {comms, msg, n, requests, -1};
    int rc = hy_job_await(&(hy_await){
        .job = comms->job, .step = any_step, .tell = any_tell, .context = &a, .poll = hy_progress});
    *index = a.index;
    return rc;
}
