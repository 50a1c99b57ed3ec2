/* SPDX-License-Identifier: Apache-2.0 */
/* The C functions of hayate/fmpl.h, on the one FMPL of a C program. */
#include "coll/collective.h"
#include "coll/limits.h"
#include "fmpl/fmpl.h"
#include "fmpl/fmpl_started.h"
#include "init/join.h"
#include "msg/breakdown.h"

static hy_fmpl *_Atomic current;

static void answer(int *ier, int rc)
{
    if (ier) *ier = rc;
}

static hy_fmpl *fmpl_of_process(int *ier)
{
    hy_fmpl *fmpl = hy_load_acquire(&current);
    if (hy_unlikely(!fmpl))
        answer(ier, hy_fail(HAYATE_ERR_STATE, "no FMPL: call fmpl_init() first"));
    return fmpl;
}

static hy_buffer native(const void *memory)
{
    return (hy_buffer){.address = (uint8_t *)(uintptr_t)memory};
}

static int64_t signed_size(size_t size)
{
    return size > INT64_MAX ? -1 : (int64_t)size;
}

static int missing(const char *what)
{
    return hy_fail(HAYATE_ERR_ARGUMENT, "%s is null", what);
}

void fmpl_init(void *ma, void *fa, int count, int *ier)
{
    hy_fmpl *fmpl = hy_load_acquire(&current);
    hy_job *job = hy_process_job();
    if (!job) {
        answer(ier, HAYATE_ERR_STATE);
        return;
    }
    if (fmpl && !hy_load_relaxed(&fmpl->msg.closed)) {
        answer(ier, hy_fail(HAYATE_ERR_STATE, "FMPL is already open: call fmpl_init() only once"));
        return;
    }
    int rc = hy_fmpl_open(&fmpl, job, ma, fa, count);
    if (!rc) hy_store_release(&current, fmpl);
    if (!rc) hy_process_comms_set(fmpl->comms);
    answer(ier, rc);
}

/* As with the job, memory that other threads may still use stays allocated. */
void fmpl_finalize(int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    if (!fmpl) return;
    answer(ier, hy_fmpl_close(fmpl));
}

void fmpl_send(const void *buf, size_t size, int dst, int mai, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    if (fmpl) answer(ier, hy_msg_send(&fmpl->msg, native(buf), signed_size(size), dst, mai, NULL));
}

void fmpl_recv(void *buf, size_t size, int src, int mai, int *ier)
{
    fmpl_recv_size(buf, size, src, mai, NULL, ier);
}

void fmpl_recv_size(void *buf, size_t size, int src, int mai, size_t *received, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    uint64_t length = 0;
    if (!fmpl) return;
    answer(ier, hy_msg_recv(&fmpl->msg, native(buf), signed_size(size), src, mai, &length, NULL));
    if (received) *received = length;
}

void fmpl_isend(const void *buf, size_t size, int dst, int mai, fmpl_request_t *request, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    if (!fmpl) return;
    answer(ier, request
                    ? hy_msg_isend(&fmpl->msg, native(buf), signed_size(size), dst, mai, request)
                    : missing("request"));
}

void fmpl_irecv(void *buf, size_t size, int src, int mai, fmpl_request_t *request, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    if (!fmpl) return;
    answer(ier, request
                    ? hy_msg_irecv(&fmpl->msg, native(buf), signed_size(size), src, mai, request)
                    : missing("request"));
}

/* ---- sections ---- */

/* The section as a buffer of *bytes; *strided lives as long as the call. */
static int section_buffer(const fmpl_section_t *section, hy_strided *strided, hy_buffer *buffer,
                          int64_t *bytes)
{
    uint64_t packed = 0;
    if (!section) return missing("section");
    *strided = (hy_strided){.inner = native(section->address),
                            .section = {.rows = (uint32_t)section->block,
                                        .columns = (uint32_t)section->count,
                                        .stride = section->stride,
                                        .element = 1}};
    if (section->block > INT32_MAX || section->count > INT32_MAX ||
        !hy_section_check(&strided->section, &packed))
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "a section of %zu blocks of %zu bytes with stride %zu: expected at most "
                       "2147483647 blocks and bytes, and a stride of at least a block",
                       section->count, section->block, section->stride);
    if (packed && !section->address)
        return hy_fail(HAYATE_ERR_ARGUMENT, "the section's address is null but it has %llu bytes",
                       (unsigned long long)packed);
    *buffer = hy_strided_buffer(strided);
    *bytes = (int64_t)packed;
    return HAYATE_OK;
}

void fmpl_send_section(const fmpl_section_t *section, int dst, int mai, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    hy_strided strided;
    hy_buffer buffer = {0};
    int64_t bytes = 0;
    if (!fmpl) return;
    int rc = section_buffer(section, &strided, &buffer, &bytes);
    answer(ier, rc ? rc : hy_msg_send(&fmpl->msg, buffer, bytes, dst, mai, NULL));
}

