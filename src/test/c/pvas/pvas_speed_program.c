/* SPDX-License-Identifier: Apache-2.0 */
/* What a task costs beside a process: `pvas_speed_program [ROUNDS [MEGABYTES]]` prints, in
 * microseconds, what pvas_spawn() takes, and spawn, exit, wait and reclaim together, in turn with
 * posix_spawn() of the same program, small and with MEGABYTES (1024) resident. On a machine that
 * does other things, too, the least values tell most. */
#include <hayate/pvas.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

typedef struct series {
    const char *name;
    double *us;
    int count;
} series;

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort(series *s)
{
    qsort(s->us, (size_t)s->count, sizeof *s->us, compare);
}

static void print(const char *size, const series *s)
{
    printf("%-8s %-29s min %7.1f  10 %% %7.1f  median %7.1f  99 %% %8.1f us\n", size, s->name,
           s->us[0], s->us[s->count / 10], s->us[s->count / 2], s->us[s->count * 99 / 100]);
}

static void print_ratio(const char *size, const series *task, const series *process)
{
    int tenth = task->count / 10;
    printf("%-8s %-29s min %7.2f  10 %% %7.2f\n", size, "  task / process",
           task->us[0] / process->us[0], task->us[tenth] / process->us[tenth]);
}

static void give_up(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, hayate_error());
    exit(1);
}

static void time_task(int space, char *const *words, series *call, series *life)
{
    pvas_status status;
    int task;
    double start = now_us();
    if (pvas_spawn(space, words[0], words, environ, NULL, &task, NULL)) give_up("pvas_spawn");
    double called = now_us();
    if (pvas_wait(space, task, -1, &status)) give_up("pvas_wait");
    if (pvas_reclaim(space, task)) give_up("pvas_reclaim");
    double end = now_us();
    if (!status.exited || status.code != 0) give_up("the task failed");
    call->us[call->count++] = called - start;
    life->us[life->count++] = end - start;
}

static void time_process(char *const *words, series *call, series *life)
{
    pid_t pid;
    int status;
    double start = now_us();
    if (posix_spawn(&pid, words[0], NULL, NULL, words, environ) != 0) give_up("posix_spawn");
    double called = now_us();
    if (waitpid(pid, &status, 0) != pid || status != 0) give_up("waitpid");
    double end = now_us();
    call->us[call->count++] = called - start;
    life->us[life->count++] = end - start;
}

static void run(int space, int rounds, const char *size, char *const *words)
{
    const char *const names[] = {"pvas_spawn", "posix_spawn", "pvas_spawn+exit+wait+reclaim",
                                 "posix_spawn+exit+wait"};
    series all[4];
    for (int i = 0; i < 4; i++)
        all[i] = (series){names[i], malloc((size_t)rounds * sizeof(double)), 0};
    for (int i = -rounds / 10; i < rounds; i++) {
        if (i == 0) all[0].count = all[1].count = all[2].count = all[3].count = 0;
        time_task(space, words, &all[0], &all[2]);
        time_process(words, &all[1], &all[3]);
    }
    for (int i = 0; i < 4; i++) sort(&all[i]);
    for (int i = 0; i < 4; i++) print(size, &all[i]);
    print_ratio(size, &all[0], &all[1]);
    print_ratio(size, &all[2], &all[3]);
    for (int i = 0; i < 4; i++) free(all[i].us);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 500, space;
    size_t megabytes = argc > 2 ? (size_t)atoi(argv[2]) : 1024, bytes = megabytes << 20;
    const char *bin = getenv("HAYATE_TEST_BIN");
    char size[32], path[1024];
    if (!bin || rounds < 10) return 2;
    int code = pvas_create(4, 0, &space);
    if (code == HAYATE_ERR_UNSUPPORTED) return 77;
    if (code) give_up("pvas_create");
    char *big = NULL;
    for (int turn = 0; turn < 2; turn++) {
        snprintf(size, sizeof size, turn ? "%zu MB" : "small", megabytes);
        if (turn) {
            big = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (big == MAP_FAILED) give_up("mmap");
            madvise(big, bytes, MADV_NOHUGEPAGE);
            memset(big, 1, bytes);
        }
        const char *const kinds[] = {"dynamic", "static"};
        for (int i = 0; i < 2; i++) {
            snprintf(path, sizeof path, "%s/pvas/%s/life", bin, kinds[i]);
            char *const words[] = {path, "_exit", "0", NULL};
            printf("%s program:\n", kinds[i]);
            run(space, rounds, size, words);
        }
    }
    return pvas_destroy(space) != 0;
}
