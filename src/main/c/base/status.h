/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results and reasons. The function that decides that something is an error reports it once, with
 * hy_fail(); everybody above only passes the code on. The user gets one sentence, hayate_error().
 * The log says at HAYATE_LOG=debug as well where it was decided: each report is a line
 *   failed in look_in (base/library.c:27) < load (path/ofi/ofi_library.c:78): the sentence
 * with the function that decided, and behind it those that gave the sentence other words.
 */
#ifndef HY_BASE_STATUS_H
#define HY_BASE_STATUS_H

#include <hayate/hayate.h>

/* A line of the source; static storage. */
typedef struct hy_frame {
    const char *function, *file;
    int line;
} hy_frame;

#define HY_FRAMES 4 /* of a failure, at most: the first, and the last ones */

#define HY_HERE __func__, __FILE__, __LINE__

/* hy_fail(code, format, ...) records the reason (printf-style) for the calling thread and returns
 * the code. The arguments may contain hayate_error(). */
#define hy_fail(...) hy_fail_at(HY_HERE, __VA_ARGS__)
int hy_fail_at(const char *function, const char *file, int line, int code, const char *format, ...)
    __attribute__((format(printf, 5, 6), cold));

/* hy_fail_over(code, format, ...): the same in other words for the thread's last failure. */
#define hy_fail_over(...) hy_fail_over_at(HY_HERE, __VA_ARGS__)
int hy_fail_over_at(const char *function, const char *file, int line, int code, const char *format,
                    ...) __attribute__((format(printf, 5, 6), cold));

/* hy_fail_peer(code, peer, format, ...): as hy_fail, about a rank; hayate_error_peer() gives it. */
#define hy_fail_peer(...) hy_fail_peer_at(HY_HERE, __VA_ARGS__)
int hy_fail_peer_at(const char *function, const char *file, int line, int code, int peer,
                    const char *format, ...) __attribute__((format(printf, 6, 7), cold));

/* hy_fail_errno(format, ...): HAYATE_ERR_SYSTEM with strerror(errno) behind the text. */
#define hy_fail_errno(...) hy_fail_errno_at(HY_HERE, __VA_ARGS__)
int hy_fail_errno_at(const char *function, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5), cold));

/* A thread's last error, kept over calls that may fail in turn and leave reasons of their own. */
typedef struct hy_failure {
    int code, peer;
    int frame_count;
    hy_frame frames[HY_FRAMES]; /* the first one decided */
    char reason[640];
} hy_failure;

/* code: that of the last error; 0: there was none. */
hy_failure hy_failure_of(int code);

/* Makes it the last error again, and returns its code; 0: does nothing. */
int hy_fail_again(const hy_failure *failure);

/* The frames of the thread's last failure: "look_in (base/library.c:27) < load (...)". */
void hy_print_frames(char *text, size_t size);

#endif
