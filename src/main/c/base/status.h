/* SPDX-License-Identifier: Apache-2.0 */
/* Results and reasons. The function that decides that something is an error reports it once, with
 * hy_fail(); everybody above only passes the code on. */
#ifndef HY_BASE_STATUS_H
#define HY_BASE_STATUS_H

#include <hayate/hayate.h>

/* Records the reason (printf-style) for the calling thread and returns code. */
int hy_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* As hy_fail, about a rank; hayate_error_peer() gives it. */
int hy_fail_peer(int code, int peer, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));

/* HAYATE_ERR_SYSTEM with strerror(errno) behind the text. */
int hy_fail_errno(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/* A thread's last error, kept over calls that may fail in turn and leave reasons of their own. */
typedef struct hy_failure {
    int code, peer;
    char reason[640];
} hy_failure;

/* code: that of the last error; 0: there was none. */
hy_failure hy_failure_of(int code);

/* Makes it the last error again, and returns its code; 0: does nothing. */
int hy_fail_again(const hy_failure *failure);

#endif
