/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the last failure of each thread: the reason, the rank concerned, and the functions that
 * reported it. */
#include "base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"

/* The last failure of the calling thread; its code is not used. It is small, because it is in
 * the static TLS block, of which little is left for libraries that are loaded late. */
static _Thread_local hy_failure last = {.peer = -1};

/* ---- frames ---- */

/* Returns "base/status.c", however the compiler was called. */
static const char *short_name(const char *file)
{
    static const char root[] = "src/main/c/";
    const char *found = strstr(file, root);
    return found ? found + sizeof root - 1 : file;
}

/* Keeps the first frame and the last ones. */
static void add_frame(hy_frame here)
{
    if (last.frame_count == HY_FRAMES) {
        memmove(&last.frames[1], &last.frames[2], (HY_FRAMES - 2) * sizeof *last.frames);
        last.frame_count--;
    }
    last.frames[last.frame_count++] = here;
}

void hy_print_frames(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < last.frame_count && used < size; i++) {
        const hy_frame *frame = &last.frames[i];
        used += (size_t)snprintf(text + used, size - used, "%s%s (%s:%d)", i ? " < " : "",
                                 frame->function, short_name(frame->file), frame->line);
    }
}

static void log_failure(void)
{
    char frames[256];
    if (!hy_log_on(HY_LOG_DEBUG)) return;
    hy_print_frames(frames, sizeof frames);
    hy_log(HY_LOG_DEBUG, "failed in %s: %s", frames, last.reason);
}

/* ---- reports ---- */

/* The arguments may point into the last reason. */
static void record(hy_frame here, int peer, const char *format, va_list arguments)
{
    char reason[sizeof last.reason];
    vsnprintf(reason, sizeof reason, format, arguments);
    memcpy(last.reason, reason, strlen(reason) + 1);
    last.peer = peer;
    last.bytes = 0;
    add_frame(here);
}

void hy_fail_length(uint64_t bytes)
{
    last.bytes = bytes;
}

uint64_t hy_failure_length(void)
{
    return last.bytes;
}

int hy_fail_at(const char *function, const char *file, int line, int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    last.frame_count = 0;
    record((hy_frame){function, file, line}, -1, format, arguments);
    va_end(arguments);
    log_failure();
    return code;
}

int hy_fail_over_at(const char *function, const char *file, int line, int code, const char *format,
                    ...)
{
    va_list arguments;
    va_start(arguments, format);
    record((hy_frame){function, file, line}, -1, format, arguments);
    va_end(arguments);
    log_failure();
    return code;
}

int hy_fail_peer_at(const char *function, const char *file, int line, int code, int peer,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    last.frame_count = 0;
    record((hy_frame){function, file, line}, peer, format, arguments);
    va_end(arguments);
    log_failure();
    return code;
}

int hy_fail_errno_at(const char *function, const char *file, int line, const char *format, ...)
{
    int error = errno;
    va_list arguments;
    va_start(arguments, format);
    last.frame_count = 0;
    record((hy_frame){function, file, line}, -1, format, arguments);
    va_end(arguments);
    size_t used = strlen(last.reason);
    char buffer[96];
    snprintf(last.reason + used, sizeof last.reason - used, ": %s",
             strerror_r(error, buffer, sizeof buffer));
    log_failure();
    errno = error;
    return HAYATE_ERR_SYSTEM;
}

hy_failure hy_failure_of(int code)
{
    hy_failure failure = {.code = code, .peer = -1};
    if (code) failure = last;
    failure.code = code;
    return failure;
}

int hy_fail_again(const hy_failure *failure)
{
    if (!failure->code) return HAYATE_OK;
    last = *failure;
    return failure->code;
}

const char *hayate_error(void)
{
    return last.reason;
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
    case HAYATE_ERR_TIMED_OUT: return "timed out";
    case HAYATE_ERR_INTERRUPTED: return "interrupted";
    case HAYATE_ERR_BROKEN: return "communicator broken";
    default: return "unknown code";
    }
}
