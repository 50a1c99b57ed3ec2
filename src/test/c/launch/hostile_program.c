/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A rank of a job with a faulty rank: `hostile_program SEED`. Rank 0 writes one hostile word into
 * the control area, while all exchange messages, and reads the job as `hayate stat` does. Any error
 * will do, but a process that waits in vain ends by itself.
 */
#include <hayate/fmpl.h>

#include <pthread.h>
#include <time.h>

#include "boot/control.h"
#include "fmpl/scenario.h"
#include "init/join.h"
#include "watchdog/look.h"
#include "observe/stat.h"

#define ROUNDS 2000
#define GIVE_UP_S 3

static void *give_up(void *context)
{
    sleep(GIVE_UP_S);
    _exit(0);
    return context;
}

static void exchange(int rounds)
{
    int64_t data = rank, back;
    int ier = 0;
    for (int i = 0; i < rounds && !ier; i++) {
        if (rank == 0) fmpl_send(&data, sizeof data, 1, 0, &ier);
        if (!ier) fmpl_recv(&back, sizeof back, 1 - rank, 0, &ier);
        if (!ier && rank == 1) fmpl_send(&data, sizeof data, 0, 0, &ier);
        if (!ier && i % 100 == 0)
            fmpl_allreduce(&data, 1, FMPL_LONG_SUM, FMPL_COMM_WORLD, NULL, &ier);
    }
}

/* A range of the control area, and the next one begins where it ends. */
static uint64_t pick(const hy_control *control, uint64_t seed)
{
    uint64_t board = hy_control_board_at(control->size), area = control->delegation_at;
    const uint64_t ranges[][2] = {
        {0, sizeof *control},
        {HY_CONTROL_LIVE_AT, hy_control_blocks_at(control->size)},
        {hy_control_blocks_at(control->size), board},
        {board, hy_control_entries_at(control->size)},
        {hy_control_entries_at(control->size), hy_control_list_at(control->size, control->parts)},
        {area, area + (area ? hy_round_up(sizeof(hy_delegation), HY_LINE) + 4096 : 0)}};
    const uint64_t *range = ranges[seed % (area ? 6 : 5)];
    uint64_t word = word_at(seed, 0) % ((range[1] - range[0]) / sizeof(uint32_t));
    return range[0] + word * sizeof(uint32_t);
}

static void scribble(uint64_t seed)
{
    static const uint32_t hostile[] = {0, 1, 0x7ffffff0, 0xfffffff0, UINT32_MAX};
    const hy_boot *boot = &hy_process_job()->boot;
    uint32_t value = hostile[word_at(seed, 1) % 5];
    uint64_t at = pick(boot->control, seed);
    fprintf(stderr, "seed %d: %#x at %llu\n", (int)seed, value, (unsigned long long)at);
    CHECK(pwrite(boot->segment_fd, &value, sizeof value, (off_t)at) == sizeof value);
}

static void look(void)
{
    char text[400];
    hy_view *stat;
    hy_stat_rank one;
    hy_delegation_view view;
    if (hy_stat_open(getpid(), &stat)) return;
    for (int i = 0; i < size; i++) (void)hy_stat_read(stat, i, &one);
    (void)hy_stat_delegatee(stat, &view);
    hy_look *waits = hy_look_take(stat);
    for (uint32_t i = 0; waits && i < waits->wait_count; i++)
        hy_look_print_wait(waits, &waits->waits[i], text, sizeof text);
    hy_look_free(waits);
    hy_stat_close(stat);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    CHECK(argc == 2);
    start_ranks(2);
    CHECK(pthread_create(&thread, NULL, give_up, NULL) == 0);
    exchange(10);
    if (rank == 0) scribble(strtoull(argv[1], NULL, 10));
    exchange(ROUNDS);
    if (rank == 0) look();
    hayate_finalize();
    _exit(0);
}
