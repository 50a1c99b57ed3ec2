/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Speed over libfabric beside its own fi_pingpong: `ofi_speed_program [ROUNDS [TURNS]]`. Two
 * processes on loopback play ping-pong of every kind in turn with fi_pingpong (Debian:
 * libfabric-bin) of the same provider, so that all see the same machine; printed are the medians
 * over rounds, and the ratios. A short message is a signal of 8 bytes, a long one a put and a flag
 * behind it.
 */
#include "path/net_fixture.h"

#define MOST_ROUNDS 100
#define PORT "47631"

static const size_t lengths[] = {8, 4096, 65536, 1 << 20, 8 << 20};
#define LENGTHS (sizeof lengths / sizeof *lengths)

enum { OURS, THEIRS };
static double times[2][LENGTHS][MOST_ROUNDS]; /* half a ping-pong, in us */

static uint64_t short_turns = 2000;

static uint64_t turns_of(size_t len)
{
    return len <= 4096      ? short_turns
           : len <= 65536   ? (short_turns + 3) / 4
           : len <= 1 << 20 ? (short_turns + 19) / 20
                            : (short_turns + 99) / 100;
}

static void hand_over(member *me, size_t len, const uint8_t *data, uint64_t turn)
{
    hy_ep *ep = &me->eps[1 - me->rank];
    const hy_flag flag = {turn, {0, 0, 0}};
    if (len <= HY_SLOT_PAYLOAD) {
        ep->ops->signal(ep, 0, turn, data, len);
        return;
    }
    CHECK_OK(ep->ops->put(ep, DATA_AT, data, len));
    CHECK_OK(ep->ops->put_flag(ep, 0, &flag));
}

static void see(member *me, uint64_t turn)
{
    const _Atomic uint64_t *word = (const _Atomic uint64_t *)(void *)me->part;
    for (uint64_t i = 1; hy_load_acquire(word) != turn; i++)
        if (me->net->ops->progress(me->net) == 0 && i % 256 == 0) sched_yield();
}

/* Of one length; the first tenth is not counted. */
static double play(member *me, size_t len, const uint8_t *data)
{
    static uint64_t turn;
    uint64_t turns = turns_of(len), start = 0;
    for (uint64_t i = 0; i < turns + turns / 10; i++) {
        if (i == turns / 10) start = hy_now_ns();
        turn++;
        if (me->rank == 0) hand_over(me, len, data, turn);
        see(me, turn);
        if (me->rank == 1) hand_over(me, len, data, turn);
    }
    return (double)(hy_now_ns() - start) / (double)turns / 2000;
}

static pid_t start_theirs(const char *size, const char *turns, bool client, int out)
{
    pid_t child = fork();
    CHECK(child >= 0);
    if (child) return child;
    dup2(out, STDOUT_FILENO);
    execlp("fi_pingpong", "fi_pingpong", "-p", getenv("HAYATE_OFI_PROVIDER"), "-e", "rdm", "-I",
           turns, "-S", size, client ? "-P" : "-B", PORT, client ? "127.0.0.1" : NULL, NULL);
    _exit(127);
}

/* Its last line ends with   time MB/sec usec/xfer Mxfers/sec   . */
static double parse_theirs(const char *text)
{
    double time, rate, half = 0;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *s = strstr(line, "s ");
        if (*line >= '0' && *line <= '9' && s && sscanf(s + 1, "%lf %lf", &rate, &time) == 2)
            half = time;
        if (!*line) break;
    }
    return half;
}

/* 0: it is not there. */
static double play_theirs(size_t len)
{
    char size[32], turns[32], text[4096];
    int out[2], nothing = open("/dev/null", O_WRONLY), status = 0;
    snprintf(size, sizeof size, "%zu", len);
    snprintf(turns, sizeof turns, "%llu", (unsigned long long)turns_of(len));
    CHECK(pipe(out) == 0);
    pid_t server = start_theirs(size, turns, false, nothing);
    usleep(700000);
    pid_t client = start_theirs(size, turns, true, out[1]);
    close(out[1]);
    size_t used = 0;
    for (ssize_t n; (n = read(out[0], text + used, sizeof text - 1 - used)) > 0;) used += (size_t)n;
    text[used] = '\0';
    close(out[0]);
    close(nothing);
    waitpid(client, &status, 0);
    if (status) kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    return status ? 0 : parse_theirs(text);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(int rounds)
{
    printf("%10s %14s %14s %8s %14s %14s   (medians; fastest)\n", "bytes", "hayate us",
           "fi_pingpong us", "ratio", "hayate MB/s", "fi_pingpong");
    for (size_t i = 0; i < LENGTHS; i++) {
        double *ours = times[OURS][i], *theirs = times[THEIRS][i], bytes = (double)lengths[i];
        qsort(ours, (size_t)rounds, sizeof *ours, compare);
        qsort(theirs, (size_t)rounds, sizeof *theirs, compare);
        double a = ours[rounds / 2], b = theirs[rounds / 2];
        printf("%10zu %14.2f %14.2f %8.2f %14.1f %14.1f   %.2f / %.2f = %.2f\n", lengths[i], a, b,
               a / b, bytes / a, bytes / b, ours[0], theirs[0], ours[0] / theirs[0]);
    }
}

static int rounds_wanted;

/* Rank 1 waits without a sound while fi_pingpong plays; its keeper still answers. */
static void play_all(member *me)
{
    uint8_t *data = malloc(lengths[LENGTHS - 1]);
    memset(data, 7, lengths[LENGTHS - 1]);
    for (int round = 0; round < rounds_wanted; round++)
        for (size_t i = 0; i < LENGTHS; i++) {
            times[OURS][i][round] = play(me, lengths[i], data);
            if (me->rank == 0) times[THEIRS][i][round] = play_theirs(lengths[i]);
            if (me->rank == 0) me->w->note[0]++;
            while (me->w->note[0] < (uint64_t)round * LENGTHS + i + 1) usleep(2000);
        }
    if (me->rank == 0) report(rounds_wanted);
    fflush(stdout);
    free(data);
}

static void speed(member *me)
{
    alarm(0);
    join(me);
    meet(me);
    play_all(me);
    meet(me);
    leave(me);
}

int main(int argc, char **argv)
{
    tested = &hy_net_ofi;
    rounds_wanted = argc > 1 ? atoi(argv[1]) : 5;
    if (argc > 2) short_turns = strtoull(argv[2], NULL, 10);
    if (rounds_wanted < 1 || rounds_wanted > MOST_ROUNDS || short_turns < 10) return 2;
    setenv("HAYATE_OFI_PROVIDER", "tcp;ofi_rxm", 0);
    run_stories(2, speed);
    return 0;
}
