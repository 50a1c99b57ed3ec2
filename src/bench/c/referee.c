/* SPDX-License-Identifier: Apache-2.0 */
#include "referee.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_CASES 256
#define LATE_SHARES 2
#define MAX_BATCHES 32
#define MAX_BATCH (1 << 20)
#define MAX_INITS 16
/* A batch has to be long against the clock and the barrier before it; with more ranks than cores
 * against the scheduler's slices too. */
#define BATCH_NS 100e3
#define BATCH_SHARED_NS 2e6
#define TURN_NS 3e6
#define TURN_SHARED_NS 8e6
/* Slower batches find nothing of theirs in the caches anyway. */
#define WARM_BELOW_NS 10e6

struct plan {
    struct referee_case cases[MAX_CASES];
    int count;
    int overlap; /* kinds of overlap; 0: times are measured */
};

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

double referee_median(const double *values, int count)
{
    double sorted[MAX_TURNS];

    if (count == 0) return 0.0;
    memcpy(sorted, values, (size_t)count * sizeof *values);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

static double line_now(const struct referee *referee)
{
    char text[512];
    const char *found;
    double us = -1.0;
    FILE *output = referee->line_command ? popen(referee->line_command, "r") : NULL;

    if (!output) return us;
    if (fgets(text, sizeof text, output) && (found = strstr(text, "\"median_us\":")) != NULL)
        us = strtod(found + strlen("\"median_us\":"), NULL);
    pclose(output);
    return us;
}

static void print_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') putchar('\\');
        putchar((unsigned char)*text < ' ' ? ' ' : *text);
    }
}

void referee_print(const struct referee *referee, const struct referee_case *one,
                   const struct competitor *by, const char *bench)
{
    printf("{\"repetition\":%d,\"bench\":\"%s\",\"bytes\":%zu,\"ranks\":%d,\"series\":\"%s\",",
           referee->repetition, bench, one->bytes, referee->players.ranks, by->series);
    if (one->line_us >= 0) printf("\"line_us\":%.3f,", one->line_us);
    if (by->choice[0]) {
        printf("\"choice\":\"");
        print_text(by->choice);
        printf("\",");
    }
}

void referee_print_turns(const char *name, const double *turns, int count)
{
    printf("\"%s\":[", name);
    for (int i = 0; i < count; i++) printf("%s%.4f", i ? "," : "", turns[i]);
    printf("]");
}

static void open_one(struct competitor *by, const struct referee_case *one)
{
    by->open = 0;
    by->samples.count = 0;
    by->choice[0] = '\0';
    for (int i = 0; i < MAX_TURNS; i++) by->turns[i] = -1.0;
    if (!by->player || by->player->pid == 0) return;
    if (player_ask(by->player, "open %s %s %zu\n", by->series, one->op, one->bytes) != 0) return;
    if (strncmp(by->player->answers[0], "ok", 2) != 0) return;
    snprintf(by->choice, sizeof by->choice, "%.250s",
             by->player->answers[0] + strspn(by->player->answers[0] + 2, " ") + 2);
    by->open = 1;
}

int referee_open(struct referee *referee, struct referee_case *one)
{
    int open = 0;

    players_start(&referee->players);
    for (int i = 0; i < referee->count; i++) {
        open_one(&referee->competitors[i], one);
        open += referee->competitors[i].open;
    }
    one->turns = 0;
    one->line_us = line_now(referee);
    return open;
}

static int ask_close(struct competitor *by)
{
    by->open = 0;
    return player_ask(by->player, "close %s\n", by->series);
}

void referee_close(struct referee *referee)
{
    for (int i = 0; i < referee->count; i++)
        if (referee->competitors[i].open) ask_close(&referee->competitors[i]);
}

