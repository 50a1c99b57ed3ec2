/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Speed over libfabric beside its own fi_pingpong: `ofi_speed_program [ROUNDS [TURNS]]`. Two
 * processes on loopback play ping-pong of every kind in turn with fi_pingpong (Debian:
 * libfabric-bin) of the same provider; printed are the medians over rounds, and the ratios.
 */
#include "net/speed.h"

#define PORT "47631"

/* A signal that carries so many bytes, or a put of them and a flag behind it. */
static const struct {
    const char *name;
    size_t len;
    bool signal;
} kinds[] = {{"signal", 8, true},
             {"put and flag", 8, false},
             {"put and flag", 4096, false},
             {"put and flag", 65536, false},
             {"put and flag", 1 << 20, false},
             {"put and flag", 8 << 20, false}};
#define KINDS (sizeof kinds / sizeof *kinds)
#define LONGEST (8 << 20)

static double ours[KINDS][MOST_ROUNDS], theirs[KINDS][MOST_ROUNDS]; /* half a ping-pong, in us */

static uint64_t turns_of(size_t len)
{
    return len <= 4096      ? turns
           : len <= 65536   ? (turns + 3) / 4
           : len <= 1 << 20 ? (turns + 19) / 20
                            : (turns + 99) / 100;
}

static void hand_over(member *me, size_t kind, const uint8_t *data)
{
    hy_ep *ep = &me->eps[1 - me->rank];
    const hy_flag flag = {turn, {0, 0, 0}};
    if (kinds[kind].signal) {
        ep->ops->signal(ep, 0, turn, data, kinds[kind].len);
        return;
    }
    CHECK_OK(ep->ops->put(ep, DATA_AT, data, kinds[kind].len));
    CHECK_OK(ep->ops->put_flag(ep, 0, &flag));
}

static void see(member *me)
{
    const _Atomic uint64_t *word = (const _Atomic uint64_t *)(void *)me->part;
    for (uint64_t i = 1; hy_load_acquire(word) != turn; i++)
        if (me->net->ops->progress(me->net) == 0 && i % 256 == 0) sched_yield();
}

/* Of one kind; the first tenth is not counted. */
static double play(member *me, size_t kind, const uint8_t *data)
{
    uint64_t count = turns_of(kinds[kind].len), start = 0;
    for (uint64_t i = 0; i < count + count / 10; i++) {
        if (i == count / 10) start = hy_now_ns();
        turn++;
        if (me->rank == 0) hand_over(me, kind, data);
        see(me);
        if (me->rank == 1) hand_over(me, kind, data);
    }
    return (double)(hy_now_ns() - start) / (double)count / 2000;
}

static void become_pingpong(size_t kind, bool client)
{
    char size[32], count[32];
    snprintf(size, sizeof size, "%zu", kinds[kind].len);
    snprintf(count, sizeof count, "%llu", (unsigned long long)turns_of(kinds[kind].len));
    execlp("fi_pingpong", "fi_pingpong", "-p", getenv("HAYATE_OFI_PROVIDER"), "-e", "rdm", "-I",
           count, "-S", size, client ? "-P" : "-B", PORT, client ? "127.0.0.1" : NULL, NULL);
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
static double play_theirs(size_t kind)
{
    char text[4096];
    return hear_theirs(become_pingpong, kind, 700000, text, sizeof text) ? parse_theirs(text) : 0;
}

static void report(void)
{
    size_t n = (size_t)rounds_wanted;
    printf("%10s %-14s %10s %14s %8s %12s %12s   (medians; fastest)\n", "bytes", "", "hayate us",
           "fi_pingpong us", "ratio", "hayate MB/s", "fi_pingpong");
    for (size_t i = 0; i < KINDS; i++) {
        double a = median(ours[i], n), b = median(theirs[i], n), bytes = (double)kinds[i].len;
        printf("%10zu %-14s %10.2f %14.2f %8.2f %12.1f %12.1f   %.2f / %.2f = %.2f\n", kinds[i].len,
               kinds[i].name, a, b, a / b, bytes / a, bytes / b, ours[i][0], theirs[i][0],
               ours[i][0] / theirs[i][0]);
    }
}

static void play_kinds(member *me)
{
    uint8_t *data = malloc(LONGEST);
    memset(data, 7, LONGEST);
    for (int round = 0; round < rounds_wanted; round++)
        for (size_t i = 0; i < KINDS; i++) {
            ours[i][round] = play(me, i, data);
            theirs[i][round] = play_other(me, play_theirs, i);
        }
    if (me->rank == 0) report();
    free(data);
}

int main(int argc, char **argv)
{
    tested = &hy_net_ofi;
    setenv("HAYATE_OFI_PROVIDER", "tcp;ofi_rxm", 0);
    return run_speed(argc, argv, play_kinds);
}
