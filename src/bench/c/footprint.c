/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of the program: chooses between a rank and the search for shared address
 * spaces. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "footprint.h"

/* One write, so that the output of several ranks does not mix. */
void footprint_die(int code, const char *format, ...)
{
    char reason[512];
    va_list values;
    va_start(values, format);
    vsnprintf(reason, sizeof reason, format, values);
    va_end(values);
    dprintf(STDERR_FILENO, "footprint: %s\n", reason);
    _exit(code);
}

size_t footprint_number(const char *text, int64_t least, int64_t most, const char *what)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || end == text || *end || value < least || value > most)
        footprint_die(HY_EXIT_USAGE, "'%s': expected %s, %" PRId64 " to %" PRId64, text, what,
                      least, most);
    return (size_t)value;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "rank") == 0) return footprint_rank(argv + 2);
    if (argc > 2 && strcmp(argv[1], "spaces") == 0) return footprint_spaces(argv + 2);
    footprint_die(HY_EXIT_USAGE, "expected 'rank BYTES ROUNDS heap|private' or 'spaces PID...';"
                                 " 'figure.sh footprint' starts it");
}
