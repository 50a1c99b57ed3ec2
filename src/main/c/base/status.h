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

#endif