/* Has a turn; the batches' times in ns, each the greatest of all ranks. How many, or -1. */
static int have_turn(struct competitor *by, int batches, int warm, double *ns)
{
    struct player_process *player = by->player;

    if (player_ask(player, "time %s %d %d %d\n", by->series, by->batch, batches, warm) != 0) {
        by->open = 0;
        return -1;
    }
    for (int b = 0; b < batches; b++) ns[b] = 0;
    for (int rank = 0; rank < player->all->ranks; rank++) {
        char *at = player->answers[rank];

        for (int b = 0; b < batches; b++) {
            double took = strtod(at, &at);

            if (took > ns[b]) ns[b] = took;
        }
    }
    return batches;
}

static int is_shared(const struct referee *referee)
{
    return referee->players.ranks > referee->cpus;
}

static int most_calls(const struct referee_case *one)
{
    return strstr(one->op, "_init") ? MAX_INITS : MAX_BATCH;
}

/* Doubles the batch until it is long enough. */
static void find_batch(const struct referee *referee, const struct referee_case *one,
                       struct competitor *by)
{
    double wanted = is_shared(referee) ? BATCH_SHARED_NS : BATCH_NS, ns[MAX_BATCHES];

    for (by->batch = 1; by->open; by->batch *= 2) {
        if (have_turn(by, 1, by->batch == 1, ns) < 0) return;
        by->call_ns = ns[0] / by->batch;
        if (ns[0] >= wanted || by->batch * 2 > most_calls(one)) return;
    }
}

/* What was found cold is corrected: the batch follows the time of a call. */
static void follow_batch(const struct referee *referee, const struct referee_case *one,
                         struct competitor *by)
{
    double wanted = is_shared(referee) ? BATCH_SHARED_NS : BATCH_NS;
    double calls = by->call_ns > 0 ? wanted / by->call_ns : 1;

    if (calls > 2.0 * by->batch || calls < 0.5 * by->batch) by->batch = calls < 1 ? 1 : (int)calls;
    if (by->batch > most_calls(one)) by->batch = most_calls(one);
}

static void turn(const struct referee *referee, struct referee_case *one, struct competitor *by)
{
    double wanted = is_shared(referee) ? TURN_SHARED_NS : TURN_NS;
    double batch_ns = by->call_ns * by->batch, ns[MAX_BATCHES], us[MAX_BATCHES];
    int batches = batch_ns > 0 ? (int)(wanted / batch_ns) : 1;

    if (batches < 1) batches = 1;
    if (batches > MAX_BATCHES) batches = MAX_BATCHES;
    if (have_turn(by, batches, batch_ns < WARM_BELOW_NS, ns) < 0) return;
    for (int b = 0; b < batches; b++) {
        us[b] = ns[b] / by->batch / 1000.0;
        samples_add(&by->samples, (uint64_t)ns[b], by->batch);
    }
    by->turns[one->turns] = referee_median(us, batches);
    by->call_ns = by->turns[one->turns] * 1000.0;
    follow_batch(referee, one, by);
}

static void print_competitor(const struct referee *referee, const struct referee_case *one,
                             struct competitor *by)
{
    double median = samples_percentile(&by->samples, 50.0);

    referee_print(referee, one, by, one->op);
    printf("\"min_us\":%.4f,\"median_us\":%.4f,\"p99_us\":%.4f,\"samples\":%zu,\"batch\":%d,",
           samples_percentile(&by->samples, 0.0), median, samples_percentile(&by->samples, 99.0),
           by->samples.count, by->batch);
    referee_print_turns("turns", by->turns, one->turns);
    printf("}\n");
    fflush(stdout);
}

int referee_goes_on(int turns, uint64_t until, uint64_t late)
{
    uint64_t now = samples_now_ns();

    return turns == 0 || (turns < MIN_TURNS && now < late) || (turns < MAX_TURNS && now < until);
}

static void measure(struct referee *referee, struct referee_case *one)
{
    for (int i = 0; i < referee->count; i++)
        if (referee->competitors[i].open) find_batch(referee, one, &referee->competitors[i]);
    while (referee_goes_on(one->turns, one->until, one->late)) {
        for (int i = 0; i < referee->count; i++) {
            int which = one->turns % 2 ? referee->count - 1 - i : i;

            if (referee->competitors[which].open) turn(referee, one, &referee->competitors[which]);
        }
        one->turns++;
    }
    for (int i = 0; i < referee->count; i++)
        if (referee->competitors[i].open) print_competitor(referee, one, &referee->competitors[i]);
}

