/* SPDX-License-Identifier: Apache-2.0 */
/* What a put of 8 bytes and its flag cost beside a bare cache line: `ompl_speed_program [ROUNDS]`
 * on two ranks. Each round is a series of ping-pongs of every kind in turn, so that all see the
 * same machine; printed is the median over rounds of half a ping-pong, in nanoseconds, and its
 * ratio to the bare line, which carries the 8 bytes beside the word that is polled. */
#include <hayate/ompl.h>

#include "fmpl/scenario.h"

#include "init/join.h"

#define PINGS 2000
#define MOST_ROUNDS 1000

/* A line, and a pair of them between any two: processors fetch neighbours. */
enum { BARE = 0, SAME = 256, APART = 512, BYTES = 1024 };

typedef void (*exchange)(uint64_t turn, uint64_t *data);

static volatile uint64_t *bare_line(void *part)
{
    return (volatile uint64_t *)part;
}

static void *mine, *theirs;

static void bare(uint64_t turn, uint64_t *data)
{
    volatile uint64_t *to = bare_line(theirs), *from = bare_line(mine);
    if (rank == 0) {
        to[1] = *data;
        __atomic_store_n(&to[0], turn, __ATOMIC_RELEASE);
    }
    while (__atomic_load_n(&from[0], __ATOMIC_ACQUIRE) != turn) hy_pause();
    *data = from[1];
    if (rank == 1) {
        to[1] = *data;
        __atomic_store_n(&to[0], turn, __ATOMIC_RELEASE);
    }
}

static void send_signal(uint64_t at, uint64_t flag_at, uint64_t turn, const uint64_t *data)
{
    const ompl_flag_t flag = {turn, {0, 0, 0}};
    ompl_put_signal(data, 1 - rank, at, sizeof *data, flag_at, &flag);
}

static void send_two_calls(uint64_t at, uint64_t flag_at, uint64_t turn, const uint64_t *data)
{
    const ompl_flag_t flag = {turn, {0, 0, 0}};
    ompl_put(data, 1 - rank, at, sizeof *data);
    ompl_put_flag(1 - rank, flag_at, &flag);
}

static void pong(uint64_t at, uint64_t flag_at, uint64_t turn, uint64_t *data,
                 void (*send)(uint64_t, uint64_t, uint64_t, const uint64_t *))
{
    if (rank == 0) send(at, flag_at, turn, data);
    ompl_wait_until(flag_at, OMPL_EQ, turn, OMPL_FOREVER, 0, NULL);
    memcpy(data, (const uint8_t *)mine + at, sizeof *data);
    if (rank == 1) send(at, flag_at, turn, data);
}

static void one_line(uint64_t turn, uint64_t *data)
{
    pong(SAME + 32, SAME, turn, data, send_signal);
}

static void one_line_in_two_calls(uint64_t turn, uint64_t *data)
{
    pong(SAME + 32, SAME, turn, data, send_two_calls);
}

static void two_lines(uint64_t turn, uint64_t *data)
{
    pong(APART + 128, APART, turn, data, send_signal);
}

static const struct {
    const char *name;
    exchange run;
} kinds[] = {{"bare line", bare},
             {"put_signal, one line", one_line},
             {"put + put_flag, one line", one_line_in_two_calls},
             {"put_signal, two lines", two_lines}};

#define KINDS (sizeof kinds / sizeof *kinds)

static double series(exchange run, uint64_t *turn)
{
    uint64_t data = word_at(1, *turn), expected = data, start = 0;
    for (int i = 0; i <= PINGS; i++) {
        if (i == 1) start = hy_now_ns();
        run(++*turn, &data);
    }
    CHECK(rank == 1 || data == expected);
    return (double)(hy_now_ns() - start) / PINGS / 2;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(double times[KINDS][MOST_ROUNDS], int rounds)
{
    for (size_t k = 0; k < KINDS; k++) qsort(times[k], (size_t)rounds, sizeof(double), compare);
    for (size_t k = 0; k < KINDS; k++)
        printf("%-26s median %8.1f ns   fastest %8.1f ns   %5.2f x\n", kinds[k].name,
               times[k][rounds / 2], times[k][0], times[k][rounds / 2] / times[0][rounds / 2]);
}

/* The bare line needs addresses. */
static void find_parts(void)
{
    const hy_job *job = hy_process_job();
    mine = ompl_memory();
    uint64_t place = hy_job_heap_offset(job, mine, BYTES);
    CHECK_OK(ompl_put(&place, 1 - rank, BYTES - 8, sizeof place));
    barrier();
    memcpy(&place, (uint8_t *)mine + BYTES - 8, sizeof place);
    theirs = job->eps[1 - rank].part + place;
}

int main(int argc, char **argv)
{
    static double times[KINDS][MOST_ROUNDS];
    int rounds = argc > 1 ? atoi(argv[1]) : 200;
    uint64_t turns[KINDS] = {0};
    start_ranks(2);
    CHECK(size == 2 && rounds >= 1 && rounds <= MOST_ROUNDS);
    CHECK_OK(ompl_init(BYTES));
    find_parts();
    for (int i = 0; i < rounds; i++) {
        for (size_t k = 0; k < KINDS; k++) times[k][i] = series(kinds[k].run, &turns[k]);
    }
    if (rank == 0) report(times, rounds);
    barrier();
    CHECK_OK(ompl_finalize());
    end_ranks();
    return 0;
}
