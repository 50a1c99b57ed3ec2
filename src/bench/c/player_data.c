/* SPDX-License-Identifier: Apache-2.0 */
/* What is sent and what must arrive. Blocks are words that tell sender, receiver and place; sums
 * are of small whole numbers, exact in floats. */
#include <string.h>

#include "lines.h"
#include "player.h"

static int sums(const struct player_case *one)
{
    return one->op == OP_ALLREDUCE || one->op == OP_REDUCE || one->op == OP_REDUCE_SCATTER ||
           one->op == OP_INIT;
}

static size_t blocks(const struct player_case *one, size_t count)
{
    return count * one->bytes;
}

static int has_its_own_data(const struct player_case *one)
{
    return one->op == OP_BARRIER || one->op >= OP_INIT;
}

size_t player_in_bytes(const struct player_case *one)
{
    int many = one->op == OP_ALLTOALL || one->op == OP_SCATTER || one->op == OP_REDUCE_SCATTER;

    if (one->op == OP_RATE) return blocks(one, PLAYER_WINDOW);
    return blocks(one, many ? (size_t)one->size : 1);
}

size_t player_out_bytes(const struct player_case *one)
{
    int many = one->op == OP_ALLTOALL || one->op == OP_GATHER || one->op == OP_ALLGATHER;

    return blocks(one, many ? (size_t)one->size : 1);
}

/* First word of the block that `from` has for `to`; the others count up. */
static uint32_t first_word(const struct player_case *one, int from, int to)
{
    return (uint32_t)((one->salt * 64 + from) * 64 + to + 1) * 2654435761u;
}

static void fill_block(const struct player_case *one, unsigned char *block, int from, int to)
{
    uint32_t *words = (uint32_t *)block, first = first_word(one, from, to);

    for (size_t i = 0; i < one->bytes / sizeof *words; i++) words[i] = first + (uint32_t)i;
}

static int filled_block(const struct player_case *one, const unsigned char *block, int from, int to)
{
    const uint32_t *words = (const uint32_t *)block;
    uint32_t first = first_word(one, from, to);

    for (size_t i = 0; i < one->bytes / sizeof *words; i++)
        if (words[i] != first + (uint32_t)i) return 0;
    return 1;
}

static double term(const struct player_case *one, size_t at)
{
    return one->rank + 1 + (double)(at % 7) + one->salt;
}

static double sum(const struct player_case *one, size_t at)
{
    double ranks = one->size;

    return ranks * (ranks + 1) / 2 + ranks * ((double)(at % 7) + one->salt);
}

static void fill_terms(struct player_case *one)
{
    size_t count = player_in_bytes(one) / (one->floats ? sizeof(float) : sizeof(double));

    for (size_t i = 0; i < count; i++)
        if (one->floats) ((float *)one->in)[i] = (float)term(one, i);
        else ((double *)one->in)[i] = term(one, i);
}

static int right_sums(const struct player_case *one)
{
    size_t first = one->op == OP_REDUCE_SCATTER ? (size_t)one->rank * one->count : 0;

    for (size_t i = 0; i < one->count; i++) {
        double is = one->floats ? (double)((const float *)one->result)[i]
                                : ((const double *)one->result)[i];
        if (is != sum(one, first + i)) return 0;
    }
    return 1;
}

void player_fill(struct player_case *one)
{
    size_t in_blocks = one->bytes ? player_in_bytes(one) / one->bytes : 0;

    memset(one->out, 0xee, player_out_bytes(one));
    if (sums(one)) {
        fill_terms(one);
        return;
    }
    for (size_t i = 0; i < in_blocks; i++)
        fill_block(one, one->in + i * one->bytes, one->rank, (int)i);
}

/* Block i of what this rank has got: who sent it, as which of its blocks. */
static int right_block(const struct player_case *one, int i)
{
    int from = one->op == OP_BCAST || one->op == OP_SCATTER ? PLAYER_ROOT : i;
    int to = one->op == OP_ALLTOALL || one->op == OP_SCATTER ? one->rank : 0;

    return filled_block(one, one->result + (size_t)i * one->bytes, from, to);
}

int player_right(const struct player_case *one)
{
    size_t out_blocks = one->bytes ? player_out_bytes(one) / one->bytes : 0;
    int rooted = one->op == OP_REDUCE || one->op == OP_GATHER;

    if (has_its_own_data(one) || (rooted && one->rank != PLAYER_ROOT)) return 1;
    if (sums(one)) return right_sums(one);
    for (size_t i = 0; i < out_blocks; i++)
        if (!right_block(one, (int)i)) return 0;
    return 1;
}

void player_clear(struct player_case *one)
{
    memset(one->in, 0, player_in_bytes(one));
    memset(one->out, 0, player_out_bytes(one));
}

static int gives(const struct player_case *one)
{
    if (has_its_own_data(one)) return 0;
    return (one->op != OP_BCAST && one->op != OP_SCATTER) || one->rank == PLAYER_ROOT;
}

static int gets(const struct player_case *one)
{
    if (has_its_own_data(one)) return 0;
    return (one->op != OP_REDUCE && one->op != OP_GATHER) || one->rank == PLAYER_ROOT;
}

/* The same on all ranks, so that blocks and broadcasts have what everybody wrote. */
static double fresh_number(unsigned turn)
{
    return (double)(turn % 1024);
}

static void write_block(const struct player_case *one, unsigned char *block, double number)
{
    for (size_t at = 0; at < one->bytes; at += LINES_BYTES)
        if (one->floats) *(volatile float *)(block + at) = (float)number;
        else *(volatile double *)(block + at) = number;
}

static double read_block(const struct player_case *one, const unsigned char *block, double wanted)
{
    double off = 0;

    for (size_t at = 0; at < one->bytes; at += LINES_BYTES) {
        double is = one->floats ? (double)*(const volatile float *)(block + at)
                                : *(const volatile double *)(block + at);

        off += is > wanted ? is - wanted : wanted - is;
    }
    return off;
}

void player_write(struct player_case *one, unsigned turn)
{
    size_t bytes = gives(one) ? player_in_bytes(one) : 0;

    for (size_t at = 0; at < bytes; at += one->bytes)
        write_block(one, one->in + at, fresh_number(turn));
}

int player_read(const struct player_case *one, unsigned turn)
{
    size_t bytes = gets(one) ? player_out_bytes(one) : 0;
    double wanted = fresh_number(turn) * (sums(one) ? one->size : 1), off = 0;

    for (size_t at = 0; at < bytes; at += one->bytes)
        off += read_block(one, one->result + at, wanted);
    return off == 0;
}
