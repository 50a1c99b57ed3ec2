/* SPDX-License-Identifier: Apache-2.0 */
/* Point to point, as any user may call it. */
#ifndef HY_TEST_POINT_FIXTURE_H
#define HY_TEST_POINT_FIXTURE_H

#include "fmpl/scenario.h"

static void send_ok(const void *buf, size_t bytes, int dst, int mai)
{
    int ier = 1;
    CALL_OK(fmpl_send(buf, bytes, dst, mai, &ier));
}
static void recv_ok(void *buf, size_t room, size_t bytes, int src, int mai)
{
    int ier = 1;
    size_t got = SIZE_MAX;
    CALL_OK(fmpl_recv_size(buf, room, src, mai, &got, &ier));
    CHECK(got == bytes);
}
static fmpl_request_t isend_ok(const void *buf, size_t bytes, int dst, int mai)
{
    int ier = 1;
    fmpl_request_t request = FMPL_REQUEST_NULL;
    CALL_OK(fmpl_isend(buf, bytes, dst, mai, &request, &ier));
    return request;
}
static fmpl_request_t irecv_ok(void *buf, size_t bytes, int src, int mai)
{
    int ier = 1;
    fmpl_request_t request = FMPL_REQUEST_NULL;
    CALL_OK(fmpl_irecv(buf, bytes, src, mai, &request, &ier));
    return request;
}
static void wait_ok(fmpl_request_t *request)
{
    int ier = 1;
    CALL_OK(fmpl_wait(request, &ier));
    CHECK(*request == FMPL_REQUEST_NULL);
}

#endif
