/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of explain share. */
#ifndef HY_EXPLAIN_STATE_H
#define HY_EXPLAIN_STATE_H

#include <stdio.h>

#include "choose/choose.h"
#include "choose/hint.h"
#include "choose/simulate.h"
#include "explain/explain.h"
#include "sched/nodes.h"

/* Command line, environment (2), properties (2), rules file. */
#define HY_EXPLAIN_SOURCES 6

/* The fields that one source settled: those that stronger sources had left open. */
typedef struct hy_explain_source {
    char whose[300];
    hy_hint hint;
} hy_explain_source;

struct hy_explain {
    hy_shape shape;
    bool outside, spread, cyclic;
    int32_t on_nodes;
    hy_nodes *nodes; /* of the shape; NULL: one node */
    int cpus;        /* that this process may use */
    hy_model model;
    hy_explain_source sources[HY_EXPLAIN_SOURCES];
    int source_count;
    char note[512]; /* "": none */
    hy_hint hint;
    const hy_algorithm *algorithm; /* the requested one; NULL: any */
    hy_choice choices[HY_CHOICES_MAX];
    int count;
};

/* ---- hints.c ---- */

/* Fills in sources, note, hint and algorithm. */
int hy_explain_hints(hy_explain *explain, const hy_explain_ask *ask);

/* ---- explain.c ---- */

/* The nodes of that many ranks, with as many ranks per node as in the question. ARGUMENT,
 * NO_MEMORY. */
int hy_explain_nodes(const hy_explain *explain, int32_t ranks, hy_nodes **nodes);

/* The model for that many ranks: with `spread` it grows with them. */
hy_model hy_explain_model(const hy_explain *explain, int32_t ranks);

/* ---- records.c ---- */

/* Records that are written to memory. */
typedef struct hy_records {
    FILE *out;
    char *text;
    size_t size;
} hy_records;

int hy_records_open(hy_records *records);
/* NO_MEMORY if anything was lost; `rc` is passed on, and then the text is freed. */
int hy_records_close(hy_records *records, int rc, char **text);

/* Appends a field: "\t" and the text, without control characters. */
void hy_records_text(hy_records *records, const char *text);
void hy_records_number(hy_records *records, uint64_t number);
void hy_records_time(hy_records *records, double ns); /* NAN, INFINITY: "-" */
void hy_records_none(hy_records *records);
/* Signals and bytes; signals, bytes, steps and memory of the rank with the most; "alike" or
 * "each". */
void hy_records_counts(hy_records *records, const hy_sim_result *result);

#endif