void fmpl_recv_section(const fmpl_section_t *section, int src, int mai, size_t *received, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    hy_strided strided;
    hy_buffer buffer = {0};
    int64_t bytes = 0;
    uint64_t length = 0;
    if (!fmpl) return;
    int rc = section_buffer(section, &strided, &buffer, &bytes);
    if (!rc) rc = hy_msg_recv(&fmpl->msg, buffer, bytes, src, mai, &length, NULL);
    if (received) *received = length;
    answer(ier, rc);
}

typedef int begin_function(hy_msg *msg, hy_buffer buffer, int64_t size, int peer, int mai,
                           uint64_t *request);

static void begin_section(begin_function *begin, const fmpl_section_t *section, int peer, int mai,
                          fmpl_request_t *request, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    hy_strided strided;
    hy_buffer buffer = {0};
    int64_t bytes = 0;
    if (!fmpl) return;
    int rc = request ? section_buffer(section, &strided, &buffer, &bytes) : missing("request");
    answer(ier, rc ? rc : begin(&fmpl->msg, buffer, bytes, peer, mai, request));
}

void fmpl_isend_section(const fmpl_section_t *section, int dst, int mai, fmpl_request_t *request,
                        int *ier)
{
    begin_section(hy_msg_isend, section, dst, mai, request, ier);
}

void fmpl_irecv_section(const fmpl_section_t *section, int src, int mai, fmpl_request_t *request,
                        int *ier)
{
    begin_section(hy_msg_irecv, section, src, mai, request, ier);
}

/* ---- requests ---- */

static int wait_one(hy_fmpl *fmpl, fmpl_request_t request)
{
    return hy_is_started(request) ? hy_started_wait(fmpl->comms, request, 0)
                                  : hy_request_wait(&fmpl->msg, request, NULL);
}

static bool has_started(int n, const fmpl_request_t *requests)
{
    for (int i = 0; i < n; i++)
        if (hy_is_started(requests[i])) return true;
    return false;
}

void fmpl_wait(fmpl_request_t *request, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    if (!fmpl) return;
    int rc = request ? wait_one(fmpl, *request) : missing("request");
    if (request) *request = FMPL_REQUEST_NULL;
    answer(ier, rc);
}

void fmpl_wait_isend(fmpl_request_t *request, int *ier)
{
    fmpl_wait(request, ier);
}

void fmpl_wait_irecv(fmpl_request_t *request, int *ier)
{
    fmpl_wait(request, ier);
}

void fmpl_test(fmpl_request_t *request, int *done, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    if (!fmpl) return;
    if (!request || !done) {
        answer(ier, missing("request or done"));
        return;
    }
    int rc = hy_is_started(*request) ? hy_started_wait(fmpl->comms, *request, 1)
                                     : hy_request_test(&fmpl->msg, *request, NULL);
    *done = rc != HAYATE_IN_PROGRESS;
    if (*done) *request = FMPL_REQUEST_NULL;
    answer(ier, rc == HAYATE_IN_PROGRESS ? HAYATE_OK : rc);
}

void fmpl_wait_any(int n, fmpl_request_t *requests, int *index, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    if (!fmpl) return;
    if (n < 0 || !index || (n > 0 && !requests)) {
        answer(ier, missing("requests or index"));
        return;
    }
    int rc = has_started(n, requests)
                 ? hy_started_wait_any(fmpl->comms, &fmpl->msg, n, requests, index)
                 : hy_request_wait_any(&fmpl->msg, n, requests, NULL, index, NULL);
    if (*index >= 0) requests[*index] = FMPL_REQUEST_NULL;
    answer(ier, rc);
}

void fmpl_wait_all(int n, fmpl_request_t *requests, int *ier)
{
    int first = n > 0 && !requests ? missing("requests") : HAYATE_OK;
    for (int i = 0; requests && i < n; i++) {
        int rc = HAYATE_OK;
        fmpl_wait(&requests[i], &rc);
        if (!first) first = rc;
    }
    answer(ier, first);
}

void fmpl_cancel(fmpl_request_t *request, int *cancelled, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    int gone = 0;
    if (!fmpl) return;
    int rc = !request ? missing("request")
             : hy_is_started(*request)
                 ? hy_fail(HAYATE_ERR_ARGUMENT, "a collective cannot be cancelled")
                 : hy_request_cancel(&fmpl->msg, *request, &gone);
    if (gone) *request = FMPL_REQUEST_NULL;
    if (cancelled) *cancelled = gone;
    answer(ier, rc);
}

void fmpl_sendbuff_set(void *buf, size_t size, int timeout_us, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    if (fmpl) answer(ier, hy_send_buffer_set(&fmpl->msg, buf, signed_size(size), timeout_us));
}

