/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the last failure of each thread: the reason, the rank concerned, and the functions that
 * reported it. */
#include "base/status.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

static const hy_failure none = {.peer = -1};
static const hy_failure lost = {.peer = -1, .reason = "no memory, not even for the reason"};

/* The last failure of the calling thread; its code is not used. Only the pointer is in the static
 * TLS block, of which little is left for libraries that are loaded late: each class loader of a
 * Java virtual machine loads a copy of this one. */
static _Thread_local const hy_failure *last = &none;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_exit;

/* What the thread does after this may fail, and then this is called again. */
static void status_end_thread(void *failure)
{
    last = &none;
    free(failure);
}

static void make_key(void)
{
    (void)pthread_key_create(&at_exit, status_end_thread); /* else a thread leaks its failure */
}

/* The calling thread's failure, to be written; NULL: no memory. */
static hy_failure *own(void)
{
    if (last == &none || last == &lost) {
        hy_failure *made = calloc(1, sizeof *made);
        last = made ? made : &lost;
        pthread_once(&once, make_key);
        if (made) pthread_setspecific(at_exit, made);
    }
    return last == &lost ? NULL : (hy_failure *)(uintptr_t)last;
}

/* ---- frames ---- */

/* Returns "base/status.c", however the compiler was called. */
static const char *short_name(const char *file)
{
    static const char root[] = "src/main/c/";
    const char *found = strstr(file, root);
    return found ? found + sizeof root - 1 : file;
}

/* Keeps the first frame and the last ones. */
static void add_frame(hy_failure *failure, hy_frame here)
{
    if (failure->frame_count == HY_FRAMES) {
        memmove(&failure->frames[1], &failure->frames[2],
                (HY_FRAMES - 2) * sizeof *failure->frames);
        failure->frame_count--;
    }
    failure->frames[failure->frame_count++] = here;
}

void hy_print_frames(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < last->frame_count && used < size; i++) {
        const hy_frame *frame = &last->frames[i];
        used += (size_t)snprintf(text + used, size - used, "%s%s (%s:%d)", i ? " < " : "",
                                 frame->function, short_name(frame->file), frame->line);
    }
}

static void log_failure(void)
{
    char frames[256];
    if (!hy_log_on(HY_LOG_DEBUG)) return;
    hy_print_frames(frames, sizeof frames);
    hy_log(HY_LOG_DEBUG, "failed in %s: %s", frames, last->reason);
}

/* ---- reports ---- */

/* The arguments may point into the last reason. */
static void record(hy_frame here, bool first, int peer, const char *format, va_list arguments)
{
    char reason[sizeof last->reason];
    vsnprintf(reason, sizeof reason, format, arguments);
    hy_failure *failure = own();
    if (!failure) return;
    memcpy(failure->reason, reason, strlen(reason) + 1);
    failure->peer = peer;
    failure->bytes = 0;
    if (first) failure->frame_count = 0;
    add_frame(failure, here);
}

void hy_fail_length(uint64_t bytes)
{
    hy_failure *failure = own();
    if (failure) failure->bytes = bytes;
}

uint64_t hy_failure_length(void)
{
    return last->bytes;
}

int hy_fail_at(const char *function, const char *file, int line, int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record((hy_frame){function, file, line}, true, -1, format, arguments);
    va_end(arguments);
    log_failure();
    return code;
}

int hy_fail_over_at(const char *function, const char *file, int line, int code, const char *format,
                    ...)
{
    va_list arguments;
    va_start(arguments, format);
    record((hy_frame){function, file, line}, false, -1, format, arguments);
    va_end(arguments);
    log_failure();
    return code;
}

int hy_fail_peer_at(const char *function, const char *file, int line, int code, int peer,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record((hy_frame){function, file, line}, true, peer, format, arguments);
    va_end(arguments);
    log_failure();
    return code;
}

int hy_fail_errno_at(const char *function, const char *file, int line, const char *format, ...)
{
    int error = errno;
    va_list arguments;
    va_start(arguments, format);
    record((hy_frame){function, file, line}, true, -1, format, arguments);
    va_end(arguments);
    hy_failure *failure = own();
    size_t used = failure ? strlen(failure->reason) : 0;
    char buffer[96];
    if (failure)
        snprintf(failure->reason + used, sizeof failure->reason - used, ": %s",
                 strerror_r(error, buffer, sizeof buffer));
    log_failure();
    errno = error;
    return HAYATE_ERR_SYSTEM;
}

hy_failure hy_failure_of(int code)
{
    hy_failure failure = {.code = code, .peer = -1};
    if (code) failure = *last;
    failure.code = code;
    return failure;
}

int hy_fail_again(const hy_failure *failure)
{
    if (!failure->code) return HAYATE_OK;
    hy_failure *mine = own();
    if (mine) *mine = *failure;
    return failure->code;
}

const char *hayate_error(void)
{
    return last->reason;
}

int hayate_error_peer(void)
{
    return last->peer;
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
