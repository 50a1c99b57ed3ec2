/* SPDX-License-Identifier: Apache-2.0 */
#include "player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

#define MAX_LINE 512
#define MAX_BATCHES 64
#define MAX_KINDS 4
#define MAX_SERIES 16
#define CHECKED_RUNS 3
/* Larger ones are not checked again at the end: that takes its time. */
#define CHECKED_AGAIN (256 << 10)

/* in and out of one kind of memory: shared by the series that use it, kept for the next case, and
 * replaced by larger ones. */
struct region {
    const char *kind;
    unsigned char *in, *out;
    size_t in_bytes, out_bytes;
};

struct player {
    const struct player_library *library;
    FILE *orders, *replies;
    int rank, size;
    struct region regions[MAX_KINDS];
    struct entry {
        int open;
        struct player_case one;
    } entries[MAX_SERIES];              /* in the order of the library's series */
    const struct player_series *series; /* that the order at hand is for, and its case */
    struct player_case *one;
    unsigned turn; /* of all measured calls, so that each has other data; the same on all ranks */
};

static const char *const op_names[OP_COUNT] = {
    "allreduce",      "bcast",   "alltoall",       "allgather", "reduce", "gather", "scatter",
    "reduce_scatter", "barrier", "allreduce_init", "pingpong",  "rate",   "farm",   "put",
};

static void quit(struct player *player, const char *why, const char *what)
{
    fprintf(stderr, "%s: rank %d: %s %s\n", player->library->impl, player->rank, why, what);
    player->library->abort();
    _Exit(1);
}

static struct region *region_of(struct player *player, const char *kind)
{
    struct region *region = player->regions;

    while (region->kind && strcmp(region->kind, kind) != 0) region++;
    region->kind = kind;
    return region;
}

static void *grown(struct player *player, void *old, size_t *has, size_t wanted, const char *kind)
{
    if (*has >= wanted && old) return old;
    if (old) player->library->release(old, kind);
    *has = wanted > 4096 ? wanted : 4096;
    return player->library->alloc(*has, kind);
}

static void take_memory(struct player *player)
{
    struct player_case *one = player->one;
    struct region *region = region_of(player, player->series->memory);

    region->in = grown(player, region->in, &region->in_bytes, player_in_bytes(one), region->kind);
    region->out = grown(player, region->out, &region->out_bytes, player_out_bytes(one),
                        region->kind);
    one->in = region->in;
    one->out = one->result = region->out;
}

static void call(struct player *player)
{
    if (player->series->start) player->series->start(player->one);
    player->series->finish(player->one);
}

static void settle(struct player *player)
{
    if (player->series->settle) player->series->settle(player->one);
    player->one->inits = 0;
}

static void check_once(struct player *player)
{
    player->one->salt++;
    player_fill(player->one);
    player->library->barrier();
    call(player);
    settle(player);
    if (!player_right(player->one)) {
        fprintf(stderr, "%s: %s of %zu bytes on %d ranks: wrong data\n", player->series->name,
                op_names[player->one->op], player->one->bytes, player->one->size);
        quit(player, "wrong data in", player->series->name);
    }
}

/* Several runs: what is prepared once must be right every time. The next may only be begun when all
 * have looked at theirs. */
static void check(struct player *player)
{
    for (int run = 0; run < CHECKED_RUNS; run++) {
        check_once(player);
        player->library->barrier();
    }
    player_clear(player->one);
}

static int find_op(const char *name)
{
    for (int op = 0; op < OP_COUNT; op++)
        if (strcmp(op_names[op], name) == 0) return op;
    return -1;
}

/* The series that the second word of an order names, and its case. */
static struct entry *find_entry(struct player *player, const char *line)
{
    char name[64] = "";
    const struct player_series *all = player->library->series;

    sscanf(line, "%*s %63s", name);
    for (int i = 0; all[i].name && i < MAX_SERIES; i++) {
        if (strcmp(all[i].name, name) != 0) continue;
        player->series = &all[i];
        player->one = &player->entries[i].one;
        return &player->entries[i];
    }
    quit(player, "no such series:", line);
    return NULL;
}

static void reply(struct player *player, const char *text)
{
    /* One write, so that the lines of the ranks do not mix. */
    fprintf(player->replies, "%d %s\n", player->rank, text);
    fflush(player->replies);
}

/* open SERIES OP BYTES */
static void order_open(struct player *player, struct entry *entry, const char *line)
{
    struct player_case *one = player->one;
    char op[64], text[MAX_LINE];
    size_t bytes;

    if (entry->open || sscanf(line, "open %*s %63s %zu", op, &bytes) != 2 || find_op(op) < 0)
        quit(player, "bad order:", line);
    *one = (struct player_case){.op = (enum player_op)find_op(op),
                                .bytes = bytes,
                                .floats = bytes == sizeof(float),
                                .rank = player->rank,
                                .size = player->size};
    one->count = bytes / (one->floats ? sizeof(float) : sizeof(double));
    take_memory(player);
    if (player->series->open(one) != 0) {
        reply(player, "none");
        return;
    }
    entry->open = 1;
    check(player);
    snprintf(text, sizeof text, "ok %.400s", one->choice ? one->choice : "");
    reply(player, text);
}

