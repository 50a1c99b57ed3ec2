/* SPDX-License-Identifier: Apache-2.0 */
/* Reports in netlib's form. A process that ends with an error without leaving the job ends the
 * others: the launcher, which is told so, or their next wait sees to that. */
#include "netlib/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "blacs/blacs.h"

static void report(const char *kind, hy_routine routine, const char *format, va_list arguments)
{
    char text[1024];
    int m, n, row, column;
    vsnprintf(text, sizeof text, format, arguments); /* first: an argument may be hayate_error() */
    int rank = hayate_rank();
    hayate_blacs_gridinfo(routine.context, &m, &n, &row, &column);
    fprintf(stderr,
            "BLACS %s '%s'\n"
            "from {%d,%d}, pnum=%d, Contxt=%d, on line -1 of file '%s'.\n\n",
            kind, text, row, column, rank < 0 ? -1 : rank, routine.context, routine.name);
}

void hy_netlib_abort(int code)
{
    int status = (code & 0xff) == 0 ? 1 : code & 0xff;
    fflush(stderr);
    fflush(stdout);
    hayate_blacs_abort(status);
    _exit(status);
}

void hy_netlib_refuse(hy_routine routine, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report("ERROR", routine, format, arguments);
    va_end(arguments);
    hy_netlib_abort(1);
}

void hy_netlib_check(hy_routine routine, int result)
{
    if (__builtin_expect(result < 0, 0)) hy_netlib_refuse(routine, "%s", hayate_error());
}

void hy_netlib_warn(hy_routine routine, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report("WARNING", routine, format, arguments);
    va_end(arguments);
}
