/* SPDX-License-Identifier: Apache-2.0 */
/* The referee's side of the players: starts them, sends orders to all ranks of one, and collects
 * what they answer. A player that fails or does not answer is ended and named on stderr; it is
 * started again for the next case, a few times. Single-threaded. */
#ifndef HAYATE_BENCH_REFEREE_PLAYERS_H
#define HAYATE_BENCH_REFEREE_PLAYERS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define MAX_PLAYERS 8
#define MAX_RANKS 64
#define MAX_ANSWER 2048

struct players; /* those of one run */

struct player_process {
    struct players *all;
    const char *command; /* gets RANKS FOLDER PLAYER as arguments */
    int index;
    pid_t pid; /* of the launcher, which leads a process group; 0: does not run */
    int starts;
    int orders[MAX_RANKS], replies;
    char answers[MAX_RANKS][MAX_ANSWER]; /* of the last order, without rank and newline */
    char left[MAX_ANSWER];               /* part of a line */
    size_t left_length;
};

struct players {
    const char *folder;
    int ranks, count, failures;
    struct player_process player[MAX_PLAYERS];
};

/* Starts those that do not run and may be started. */
void players_start(struct players *players);

/* Has all of them end: closes their orders and waits a little before it kills. */
void players_end(struct players *players);

/* Sends a line to all ranks and waits for all answers. 0, or -1: the player is gone. */
int player_ask(struct player_process *player, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether the player has introduced itself with that series; `known` was its answer then. */
int player_has(const char *known, const char *series);

#endif
