/* SPDX-License-Identifier: Apache-2.0 */
/* Errors and warnings in netlib's form: on stderr, and an error ends the job. */
#ifndef HY_NETLIB_REPORT_H
#define HY_NETLIB_REPORT_H

/* Whose context and which routine ("DGESD2D") a report names. */
typedef struct hy_routine {
    int context; /* -1: none */
    const char *name;
} hy_routine;

/* OK: returns. An error: prints hayate_error() and ends all processes. */
void hy_netlib_check(hy_routine routine, int result);

/* Prints an error and ends all processes. */
void hy_netlib_refuse(hy_routine routine, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn, cold));

/* Prints a warning. */
void hy_netlib_warn(hy_routine routine, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

/* Ends all processes of the job, this one with `code`. */
void hy_netlib_abort(int code) __attribute__((noreturn, cold));

#endif
