/* SPDX-License-Identifier: Apache-2.0 */
/* A player is a program on several ranks that measures collectives when the referee (referee.c)
 * tells it to, and sleeps in read() while others have their turn. It may have several series: ways
 * to do the same collective. Referee and ranks talk in lines of text, so that a player can be
 * written in any language (src/bench/README.md has the lines).
 *
 * Any call of a library that fails must end the program itself with a message on stderr: there are
 * no error paths here. What a series does not have is no error: its open() says no. */
#ifndef HAYATE_BENCH_PLAYER_H
#define HAYATE_BENCH_PLAYER_H

#include <stddef.h>
#include <stdint.h>

enum player_op {
    OP_ALLREDUCE,
    OP_BCAST,
    OP_ALLTOALL,
    OP_ALLGATHER,
    OP_REDUCE,
    OP_GATHER,
    OP_SCATTER,
    OP_REDUCE_SCATTER,
    OP_BARRIER,
    OP_INIT, /* a call is the init of an allreduce, not its run */
    /* Messages: the call itself writes, reads and checks the data. */
    OP_PINGPONG, /* there and back, between two */
    OP_RATE,     /* PLAYER_WINDOW from rank 0 to rank 1, and an answer */
    OP_FARM,     /* rank 0 answers whoever sends, until all have sent once */
    OP_PUT,      /* of rank 0 into rank 1, and a flush */
    OP_COUNT
};

#define PLAYER_WINDOW 64

/* Inits of one batch of OP_INIT; they are freed outside of the measured time. */
#define PLAYER_MAX_INITS 16

/* Root of all collectives that have one. */
#define PLAYER_ROOT 0

/* One collective of one size. Sums are of doubles, of one float when `bytes` is 4. */
struct player_case {
    enum player_op op;
    size_t bytes; /* of the whole (bcast, reduce, allreduce), else of one block */
    size_t count; /* elements of bytes */
    int floats;
    int salt; /* of the data of a check, so that no run finds those of the one before */
    int rank, size;
    unsigned char *in, *out;
    unsigned char *result; /* in or out; open() sets it, out is what is there before */
    const char *choice;    /* what the library says about its choice, or NULL; open() may set it */
    int inits;             /* calls of OP_INIT since the last settle() */
    void *handles[PLAYER_MAX_INITS]; /* the series' own; [0] is open()'s */
};

struct player_series {
    const char *name;
    const char *memory; /* handed to the library's alloc() */
    /* 0: this series has it, and it is prepared. Else nothing was done. Collective. */
    int (*open)(struct player_case *one);
    /* One call is start() (NULL: nothing) and finish(). poll() in between (NULL: nothing) is for
     * the measurement of overlap. */
    void (*start)(struct player_case *one);
    void (*poll)(struct player_case *one);
    void (*finish)(struct player_case *one);
    void (*settle)(struct player_case *one); /* gives OP_INIT's handles back; or NULL */
    void (*close)(struct player_case *one);  /* or NULL */
};

struct player_library {
    const char *impl;                   /* of messages on stderr */
    const struct player_series *series; /* a NULL name ends */
    int (*rank)(void);
    int (*size)(void);
    void *(*alloc)(size_t bytes, const char *memory); /* aligned to a page, never NULL */
    void (*release)(void *memory, const char *kind);
    void (*barrier)(void);
    void (*abort)(void); /* ends all ranks with a non-zero code; does not return */
};

/* Plays until the referee has gone: FOLDER PLAYER are the arguments. Exit code of the program. */
int player_main(const struct player_library *library, int argc, char **argv);

/* Bytes of in and out that a case wants on this rank. */
size_t player_in_bytes(const struct player_case *one);
size_t player_out_bytes(const struct player_case *one);

/* Data by which mistakes are found, and whether the result is right. (player_data.c) */
void player_fill(struct player_case *one);
int player_right(const struct player_case *one);
/* Zeros stay zeros however often they are summed. */
void player_clear(struct player_case *one);
/* What a program does around a measured call: it writes what it gives before, and reads what it has
 * got after; one number of each cache line (lines.h). The numbers are small enough to be exact in a
 * float when they are summed. Not for OP_INIT and OP_BARRIER. Whether they are right. */
void player_write(struct player_case *one, unsigned turn);
int player_read(const struct player_case *one, unsigned turn);

#endif
