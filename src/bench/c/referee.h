/* SPDX-License-Identifier: Apache-2.0 */
/* The referee has players measure one case in turns of milliseconds: A B C C B A A B C ... A
 * machine that changes its speed within seconds then does so for all alike, and ratios are taken
 * turn by turn. Prints a line of JSON for each case and series. */
#ifndef HAYATE_BENCH_REFEREE_H
#define HAYATE_BENCH_REFEREE_H

#include "referee_players.h"
#include "samples.h"

#define MAX_COMPETITORS 16
#define MIN_TURNS 3
#define MAX_TURNS 256

/* A series that takes part. */
struct competitor {
    const char *series;
    struct player_process *player; /* NULL: nobody has it */
    int open;                      /* in the present case */
    int batch;                     /* calls */
    double call_ns;
    double turns[MAX_TURNS]; /* us, medians; negative: none */
    struct samples samples;  /* of all turns */
    char choice[256];        /* what the library says of itself */
};

struct referee {
    struct players players;
    struct competitor competitors[MAX_COMPETITORS];
    int count, repetition;
    int cpus;
    const char *line_command; /* prints what a cache line takes, or NULL */
    uint64_t deadline;
    int cases_left;
};

struct referee_case {
    const char *op;
    size_t bytes;
    double line_us;       /* of a cache line; negative: not known */
    uint64_t until, late; /* its share of the time; when fewer than MIN_TURNS must do */
    int turns;
};

/* Opens the case for all that have it; how many. */
int referee_open(struct referee *referee, struct referee_case *one);
void referee_close(struct referee *referee);

/* Whether there is another turn after so many. */
int referee_goes_on(int turns, uint64_t until, uint64_t late);

/* Prints the members that all lines have, without the closing brace. */
void referee_print(const struct referee *referee, const struct referee_case *one,
                   const struct competitor *by, const char *bench);
void referee_print_turns(const char *name, const double *turns, int count);

/* The last rank computes as the others do, or comes late and does not, or is the only one to. */
enum referee_last { LAST_WORKS, LAST_IS_LATE, LAST_ALONE, LAST_KINDS };

/* Of words like "works,late,alone", a bit each; 0: there is no such word. */
int referee_last_kinds(char *list);

/* Measures the share of a collective that computation hides, with each of these kinds. */
void referee_overlap(struct referee *referee, struct referee_case *one, int kinds);

double referee_median(const double *values, int count);

#endif