/* What is left of the time is shared by the cases that are left. */
static void play(struct referee *referee, struct plan *plan)
{
    for (int i = 0; i < plan->count; i++) {
        struct referee_case *one = &plan->cases[i];
        uint64_t now = samples_now_ns();
        uint64_t left = referee->deadline > now ? referee->deadline - now : 0;

        one->until = now + left / (uint64_t)(plan->count - i);
        one->late = one->until + LATE_SHARES * (one->until - now);
        if (referee_open(referee, one) > 0) {
            if (plan->overlap) referee_overlap(referee, one, plan->overlap);
            else measure(referee, one);
        }
        referee_close(referee);
    }
}

static int add_cases(struct plan *plan, char *text)
{
    size_t sizes[64];
    char *colon = strchr(text, ':');
    int count = colon ? samples_parse_sizes(colon + 1, sizes, 64) : -1;

    if (count < 0 || plan->count + count > MAX_CASES) return -1;
    *colon = '\0';
    for (int i = 0; i < count; i++)
        plan->cases[plan->count++] = (struct referee_case){.op = text, .bytes = sizes[i]};
    return 0;
}

static int add_series(struct referee *referee, char *list)
{
    for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
        if (referee->count == MAX_COMPETITORS) return -1;
        referee->competitors[referee->count++].series = name;
    }
    return 0;
}

static int option(struct referee *referee, struct plan *plan, const char *name, char *value)
{
    struct players *players = &referee->players;

    if (strcmp(name, "--ranks") == 0) players->ranks = atoi(value);
    else if (strcmp(name, "--folder") == 0) players->folder = value;
    else if (strcmp(name, "--repetition") == 0) referee->repetition = atoi(value);
    else if (strcmp(name, "--line") == 0) referee->line_command = value;
    else if (strcmp(name, "--series") == 0) return add_series(referee, value);
    else if (strcmp(name, "--case") == 0) return add_cases(plan, value);
    else if (strcmp(name, "--overlap") == 0) {
        plan->overlap = referee_last_kinds(value);
        return plan->overlap ? 0 : -1;
    } else if (strcmp(name, "--seconds") == 0)
        referee->deadline = samples_now_ns() + (uint64_t)(strtod(value, NULL) * 1e9);
    else if (strcmp(name, "--player") == 0 && players->count < MAX_PLAYERS)
        players->player[players->count++].command = value;
    else return -1;
    return 0;
}

static int parse(struct referee *referee, struct plan *plan, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (i + 1 == argc || option(referee, plan, argv[i], argv[i + 1]) != 0) return -1;
        i++;
    }
    return referee->players.ranks >= 2 && referee->players.ranks <= MAX_RANKS &&
                   referee->players.folder && referee->players.count && plan->count &&
                   referee->count
               ? 0
               : -1;
}

/* Which player has which series: they said so when they began. */
static void assign(struct referee *referee)
{
    for (int c = 0; c < referee->count; c++)
        for (int p = 0; p < referee->players.count; p++) {
            struct player_process *player = &referee->players.player[p];

            if (player->pid && player_has(player->answers[0], referee->competitors[c].series))
                referee->competitors[c].player = player;
        }
}

int main(int argc, char **argv)
{
    static struct referee referee;
    static struct plan plan;

    referee.cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (parse(&referee, &plan, argc, argv) != 0) {
        fprintf(stderr, "usage: referee --ranks N --folder DIR --player COMMAND... "
                        "--series A,B,... --case OP:SIZES... [--overlap works,late,alone] "
                        "[--seconds S] [--repetition R] [--line COMMAND]\n");
        return 2;
    }
    players_start(&referee.players);
    assign(&referee);
    play(&referee, &plan);
    players_end(&referee.players);
    return referee.players.failures ? 1 : 0;
}
