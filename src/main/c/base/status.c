/* SPDX-License-Identifier: Apache-2.0 */
#include "base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local struct {
    int peer;
    char text[640];
} last = {.peer = -1};

static int record(int code, int peer, const char *format, va_list arguments)
{
    last.peer = peer;
    vsnprintf(last.text, sizeof last.text, format, arguments);
    return code;
}

int hy_fail(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record(code, -1, format, arguments);
    va_end(arguments);
    return code;
}

int hy_fail_peer(int code, int peer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record(code, peer, format, arguments);
    va_end(arguments);
    return code;
}

int hy_fail_errno(const char *format, ...)
{
    int error = errno;
    va_list arguments;
    va_start(arguments, format);
    record(HAYATE_ERR_SYSTEM, -1, format, arguments);
    va_end(arguments);
    size_t used = strlen(last.text);
    char buffer[96];
    snprintf(last.text + used, sizeof last.text - used, ": %s",
             strerror_r(error, buffer, sizeof buffer));
    errno = error;
    return HAYATE_ERR_SYSTEM;
}

_Static_assert(sizeof last.text == sizeof((hy_failure){0}).reason, "all of it is kept");

hy_failure hy_failure_of(int code)
{
    hy_failure failure = {.code = code, .peer = last.peer};
    memcpy(failure.reason, code ? last.text : "", code ? sizeof last.text : 1);
    return failure;
}

int hy_fail_again(const hy_failure *failure)
{
    if (!failure->code) return HAYATE_OK;
    return hy_fail_peer(failure->code, failure->peer, "%s", failure->reason);
}

const char *hayate_error(void)
{
    return last.text;
}

int hayate_error_peer(void)
{
    return last.peer;
}

const char *hayate_strerror(int code)
{
    switch (code) {
    case HAYATE_OK: return "success";
    case HAYATE_IN_PROGRESS: return "in progress";
    case HAYATE_ERR_ARGUMENT: return "invalid argument";
    case HAYATE_ERR_TRUNCATE: return "message longer than the receive";
    case HAYATE_ERR_BUSY: return "already in use by another operation";
    case HAYATE_ERR_CLOSED: return "closed";
    case HAYATE_ERR_PEER_FAILED: return "peer failed";
    case HAYATE_ERR_NO_MEMORY: return "out of memory";
    case HAYATE_ERR_MISMATCH: return "members disagree on a collective";
    case HAYATE_ERR_LAUNCH: return "wrong launch environment";
    case HAYATE_ERR_UNSUPPORTED: return "not supported here";
    case HAYATE_ERR_SYSTEM: return "system call failed";
    case HAYATE_ERR_CANCELLED: return "cancelled";
    case HAYATE_ERR_STATE: return "not initialised, or initialised twice";
    case HAYATE_ERR_CORRUPT: return "a peer wrote what no correct peer writes";
    case HAYATE_ERR_CALLBACK: return "a user function failed";
    default: return "unknown code";
    }
}
