/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of a player that are no collectives (OP_PINGPONG and behind), over MPI. */
#ifndef HAYATE_BENCH_MPI_PLAYER_MESSAGES_H
#define HAYATE_BENCH_MPI_PLAYER_MESSAGES_H

#include "../c/player.h"

/* 0; -1: not with so many ranks. */
int messages_open(struct player_case *one);
/* Performs one, with other data each time; aborts when they are wrong. */
void messages_call(struct player_case *one);
void messages_close(struct player_case *one);

#endif
