/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `hayate explain`: which algorithm a collective uses and why, what its ranks do and when, and how
 * it scales, all without a job. The answers are text for a program: one record per line, with
 * fields separated by tabs; the first field is the kind of the record. A field is never empty: "-"
 * stands for nothing. Times are whole picoseconds. Later versions may add fields at the end.
 *
 *   ask        collective, ranks, root, bytes, element's bytes, "persistent" | "ordinary",
 *              "heap" | "outside" (the caller's memory), nodes, "tcp" | "verbs" (between them)
 *   model      "tuned" | "default", CPUs, tuning file (where it is or would be)
 *   hint       its source, the fields that count ("algorithm=ring segment=32768"), strongest first
 *   note       a warning, or what the prediction does not contain, in words
 *   total      number of candidates
 *   candidate  number, algorithm, way, title, predicted for a run that is repeated (choose.h),
 *              predicted for the first run ("-": the former is by the closed formula), closed
 *              formula, for a binomial bcast the paper's formulas of put and of get; in the order
 *              of choice, number 0 is taken
 *   run        a run, the first run, signals, bytes (of all ranks), signals, bytes, steps, memory
 *              (of the rank with the most), "alike" | "each" (rank 0 stands for all), runs
 *   rank       rank, steps, signals, bytes moved, TMP, BOX (bytes)
 *   step       rank, run, number, kind, peer, bytes, begin, end, text; "-" for the times if it
 *              was not simulated; those of one rank in their order
 *   more       steps that exist but are not listed
 *   scale      algorithm, ranks, closed formula, a run; then as in `run` from signals on, then
 *              steps of a rank's own part, picoseconds to generate it, picoseconds to simulate
 *   unscaled   algorithm, ranks, closed formula ("-": does not apply), why it was not simulated
 */
#ifndef HY_EXPLAIN_EXPLAIN_H
#define HY_EXPLAIN_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct hy_explain_ask {
    const char *coll; /* "bcast" */
    int32_t ranks, root;
    uint64_t bytes;  /* like hy_shape.bytes; ignored for a barrier */
    uint32_t unit;   /* bytes of an element; 0: 8 for a reduction, else 1 */
    bool ordinary;   /* not wired: as in collectives of Fmpl */
    bool outside;    /* the caller's memory is not in the symmetric heap */
    bool spread;     /* a CPU for each rank, on as many machines like this one as necessary */
    int cpus;        /* of the machine; 0: the CPUs that this process may use */
    int32_t nodes;   /* number of such machines that the ranks use; 0 or 1: one */
    bool cyclic;     /* rank r is on node r % nodes; else in blocks */
    const char *net; /* "tcp" or "verbs", between nodes; NULL: tcp */
    /* Hints, the strongest first; those of the environment come between the first and the second.
     * NULL: none. */
    const char *line;                        /* of the command line */
    const char *own_property, *all_property; /* hayate.coll.<collective>, hayate.coll */
    const char *rules;                       /* path from hayate.coll.rules */
} hy_explain_ask;

typedef struct hy_explain hy_explain;

/* Makes the choice. ARGUMENT, with what was expected: something in the question does not exist or
 * does not fit. */
int hy_explain_open(const hy_explain_ask *ask, hy_explain **explain);
void hy_explain_close(hy_explain *explain);

/* Each of the following functions returns a text that the caller frees. */

/* Records: ask, model, hint.., note.., total, candidate.. (the first `most`). */
int hy_explain_choice(hy_explain *explain, int most, char **text);

/* What the ranks do. Records: run (if it could be simulated), rank.., step.. (up to `most`), more.
 * rank -1: all. rounds: consecutive runs, at least 1. */
int hy_explain_steps(hy_explain *explain, int rank, uint32_t rounds, uint64_t most, char **text);

/* Candidate `index` with another number of ranks: scale or unscaled. generate: measure how long a
 * rank takes to generate its own part (else "-"). */
int hy_explain_scale(hy_explain *explain, int index, int32_t ranks, uint32_t rounds, bool generate,
                     char **text);

#endif