void fmpl_sendbuff_check(int *nsend, int *nspool, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    int sent = 0, waiting = 0;
    if (!fmpl) return;
    answer(ier, hy_send_buffer_check(&fmpl->msg, &sent, &waiting));
    if (nsend) *nsend = sent;
    if (nspool) *nspool = waiting;
}

void fmpl_trim(size_t *bytes, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    uint64_t given = 0;
    if (!fmpl) return;
    answer(ier, hy_fmpl_trim(fmpl, &given));
    if (bytes) *bytes = given;
}

void fmpl_timeout_set(int timeout_ms, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    if (!fmpl) return;
    if (timeout_ms < 0) {
        answer(ier, hy_fail(HAYATE_ERR_ARGUMENT, "time-out %d ms: expected 0 or more", timeout_ms));
        return;
    }
    hy_limits_set(&fmpl->comms->limits, (uint64_t)timeout_ms * 1000000);
    answer(ier, HAYATE_OK);
}

/* ---- communicators ---- */

void fmpl_comm_create(int *comm, int key, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    int unused;
    if (fmpl) answer(ier, hy_comm_create(fmpl->comms, key != 0, comm ? comm : &unused));
}

void fmpl_comm_split(int comm, int color, int key, int *part, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    if (!fmpl) return;
    answer(ier, part ? hy_comm_split(fmpl->comms, comm, color, key, part)
                     : missing("pointer to the communicator"));
}

void fmpl_comm_free(int *comm, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    if (!fmpl) return;
    int rc = comm ? hy_comm_free(fmpl->comms, *comm) : missing("communicator");
    if (!rc || rc == HAYATE_ERR_MISMATCH) *comm = FMPL_COMM_NULL;
    answer(ier, rc);
}

void fmpl_comm_rank(int comm, int *rank, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    const hy_comm *found = fmpl ? hy_comm_find(fmpl->comms, comm) : NULL;
    if (found && rank) *rank = found->group.rank;
    if (fmpl) answer(ier, found ? HAYATE_OK : HAYATE_ERR_ARGUMENT);
}

void fmpl_comm_size(int comm, int *size, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    const hy_comm *found = fmpl ? hy_comm_find(fmpl->comms, comm) : NULL;
    if (found && size) *size = found->group.size;
    if (fmpl) answer(ier, found ? HAYATE_OK : HAYATE_ERR_ARGUMENT);
}

void fmpl_function_create(fmpl_function_t function, size_t element_bytes, void *context,
                          fmpl_op_t *op, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    if (!fmpl) return;
    answer(ier, op ? hy_function_create(fmpl->comms, function, element_bytes, context, op)
                   : missing("op"));
}

void fmpl_function_free(fmpl_op_t op, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    if (fmpl) answer(ier, hy_function_free(fmpl->comms, op, NULL));
}

/* ---- collectives ---- */

static void collective(int comm, const hy_collective_call *call, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    if (fmpl) answer(ier, hy_collective(fmpl->comms, comm, call, false));
}

void fmpl_bcast(void *buf, size_t size, int root, int comm, int *ier)
{
    const hy_collective_call call = {
        .coll = HY_COLL_BCAST, .buffer = native(buf), .count = signed_size(size), .root = root};
    collective(comm, &call, ier);
}

void fmpl_hbcast(void *buf, size_t size, int root, int *ier)
{
    const hy_collective_call call = {.coll = HY_COLL_BCAST,
                                     .buffer = native(buf),
                                     .count = signed_size(size),
                                     .root = root,
                                     .shared = true};
    collective(FMPL_COMM_WORLD, &call, ier);
}

void fmpl_reduce(void *buf, size_t count, fmpl_op_t func, int root, int comm, void *work, int *ier)
{
    const hy_collective_call call = {.coll = HY_COLL_REDUCE,
                                     .buffer = native(buf),
                                     .count = signed_size(count),
                                     .op = func,
                                     .root = root,
                                     .work = work};
    collective(comm, &call, ier);
}

void fmpl_allreduce(void *buf, size_t count, fmpl_op_t func, int comm, void *work, int *ier)
{
    const hy_collective_call call = {.coll = HY_COLL_ALLREDUCE,
                                     .buffer = native(buf),
                                     .count = signed_size(count),
                                     .op = func,
                                     .work = work};
    collective(comm, &call, ier);
}

void fmpl_barrier(int comm, int *ier)
{
    const hy_collective_call call = {.coll = HY_COLL_BARRIER};
    collective(comm, &call, ier);
}

/* ---- measurement of the parts of a message ---- */

void fmpl_breakdown_set(int on, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    if (fmpl) answer(ier, hy_breakdown_set(&fmpl->msg, on));
}

void fmpl_breakdown_get(fmpl_breakdown_t *breakdown, int *ier)
{
    hy_fmpl *fmpl = fmpl_of_process(ier);
    if (fmpl)
        answer(ier, breakdown ? hy_breakdown_get(&fmpl->msg, breakdown) : missing("breakdown"));
}
