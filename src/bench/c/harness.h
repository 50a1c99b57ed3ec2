/* SPDX-License-Identifier: Apache-2.0 */
/* The measurement that every message-passing library in C goes through: a library is a table of
 * calls, the method is written once (see src/bench/README.md). Any call that fails must end the
 * program itself, with a message on stderr: the harness has no error paths of its own. */
#ifndef HAYATE_BENCH_HARNESS_H
#define HAYATE_BENCH_HARNESS_H

#include <stddef.h>

struct bench_library {
    const char *impl;            /* "impl" of the JSON lines */
    const char *path;            /* "path" of the JSON lines */
    const char *buffer_kinds[3]; /* accepted --buffers, first is the default, NULL ends */

    int (*rank)(void);
    int (*size)(void);
    void *(*alloc)(size_t bytes, const char *kind); /* aligned to 64; every rank calls it alike */
    void (*send)(const void *data, size_t bytes, int peer);
    void (*recv)(void *data, size_t bytes, int peer);
    void (*bcast)(void *data, size_t bytes, int root);
    /* Sum of doubles; `in` may be overwritten with the result, returns where the result is. */
    double *(*reduce)(double *in, double *out, size_t count, int root);
    double *(*allreduce)(double *in, double *out, size_t count);
    void (*barrier)(void);
    void (*abort)(void); /* ends all ranks with a non-zero code; does not return */
};

/* Runs what the command line asks for: BENCH [--bytes a:b|list] [--buffers KIND] [--ms N]
 * [--stale]. Unless stale, each rank writes its data before a call and reads them after it
 * (lines.h).
 * The library is initialised already and is closed by the caller. Exit code of the program. */
int harness_main(const struct bench_library *library, int argc, char **argv);

#endif
