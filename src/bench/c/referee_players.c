/* SPDX-License-Identifier: Apache-2.0 */
#include "referee_players.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_STARTS 3
#define ANSWER_SECONDS 20
#define START_SECONDS 60
#define END_SECONDS 5
#define MAX_PATH 4096

/* Pipe of a rank, or of the answers for rank -1. */
static const char *path_of(const struct player_process *player, int rank)
{
    static char path[MAX_PATH];
    char name[16];

    snprintf(name, sizeof name, rank < 0 ? "replies" : "%d", rank);
    snprintf(path, sizeof path, "%s/%d.%s", player->all->folder, player->index, name);
    return path;
}

static int *pipe_of(struct player_process *player, int rank)
{
    return rank < 0 ? &player->replies : &player->orders[rank];
}

static void close_pipes(struct player_process *player)
{
    for (int rank = -1; rank < player->all->ranks; rank++) {
        int *fd = pipe_of(player, rank);

        if (*fd > 0) {
            close(*fd);
            unlink(path_of(player, rank));
        }
        *fd = 0;
    }
    player->left_length = 0;
}

static void fail(struct player_process *player, const char *why)
{
    fprintf(stderr, "referee: %s: %s\n", player->command, why);
    player->all->failures++;
    kill(-player->pid, SIGKILL);
    waitpid(player->pid, NULL, 0);
    player->pid = 0;
    close_pipes(player);
}

/* Read and write, so that neither opening nor reading depends on the other side being there. */
static int make_pipe(const char *path)
{
    int fd;

    unlink(path);
    fd = mkfifo(path, 0600) == 0 ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0) {
        fprintf(stderr, "referee: %s: %s\n", path, strerror(errno));
        exit(1);
    }
    return fd;
}

static void make_pipes(struct player_process *player)
{
    for (int rank = -1; rank < player->all->ranks; rank++)
        *pipe_of(player, rank) = make_pipe(path_of(player, rank));
}

/* The launcher; what it and the ranks print goes to stderr, stdout is the referee's. */
static void run_launcher(struct player_process *player)
{
    char line[MAX_PATH];
    int null = open("/dev/null", O_RDONLY);

    setpgid(0, 0);
    dup2(null, 0);
    dup2(2, 1);
    snprintf(line, sizeof line, "exec %s %d '%s' %d", player->command, player->all->ranks,
             player->all->folder, player->index);
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
}

/* Puts one line "RANK TEXT" where it belongs; its length with the newline, 0: not whole yet. */
static size_t take_line(struct player_process *player)
{
    char *newline = memchr(player->left, '\n', player->left_length);
    char *text;
    long rank;

    if (!newline) return 0;
    *newline = '\0';
    rank = strtol(player->left, &text, 10);
    if (rank < 0 || rank >= player->all->ranks || *text != ' ') return 0;
    snprintf(player->answers[rank], MAX_ANSWER, "%s", text + 1);
    return (size_t)(newline - player->left) + 1;
}

static int take_lines(struct player_process *player)
{
    size_t length;
    int lines = 0;

    while ((length = take_line(player)) > 0) {
        player->left_length -= length;
        memmove(player->left, player->left + length, player->left_length);
        lines++;
    }
    return lines;
}

/* One answer of each rank. The time limit holds for all of them together. */
static int collect(struct player_process *player, int limit)
{
    int missing = player->all->ranks;

    for (int seconds = 0; missing > 0;) {
        struct pollfd ready = {player->replies, POLLIN, 0};
        ssize_t got;

        if (poll(&ready, 1, 1000) == 0) {
            if (waitpid(player->pid, NULL, WNOHANG) == player->pid) {
                fail(player, "ended");
                return -1;
            }
            if (++seconds == limit) {
                fail(player, "does not answer");
                return -1;
            }
            continue;
        }
        got = read(player->replies, player->left + player->left_length,
                   sizeof player->left - player->left_length);
        if (got > 0) player->left_length += (size_t)got;
        missing -= take_lines(player);
        if (got <= 0 || player->left_length == sizeof player->left) {
            fail(player, "wrote nonsense");
            return -1;
        }
    }
    return 0;
}

static void start(struct player_process *player)
{
    player->starts++;
    make_pipes(player);
    player->pid = fork();
    if (player->pid == 0) run_launcher(player);
    if (player->pid < 0) {
        perror("referee: fork");
        exit(1);
    }
    setpgid(player->pid, player->pid);
    collect(player, START_SECONDS);
}

void players_start(struct players *players)
{
    for (int i = 0; i < players->count; i++) {
        struct player_process *player = &players->player[i];

        player->all = players;
        player->index = i;
        if (player->pid == 0 && player->starts < MAX_STARTS) start(player);
    }
}

void players_end(struct players *players)
{
    for (int i = 0; i < players->count; i++) close_pipes(&players->player[i]);
    for (int i = 0; i < players->count; i++) {
        struct player_process *player = &players->player[i];

        if (player->pid == 0) continue;
        for (int tick = 0; tick < END_SECONDS * 100 && player->pid; tick++) {
            if (waitpid(player->pid, NULL, WNOHANG) == player->pid) player->pid = 0;
            else usleep(10000);
        }
        if (player->pid) fail(player, "does not end");
    }
}

int player_ask(struct player_process *player, const char *format, ...)
{
    char line[512];
    va_list arguments;

    if (player->pid == 0) return -1;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (int i = 0; i < player->all->ranks; i++)
        if (write(player->orders[i], line, strlen(line)) < 0) {
            fail(player, "cannot be told anything");
            return -1;
        }
    return collect(player, ANSWER_SECONDS);
}

int player_has(const char *known, const char *series)
{
    size_t length = strlen(series);

    for (const char *at = known; (at = strstr(at, series)) != NULL; at += length)
        if (at > known && at[-1] == ' ' && (at[length] == ' ' || at[length] == '\0')) return 1;
    return 0;
}
