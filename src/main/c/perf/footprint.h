/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hayate-footprint, the native program of `hayate perf footprint`. The memory of Java virtual
 * machines would hide that of the messages. It is a user of the library as any other.
 */
#ifndef HY_PERF_FOOTPRINT_H
#define HY_PERF_FOOTPRINT_H

#include <stddef.h>
#include <stdint.h>

#define HY_EXIT_USAGE 2

/* Words: BYTES ROUNDS heap|private. */
int hy_footprint_rank(char **words);

/* Words: PID..., ended by NULL. */
int hy_footprint_spaces(char **words);

/* Says why on standard error and exits; the launcher then ends the other ranks. */
__attribute__((noreturn, format(printf, 2, 3))) void hy_footprint_die(int code, const char *format,
                                                                      ...);

/* Of a word of the command line. */
size_t hy_footprint_number(const char *text, int64_t least, int64_t most, const char *what);

#endif
