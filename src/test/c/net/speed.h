/* SPDX-License-Identifier: Apache-2.0 */
/* Speed of a network beside a program that others measure theirs by: two ranks and that program's
 * two processes play in turn, round by round, so that all see the same machine. Each program that
 * includes this takes ROUNDS and TURNS. */
#ifndef HY_TEST_NET_SPEED_H
#define HY_TEST_NET_SPEED_H

#include "net/fixture.h"

#define MOST_ROUNDS 100

static int rounds_wanted = 5;
static uint64_t turns = 1000; /* of a short message */
static uint64_t turn;         /* ever */

static inline int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts them. */
static inline double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

/* Becomes the other program's server or client that plays this. */
typedef void (*become)(size_t what, bool client);

static inline pid_t start_theirs(become it, size_t what, bool client, int out, int errors)
{
    pid_t child = fork();
    CHECK(child >= 0);
    if (child) return child;
    dup2(out, STDOUT_FILENO);
    if (errors >= 0) dup2(errors, STDERR_FILENO);
    it(what, client);
    _exit(127);
}

/* What its client says; false: it is not there. The server has `us` to begin. */
static inline bool hear_theirs(become it, size_t what, useconds_t us, char *text, size_t room)
{
    int out[2], nothing = open("/dev/null", O_WRONLY), status = 0;
    size_t used = 0;
    CHECK(pipe(out) == 0);
    pid_t server = start_theirs(it, what, false, nothing, nothing);
    usleep(us);
    pid_t client = start_theirs(it, what, true, out[1], -1);
    close(out[1]);
    for (ssize_t n; (n = read(out[0], text + used, room - 1 - used)) > 0;) used += (size_t)n;
    text[used] = '\0';
    close(out[0]);
    close(nothing);
    waitpid(client, &status, 0);
    if (status) kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    return status == 0;
}

/* The turn of others: rank 1 waits without a sound until rank 0 has been through it; its progress
 * thread still answers. */
static inline double play_other(member *me, double (*play)(size_t what), size_t what)
{
    static uint64_t played;
    double result = 0;
    played++;
    if (me->rank == 0) {
        result = play(what);
        me->w->note[0] = played;
    }
    while (me->w->note[0] < played) usleep(2000);
    return result;
}

static void (*play_all)(member *me);

static inline void play_and_leave(member *me)
{
    alarm(0);
    join(me);
    meet(me);
    play_all(me);
    fflush(stdout);
    meet(me);
    leave(me);
}

static inline int run_speed(int argc, char **argv, void (*all)(member *))
{
    if (argc > 1) rounds_wanted = atoi(argv[1]);
    if (argc > 2) turns = strtoull(argv[2], NULL, 10);
    if (rounds_wanted < 1 || rounds_wanted > MOST_ROUNDS || turns < 10) return 2;
    play_all = all;
    run_stories(2, play_and_leave);
    return 0;
}

#endif
