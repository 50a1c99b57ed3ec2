/* SPDX-License-Identifier: Apache-2.0 */
/* The native program of `figure.sh footprint`. The memory of a Java virtual
 * machine would hide the memory of the messages. It uses the library like any other program. */
#ifndef HY_BENCH_FOOTPRINT_H
#define HY_BENCH_FOOTPRINT_H

#include <stddef.h>
#include <stdint.h>

#define HY_EXIT_USAGE 2

/* words: BYTES ROUNDS heap|private. Returns the exit code. */
int footprint_rank(char **words);

/* words: PID..., terminated by NULL. Returns the exit code. */
int footprint_spaces(char **words);

/* Prints the reason to standard error and exits; the launcher then ends the other ranks. */
__attribute__((noreturn, format(printf, 2, 3))) void footprint_die(int code, const char *format,
                                                                   ...);

/* Parses a number from the command line. */
size_t footprint_number(const char *text, int64_t least, int64_t most, const char *what);

#endif
