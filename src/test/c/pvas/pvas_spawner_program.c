/* SPDX-License-Identifier: Apache-2.0 */
/* A spawner that comes to an end of its own: `pvas_spawner_program END COUNT PROGRAM WORDS...`
 * starts COUNT tasks, says their pids, waits for a line, and ends as END says; "again": starts
 * another task before, and waits. It handles SIGUSR1, which its tasks must not inherit. */
#include <hayate/pvas.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int space;

static void nothing(int number)
{
    (void)number;
}

static int failed(const char *what, int code)
{
    printf("%s gave %d: %s\n", what, code, hayate_error());
    fflush(stdout);
    return code == HAYATE_ERR_UNSUPPORTED ? 77 : code == HAYATE_ERR_NO_MEMORY ? 4 : 3;
}

static int start(int count, char **words)
{
    int task;
    pid_t pid;
    for (int i = 0; i < count; i++) {
        int code = pvas_spawn(space, words[0], words, NULL, NULL, &task, &pid);
        if (code) return failed("pvas_spawn", code);
        printf("pid %d\n", (int)pid);
    }
    printf("spawned\n");
    fflush(stdout);
    return 0;
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
    int code, count = argc > 3 ? atoi(argv[2]) : 0;
    char c;
    if (argc < 4) return 2;
    signal(SIGUSR1, nothing);
    if ((code = pvas_create((unsigned)count + 1, UINT64_C(1) << 30, &space)))
        return failed("pvas_create", code);
    if ((code = start(count, argv + 3))) return code;
    if (read(0, &c, 1) < 0) return 5;
    if (strcmp(argv[1], "again") == 0 && (code = start(1, argv + 3))) return code;
    return end_as(argv[1]);
}
