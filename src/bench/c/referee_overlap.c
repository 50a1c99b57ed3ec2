/* SPDX-License-Identifier: Apache-2.0 */
/* In the manner of IMB-NBC: how much of a non-blocking allreduce is hidden behind computation that
 * takes as long. Also with a rank that comes late by as much: then the others have something to
 * wait for, which two ranks that share no core with anybody hardly have. */
#include "referee.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PHASE_NS 3e6
#define MAX_CALLS 100
#define POLL_NS 10e3

struct overlap {
    int late; /* units of computation by which the last rank is late; 0: it is not */
    int work, chunk, calls;
    double unit_ns;
    double pure[MAX_TURNS], cpu[MAX_TURNS], both[MAX_TURNS], percent[MAX_TURNS];
};

/* Median call of a phase in us, of the slowest rank that was not late; negative: failed. */
static double phase(struct competitor *by, const struct overlap *what, const char *mode)
{
    struct player_process *player = by->player;
    int ranks = player->all->ranks - (what->late > 0);
    double most = 0;

    if (player_ask(player, "overlap %s %s %d %d %d %d\n", by->series, mode, what->calls, what->work,
                   what->late, what->chunk) != 0) {
        by->open = 0;
        return -1.0;
    }
    for (int rank = 0; rank < ranks; rank++) {
        double took = strtod(player->answers[rank], NULL);

        if (took > most) most = took;
    }
    return most / 1000.0;
}

static int units(const struct overlap *what, double us)
{
    int units = (int)(us * 1000.0 / what->unit_ns + 0.5);

    return units > 1 ? units : 1;
}

/* How long a unit of computation takes when all compute, and how many calls fill a phase. */
static void calibrate(struct competitor *by, struct overlap *what, int is_late)
{
    double us;

    what->work = 2000;
    what->calls = 3;
    what->chunk = what->late = 0;
    if (phase(by, what, "cpu") < 0) return; /* cold */
    us = phase(by, what, "cpu");
    what->unit_ns = us > 0 ? us * 1000.0 / what->work : 1000.0;
    what->chunk = (int)fmax(1.0, POLL_NS / what->unit_ns);
    if (by->open) phase(by, what, "pure");
    if (by->open) us = phase(by, what, "pure");
    what->calls = (int)fmin(MAX_CALLS, fmax(2.0, PHASE_NS / 1000.0 / fmax(us, 1.0)));
    if (by->open) us = phase(by, what, "pure");
    if (is_late) what->late = units(what, us);
    if (is_late && by->open) us = phase(by, what, "pure");
    what->work = units(what, us);
}

static double share(double pure, double cpu, double both)
{
    double least = fmin(pure, cpu);

    return least > 0 ? 100.0 * fmax(0.0, fmin(1.0, (pure + cpu - both) / least)) : 0.0;
}

static void turn(struct competitor *by, struct overlap *what, int index)
{
    what->pure[index] = phase(by, what, "pure");
    if (by->open) what->cpu[index] = phase(by, what, "cpu");
    if (by->open) what->both[index] = phase(by, what, "both");
    if (!by->open) return;
    what->percent[index] = share(what->pure[index], what->cpu[index], what->both[index]);
    /* The machine's speed may have changed since. */
    what->work = (int)fmax(1.0, what->work * what->pure[index] / fmax(what->cpu[index], 0.001));
}

static void print(const struct referee *referee, const struct referee_case *one,
                  const struct competitor *by, const struct overlap *what, int turns)
{
    referee_print(referee, one, by, what->late ? "overlap_late" : "overlap");
    printf("\"pure_us\":%.3f,\"cpu_us\":%.3f,\"both_us\":%.3f,\"overlap_percent\":%.1f,",
           referee_median(what->pure, turns), referee_median(what->cpu, turns),
           referee_median(what->both, turns), referee_median(what->percent, turns));
    referee_print_turns("turns", what->percent, turns);
    printf("}\n");
    fflush(stdout);
}

static void measure(struct referee *referee, struct referee_case *one, int is_late, uint64_t until)
{
    static struct overlap overlaps[MAX_COMPETITORS];
    int turns = 0;

    for (int i = 0; i < referee->count; i++)
        if (referee->competitors[i].open)
            calibrate(&referee->competitors[i], &overlaps[i], is_late);
    while (referee_goes_on(turns, until, one->late)) {
        for (int i = 0; i < referee->count; i++)
            if (referee->competitors[i].open) turn(&referee->competitors[i], &overlaps[i], turns);
        turns++;
    }
    for (int i = 0; i < referee->count; i++)
        if (referee->competitors[i].open)
            print(referee, one, &referee->competitors[i], &overlaps[i], turns);
}

void referee_overlap(struct referee *referee, struct referee_case *one)
{
    uint64_t now = samples_now_ns();
    uint64_t half = one->until > now ? (one->until - now) / 2 : 0;

    measure(referee, one, 0, now + half);
    measure(referee, one, 1, one->until);
}
