/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of point to point that change nothing. */
#ifndef HY_TEST_REFUSALS_SCENARIOS_H
#define HY_TEST_REFUSALS_SCENARIOS_H

#include "fmpl/point_fixture.h"

SCENARIO(should_keep_a_message_that_is_too_long)
{
    static const uint64_t sizes[] = {1, 56, 57, 4096, 5000, 200000};
    for (int i = 0; i < 12; i++) {
        uint64_t bytes = sizes[i / 2];
        uint8_t *out = memory_of(i % 2, bytes), *in = memory_of(i % 3 == 0, bytes);
        fill(out, bytes, (uint64_t)i);
        memset(in, 0xee, bytes + 1);
        fmpl_request_t sends = isend_ok(out, bytes, right(), 10);
        int ier = 1;
        size_t got = 0;
        CALL_CODE(fmpl_recv_size(in, bytes - 1, left(), 10, &got, &ier), HAYATE_ERR_TRUNCATE);
        CHECK(hayate_error_peer() == left());
        CHECK(all_are(in, bytes + 1, 0xee));
        fmpl_request_t request = FMPL_REQUEST_NULL;
        fmpl_irecv(in, 0, left(), 10, &request, &ier);
        if (ier == FMPL_SUCCESS) fmpl_wait(&request, &ier);
        CHECK_CODE(ier, HAYATE_ERR_TRUNCATE);
        recv_ok(in, bytes, bytes, left(), 10);
        CHECK(holds(in, bytes, (uint64_t)i));
        wait_ok(&sends);
        memory_free(i % 2, out);
        memory_free(i % 3 == 0, in);
    }
}

SCENARIO(should_truncate_a_receive_that_was_posted_early)
{
    uint8_t *out = memory_of(false, 100000), *in = memory_of(false, 100000);
    fill(out, 100000, 1);
    memset(in, 0xee, 100000);
    fmpl_request_t request = irecv_ok(in, 99999, left(), 11);
    barrier();
    fmpl_request_t sends = isend_ok(out, 100000, right(), 11);
    int ier = 1;
    CALL_CODE(fmpl_wait_irecv(&request, &ier), HAYATE_ERR_TRUNCATE);
    CHECK(all_are(in, 100000, 0xee));
    recv_ok(in, 100000, 100000, left(), 11);
    CHECK(holds(in, 100000, 1));
    CALL_OK(fmpl_wait_isend(&sends, &ier));
    memory_free(false, out);
    memory_free(false, in);
}

SCENARIO(should_refuse_a_second_use_of_an_entry)
{
    uint8_t *out = memory_of(true, 100000), *in = memory_of(true, 100000);
    fill(out, 100000, 3);
    int ier = 1;
    fmpl_request_t other = 77, receive = irecv_ok(in, 100000, left(), 12);
    CALL_CODE(fmpl_irecv(out, 8, left(), 12, &other, &ier), HAYATE_ERR_BUSY);
    CHECK(hayate_error_peer() == left());
    CALL_CODE(fmpl_recv(out, 8, left(), 12, &ier), HAYATE_ERR_BUSY);
    barrier();
    fmpl_request_t sends = isend_ok(out, 100000, right(), 12);
    if (sends != FMPL_REQUEST_NULL) {
        CALL_CODE(fmpl_isend(out, 100000, right(), 12, &other, &ier), HAYATE_ERR_BUSY);
        CALL_CODE(fmpl_send(out, 8, right(), 12, &ier), HAYATE_ERR_BUSY);
    }
    wait_ok(&receive);
    wait_ok(&sends);
    CHECK(holds(in, 100000, 3));
    memory_free(true, out);
    memory_free(true, in);
}

SCENARIO(should_refuse_bad_arguments)
{
    static const int ranks[] = {-1, 1 << 20, INT32_MIN, INT32_MAX}, mais[] = {-1, 64, INT32_MAX};
    uint8_t byte = 0;
    int ier, done;
    fmpl_request_t request = 0;
    for (int i = 0; i < 4; i++) {
        CALL_CODE(fmpl_send(&byte, 1, ranks[i], 0, &ier), HAYATE_ERR_ARGUMENT);
        CALL_CODE(fmpl_irecv(&byte, 1, ranks[i], 0, &request, &ier), HAYATE_ERR_ARGUMENT);
    }
    for (int i = 0; i < 3; i++) {
        CALL_CODE(fmpl_recv(&byte, 1, 0, mais[i], &ier), HAYATE_ERR_ARGUMENT);
        CALL_CODE(fmpl_isend(&byte, 1, 0, mais[i], &request, &ier), HAYATE_ERR_ARGUMENT);
    }
    CALL_CODE(fmpl_send(&byte, 1, size, 0, &ier), HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_send(NULL, 1, 0, 0, &ier), HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_recv(NULL, 1, 0, 0, &ier), HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_send(&byte, SIZE_MAX, 0, 0, &ier), HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_recv(&byte, (size_t)INT64_MAX + 1, 0, 0, &ier), HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_isend(&byte, 1, 0, 0, NULL, &ier), HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_test(NULL, &done, &ier), HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_wait_any(-1, &request, &done, &ier), HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_wait_all(1, NULL, &ier), HAYATE_ERR_ARGUMENT);
    fmpl_send(&byte, 1, -1, 0, NULL); /* nobody asks how it went */
}

SCENARIO(should_recognise_requests_that_are_over)
{
    uint64_t in = 0, out = 9;
    int ier = 1, done = 0, cancelled = 0;
    fmpl_request_t request = irecv_ok(&in, sizeof in, left(), 13), stale = request;
    barrier();
    send_ok(&out, sizeof out, right(), 13);
    wait_ok(&request);
    static const fmpl_request_t never[] = {1, UINT64_MAX, UINT64_C(1) << 32, 0xffffffff};
    for (int i = 0; i < 5; i++) {
        request = i < 4 ? never[i] : stale;
        CALL_CODE(fmpl_test(&request, &done, &ier), HAYATE_ERR_ARGUMENT);
        request = i < 4 ? never[i] : stale;
        CALL_CODE(fmpl_wait(&request, &ier), HAYATE_ERR_ARGUMENT);
        request = i < 4 ? never[i] : stale;
        CALL_CODE(fmpl_cancel(&request, &cancelled, &ier), HAYATE_ERR_ARGUMENT);
    }
    fmpl_request_t fresh = irecv_ok(&in, sizeof in, left(), 13);
    CALL_CODE(fmpl_wait(&stale, &ier), HAYATE_ERR_ARGUMENT);
    fmpl_cancel(&fresh, &cancelled, &ier);
    CHECK(cancelled == 1);
    request = FMPL_REQUEST_NULL;
    wait_ok(&request);
    CALL_OK(fmpl_test(&request, &done, &ier));
    CHECK(done == 1);
}

#endif