static uint64_t run_batch(struct player *player, int batch)
{
    uint64_t begin;
    int right = 1;

    player->library->barrier();
    begin = samples_now_ns();
    for (int i = 0; i < batch; i++) {
        player_write(player->one, ++player->turn);
        call(player);
        right &= player_read(player->one, player->turn);
    }
    begin = samples_now_ns() - begin;
    settle(player);
    if (!right) quit(player, "wrong data in a measured call of", player->series->name);
    return begin;
}

/* time SERIES BATCH BATCHES WARM: the first WARM batches are not told. */
static void order_time(struct player *player, const char *line)
{
    char text[MAX_BATCHES * 21] = "";
    size_t at = 0;
    int batch, batches, warm;

    if (sscanf(line, "time %*s %d %d %d", &batch, &batches, &warm) != 3 || batch < 1 ||
        batches < 1 || batches > MAX_BATCHES ||
        (player->one->op == OP_INIT && batch > PLAYER_MAX_INITS))
        quit(player, "bad order:", line);
    for (int i = 0; i < warm; i++) run_batch(player, batch);
    for (int i = 0; i < batches; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%llu ",
                               (unsigned long long)run_batch(player, batch));
    reply(player, text);
}

/* Work in registers: each multiplication waits for the one before. A unit is about a microsecond.
 */
static void compute(int units)
{
    double x = 1.0 + (double)units * 1e-9;

    for (long i = 0; i < 250L * units; i++) x = x * 0.999999 + 1e-6;
    __asm__ volatile("" : : "m"(x)); /* the result is wanted */
}

static void compute_polling(struct player *player, int units, int chunk)
{
    if (chunk < 1 || !player->series->poll) {
        compute(units);
        return;
    }
    for (int done = 0; done < units; done += chunk) {
        compute(units - done < chunk ? units - done : chunk);
        player->series->poll(player->one);
    }
}

struct overlap {
    char mode[8]; /* pure: start and wait; cpu: the computation; both: one inside the other */
    int calls, chunk;
    int work, last_work; /* units of computation: of all ranks but the last one, and of this */
    int late;            /* units before the last rank starts */
};

static void overlap_once(struct player *player, const struct overlap *what)
{
    int is_last = player->one->rank == player->one->size - 1;
    int work = is_last ? what->last_work : what->work;
    int moves = strcmp(what->mode, "cpu") != 0;

    if (strcmp(what->mode, "pure") == 0) work = 0;
    if (is_last && moves) compute(what->late);
    if (moves) player->series->start(player->one);
    if (moves) compute_polling(player, work, what->chunk);
    else compute(work);
    if (moves) player->series->finish(player->one);
}

/* overlap SERIES MODE CALLS WORK LAST LATE CHUNK, the last four in units of computation. The answer
 * is the median call: one that the scheduler interrupts counts for no more than one. */
static void order_overlap(struct player *player, const char *line)
{
    static struct samples samples;
    struct overlap what;
    char text[32];

    if (sscanf(line, "overlap %*s %7s %d %d %d %d %d", what.mode, &what.calls, &what.work,
               &what.last_work, &what.late, &what.chunk) != 6 ||
        !player->series->start)
        quit(player, "bad order:", line);
    samples.count = 0;
    for (int i = 0; i < what.calls; i++) {
        uint64_t begin;

        player->library->barrier();
        begin = samples_now_ns();
        overlap_once(player, &what);
        samples_add(&samples, samples_now_ns() - begin, 1.0);
    }
    snprintf(text, sizeof text, "%.0f", 1000.0 * samples_percentile(&samples, 50.0));
    reply(player, text);
}

static void order_close(struct player *player, struct entry *entry)
{
    if (player->one->bytes <= CHECKED_AGAIN) check(player);
    if (player->series->close) player->series->close(player->one);
    entry->open = 0;
    reply(player, "ok");
}

static void obey(struct player *player, const char *line)
{
    struct entry *entry = find_entry(player, line);

    if (strncmp(line, "open ", 5) == 0) order_open(player, entry, line);
    else if (!entry->open) quit(player, "not open:", line);
    else if (strncmp(line, "time ", 5) == 0) order_time(player, line);
    else if (strncmp(line, "overlap ", 8) == 0) order_overlap(player, line);
    else if (strncmp(line, "close ", 6) == 0) order_close(player, entry);
    else quit(player, "bad order:", line);
}

static void introduce(struct player *player)
{
    char text[MAX_LINE] = "ready";
    size_t at = strlen(text);

    for (const struct player_series *s = player->library->series; s->name; s++)
        at += (size_t)snprintf(text + at, sizeof text - at, " %s", s->name);
    reply(player, text);
}

static FILE *join(struct player *player, const char *folder, const char *name, const char *mode)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, mode);
    if (!file) quit(player, "cannot open", path);
    return file;
}

int player_main(const struct player_library *library, int argc, char **argv)
{
    static struct player player;
    char name[64], line[MAX_LINE];

    player.library = library;
    player.rank = library->rank();
    player.size = library->size();
    if (argc != 3) quit(&player, "usage:", "FOLDER PLAYER");
    snprintf(name, sizeof name, "%.16s.%d", argv[2], player.rank);
    player.orders = join(&player, argv[1], name, "r");
    snprintf(name, sizeof name, "%.16s.replies", argv[2]);
    player.replies = join(&player, argv[1], name, "w");
    introduce(&player);
    while (fgets(line, sizeof line, player.orders)) obey(&player, line);
    return 0;
}
