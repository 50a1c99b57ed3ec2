/* SPDX-License-Identifier: Apache-2.0 */
/* In the manner of IMB-NBC: how much of a non-blocking collective is hidden behind computation that
 * takes as long. Where each rank computes on a core of its own, no core is left that could move
 * data meanwhile; so also with a last rank that comes late, and with nobody but it computing. */
#include "referee.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PHASE_NS 3e6
#define MAX_CALLS 100
#define POLL_NS 10e3

static const char *const names[LAST_KINDS] = {"works", "late", "alone"};
static const char *const benches[LAST_KINDS] = {"overlap", "overlap_late", "overlap_alone"};

struct overlap {
    enum referee_last last;
    int work, chunk, calls;
    int late; /* units of computation by which the last rank is late */
    double unit_ns;
    double pure[MAX_TURNS], cpu[MAX_TURNS], both[MAX_TURNS], percent[MAX_TURNS];
};

/* Median call of a phase in us, of the slowest rank that computes; negative: failed. */
static double phase(struct competitor *by, const struct overlap *what, const char *mode)
{
    struct player_process *player = by->player;
    int work = what->last == LAST_ALONE ? 0 : what->work;
    int last_work = what->last == LAST_IS_LATE ? 0 : what->work;
    int ranks = player->all->ranks - (what->last == LAST_IS_LATE);
    double most = 0;

    if (player_ask(player, "overlap %s %s %d %d %d %d %d\n", by->series, mode, what->calls, work,
                   last_work, what->late, what->chunk) != 0) {
        by->open = 0;
        return -1.0;
    }
    for (int rank = what->last == LAST_ALONE ? ranks - 1 : 0; rank < ranks; rank++) {
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
static void calibrate(struct competitor *by, struct overlap *what, enum referee_last last)
{
    double us;

    what->last = last;
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
    if (last == LAST_IS_LATE) what->late = units(what, us);
    if (last == LAST_IS_LATE && by->open) us = phase(by, what, "pure");
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
    referee_print(referee, one, by, benches[what->last]);
    printf("\"pure_us\":%.3f,\"cpu_us\":%.3f,\"both_us\":%.3f,\"overlap_percent\":%.1f,",
           referee_median(what->pure, turns), referee_median(what->cpu, turns),
           referee_median(what->both, turns), referee_median(what->percent, turns));
    referee_print_turns("turns", what->percent, turns);
    printf("}\n");
    fflush(stdout);
}

static void measure(struct referee *referee, struct referee_case *one, enum referee_last last,
                    uint64_t until)
{
    static struct overlap overlaps[MAX_COMPETITORS];
    int turns = 0;

    for (int i = 0; i < referee->count; i++)
        if (referee->competitors[i].open) calibrate(&referee->competitors[i], &overlaps[i], last);
    while (referee_goes_on(turns, until, one->late)) {
        for (int i = 0; i < referee->count; i++)
            if (referee->competitors[i].open) turn(&referee->competitors[i], &overlaps[i], turns);
        turns++;
    }
    for (int i = 0; i < referee->count; i++)
        if (referee->competitors[i].open)
            print(referee, one, &referee->competitors[i], &overlaps[i], turns);
}

int referee_last_kinds(char *list)
{
    int kinds = 0;

    for (char *word = strtok(list, ","); word; word = strtok(NULL, ",")) {
        int last = 0;

        while (last < LAST_KINDS && strcmp(word, names[last]) != 0) last++;
        if (last == LAST_KINDS) return 0;
        kinds |= 1 << last;
    }
    return kinds;
}

void referee_overlap(struct referee *referee, struct referee_case *one, int kinds)
{
    int left = __builtin_popcount((unsigned)kinds);

    for (int last = 0; last < LAST_KINDS; last++) {
        uint64_t now = samples_now_ns();

        if (!(kinds & 1 << last)) continue;
        measure(referee, one, (enum referee_last)last,
                one->until > now ? now + (one->until - now) / (uint64_t)left : now);
        left--;
    }
}
