/* SPDX-License-Identifier: Apache-2.0 */
/* A spawner that comes to an end of its own: `pvas_spawner_program END COUNT PROGRAM WORDS...`
 * starts COUNT tasks, says their pids, waits for a line, and ends as END says. */
#include <hayate/pvas.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int space;

static int failed(const char *what, int code)
{
    printf("%s gave %d: %s\n", what, code, hayate_error());
    fflush(stdout);
    return code == HAYATE_ERR_UNSUPPORTED ? 77 : 3;
}

static void *exit_of_a_thread(void *argument)
{
    exit(argument ? 1 : 0);
}

static int end_as(const char *end)
{
    pthread_t thread;
    if (strcmp(end, "fault") == 0) *(volatile int *)(volatile uintptr_t){8} = 1;
    if (strcmp(end, "abort") == 0) abort();
    if (strcmp(end, "child") == 0 && fork() != 0) kill(getpid(), SIGKILL);
    if (strcmp(end, "destroy") == 0) return pvas_destroy(space);
    if (strcmp(end, "thread") == 0) pthread_create(&thread, NULL, exit_of_a_thread, NULL);
    if (strcmp(end, "return") == 0) return 0;
    for (;;) pause();
}

int main(int argc, char **argv)
{
    int code, task, count = argc > 3 ? atoi(argv[2]) : 0;
    pid_t pid;
    char c;
    if (argc < 4) return 2;
    if ((code = pvas_create((unsigned)count, UINT64_C(1) << 30, &space))) {
        failed("pvas_create", code);
        return code == HAYATE_ERR_NO_MEMORY ? 4 : 3;
    }
    for (int i = 0; i < count; i++) {
        code = pvas_spawn(space, argv[3], argv + 3, NULL, NULL, &task, &pid);
        if (code) return failed("pvas_spawn", code);
        printf("pid %d\n", (int)pid);
    }
    printf("spawned\n");
    fflush(stdout);
    if (read(0, &c, 1) < 0) return 5;
    return end_as(argv[1]);
}
