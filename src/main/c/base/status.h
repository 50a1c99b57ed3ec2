/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Result codes and reasons. The function that decides that something is an error reports it once
 * with hy_fail(); its callers only pass the code on. The user gets one sentence, hayate_error(). At
 * HAYATE_LOG=debug, the log also tells where the error was found: each report is a line
 *    failed in look_in (base/library.c:27) < load (net/ofi/ofi_library.c:78): the sentence
 * with the function that found the error, followed by those that have rephrased the sentence.
 */
#ifndef HY_BASE_STATUS_H
#define HY_BASE_STATUS_H

#include <hayate/hayate.h>

/* A source line, in static storage. */
typedef struct hy_frame {
    const char *function, *file;
    int line;
} hy_frame;

#define HY_FRAMES 4 /* the most for one failure: the first, and the last ones */

#define HY_HERE __func__, __FILE__, __LINE__

/* hy_fail(code, format, ...) records the reason (printf-style) for the calling thread and
 * returns the code. The arguments may contain hayate_error(). */
#define hy_fail(...) hy_fail_at(HY_HERE, __VA_ARGS__)
int hy_fail_at(const char *function, const char *file, int line, int code, const char *format, ...)
    __attribute__((format(printf, 5, 6), cold));

/* hy_fail_over(code, format, ...): rephrases the thread's last failure. */
#define hy_fail_over(...) hy_fail_over_at(HY_HERE, __VA_ARGS__)
int hy_fail_over_at(const char *function, const char *file, int line, int code, const char *format,
                    ...) __attribute__((format(printf, 5, 6), cold));

/* hy_fail_peer(code, peer, format, ...): like hy_fail, about a rank, which hayate_error_peer()
 * returns. */
#define hy_fail_peer(...) hy_fail_peer_at(HY_HERE, __VA_ARGS__)
int hy_fail_peer_at(const char *function, const char *file, int line, int code, int peer,
                    const char *format, ...) __attribute__((format(printf, 6, 7), cold));

/* The code of an error of which another process has told; CORRUPT: there is no such code. */
static inline int hy_status_told(int64_t code)
{
    return code < 0 && code >= HAYATE_ERR_BROKEN ? (int)code : HAYATE_ERR_CORRUPT;
}

/* Adds to the thread's last failure, which is TRUNCATE, the length of the message. */
void hy_fail_length(uint64_t bytes);
/* The length of the message if the thread's last failure is TRUNCATE, else 0. */
uint64_t hy_failure_length(void);

/* hy_fail_errno(format, ...): HAYATE_ERR_SYSTEM, with strerror(errno) after the text. */
#define hy_fail_errno(...) hy_fail_errno_at(HY_HERE, __VA_ARGS__)
int hy_fail_errno_at(const char *function, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5), cold));

/* A thread's last error, saved across calls that may fail and leave other reasons. */
typedef struct hy_failure {
    int code, peer;
    uint64_t bytes; /* of TRUNCATE: the length of the message */
    int frame_count;
    hy_frame frames[HY_FRAMES]; /* the first one found the error */
    char reason[640];
} hy_failure;

/* code: that of the last error; 0: no error. */
hy_failure hy_failure_of(int code);

/* Makes it the last error again, and returns its code; 0: does nothing. */
int hy_fail_again(const hy_failure *failure);

/* The frames of the thread's last failure: "look_in (base/library.c:27) < load (...)". */
void hy_print_frames(char *text, size_t size);

#endif
