/* SPDX-License-Identifier: Apache-2.0 */
/* Set-up calls of FMPL, for JNA. An FMPL is represented by its address; results below 0 are error
 * codes. */
#include "msg/breakdown.h"
#include "coll/limits.h"
#include "coll/offer.h"
#include "coll/shrink.h"
#include "fmpl/fmpl.h"
#include "jni/patience.h"

static bool is_interrupted(void)
{
    return !hy_patience_again(NULL);
}

HAYATE_API int64_t hayate_binding_fmpl_open(hy_job *job, void *match, void *flags, int64_t count)
{
    hy_fmpl *fmpl = NULL;
    int rc = hy_fmpl_open(&fmpl, job, match, flags, count);
    if (!rc) fmpl->comms->limits.interrupted = is_interrupted;
    return rc ? rc : (int64_t)(intptr_t)fmpl;
}

HAYATE_API int hayate_binding_fmpl_close(hy_fmpl *fmpl)
{
    return hy_fmpl_close(fmpl);
}

/* Called only when no thread can be inside any more, and before its job is freed. */
HAYATE_API void hayate_binding_fmpl_free(hy_fmpl *fmpl)
{
    hy_fmpl_free(fmpl);
}

/* The limit of blocking collectives in nanoseconds; 0: none. */
HAYATE_API void hayate_binding_timeout_set(hy_fmpl *fmpl, int64_t nanos)
{
    hy_limits_set(&fmpl->comms->limits, (uint64_t)nanos);
}

HAYATE_API int64_t hayate_binding_timeout_get(hy_fmpl *fmpl)
{
    return (int64_t)hy_load_relaxed(&fmpl->comms->limits.limit_ns);
}

/* Returns the number of the communicator, FMPL_COMM_NULL for ranks that do not join (as INT32_MAX,
 * because io.hayate must distinguish it from an error code), or an error code. */
HAYATE_API int hayate_binding_comm_create(hy_fmpl *fmpl, int join)
{
    int comm = FMPL_COMM_NULL;
    int rc = hy_comm_create(fmpl->comms, join != 0, &comm);
    if (rc) return rc;
    return comm == FMPL_COMM_NULL ? INT32_MAX : comm;
}

/* As hayate_binding_comm_create(), over the members of `from`; color below 0: does not join. */
HAYATE_API int hayate_binding_comm_split(hy_fmpl *fmpl, int from, int color, int key)
{
    int comm = FMPL_COMM_NULL;
    int rc = hy_comm_split(fmpl->comms, from, color, key, &comm);
    if (rc) return rc;
    return comm == FMPL_COMM_NULL ? INT32_MAX : comm;
}

/* Returns the communicator of the survivors, or an error code. */
HAYATE_API int hayate_binding_comm_shrink(hy_fmpl *fmpl, int from)
{
    int comm = FMPL_COMM_NULL, rc = hy_comm_shrink(fmpl->comms, from, &comm);
    return rc ? rc : comm;
}

/* An offer of coll/offer.h; 0: failed. record: of hayate_binding_offer_bytes() bytes. */
HAYATE_API int64_t hayate_binding_offer_make(hy_fmpl *fmpl, int ranks, void *record)
{
    hy_group_record mine;
    hy_offer *offer = hy_offer_make(fmpl->comms, ranks, &mine);
    memcpy(record, &mine, sizeof mine);
    return (int64_t)(intptr_t)offer;
}

HAYATE_API int hayate_binding_offer_bytes(void)
{
    return sizeof(hy_group_record);
}

HAYATE_API int hayate_binding_offer_accept(hy_offer *offer, int self, int count,
                                           const int32_t *ranks, const void *records)
{
    return hy_offer_accept(offer, self, count, ranks, records);
}

/* Returns the communicator; INT32_MAX: there is none. */
HAYATE_API int hayate_binding_offer_end(hy_offer *offer, int verdict)
{
    int comm;
    hy_offer_end(offer, (hy_verdict)verdict, &comm);
    return comm == FMPL_COMM_NULL ? INT32_MAX : comm;
}

/* The node of a rank of the job. */
HAYATE_API int hayate_binding_node_of(hy_fmpl *fmpl, int rank)
{
    return hy_job_node_of(fmpl->comms->job, rank);
}

HAYATE_API int hayate_binding_comm_free(hy_fmpl *fmpl, int comm)
{
    return hy_comm_free(fmpl->comms, comm);
}

HAYATE_API int hayate_binding_comm_rank(hy_fmpl *fmpl, int comm)
{
    const hy_comm *found = hy_comm_find(fmpl->comms, comm);
    return found ? found->group.rank : HAYATE_ERR_ARGUMENT;
}

HAYATE_API int hayate_binding_comm_size(hy_fmpl *fmpl, int comm)
{
    const hy_comm *found = hy_comm_find(fmpl->comms, comm);
    return found ? found->group.size : HAYATE_ERR_ARGUMENT;
}

HAYATE_API int hayate_binding_comm_is_broken(hy_fmpl *fmpl, int comm)
{
    return hy_comm_is_broken(fmpl->comms, comm);
}

/* Stores the ranks of the job that the members are; size: of the communicator. */
HAYATE_API int hayate_binding_comm_members(hy_fmpl *fmpl, int comm, int *ranks, int size)
{
    const hy_comm *found = hy_comm_find(fmpl->comms, comm);
    if (!found || found->group.size != size) return HAYATE_ERR_ARGUMENT;
    for (int member = 0; member < size; member++)
        ranks[member] = hy_group_member(&found->group, member);
    return HAYATE_OK;
}

HAYATE_API int hayate_binding_send_buffer_set(hy_fmpl *fmpl, void *memory, int64_t size,
                                              int timeout_us)
{
    return hy_send_buffer_set(&fmpl->msg, memory, size, timeout_us);
}

/* result[0]: sent since the last check; result[1]: still waiting. */
HAYATE_API int hayate_binding_send_buffer_check(hy_fmpl *fmpl, int *result)
{
    return hy_send_buffer_check(&fmpl->msg, &result[0], &result[1]);
}

/* Returns the number of bytes given back, or an error code. */
HAYATE_API int64_t hayate_binding_fmpl_trim(hy_fmpl *fmpl)
{
    uint64_t bytes = 0;
    int rc = hy_fmpl_trim(fmpl, &bytes);
    return rc ? rc : (int64_t)bytes;
}

HAYATE_API int hayate_binding_breakdown_set(hy_fmpl *fmpl, int on)
{
    return hy_breakdown_set(&fmpl->msg, on);
}

/* result[0..5]: the medians in the order of fmpl_breakdown_t; result[6]: samples. */
HAYATE_API int hayate_binding_breakdown_get(hy_fmpl *fmpl, double *result)
{
    fmpl_breakdown_t breakdown;
    int rc = hy_breakdown_get(&fmpl->msg, &breakdown);
    if (rc) return rc;
    result[0] = breakdown.send_setup;
    result[1] = breakdown.send_header;
    result[2] = breakdown.send_data;
    result[3] = breakdown.recv_setup;
    result[4] = breakdown.recv_header;
    result[5] = breakdown.recv_data;
    result[6] = (double)breakdown.samples;
    return HAYATE_OK;
}
