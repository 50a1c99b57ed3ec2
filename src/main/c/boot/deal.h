/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dealing rule: how numbers are dealt out to places, as cards to players: `block` numbers in a
 * row to one place, then as many to the next, round and round, beginning at place `first`. A place
 * numbers what it has got from 0 (the index). One round is a distribution by blocks, blocks of one
 * number are a cyclic one. So "which place has number n, and where?" is arithmetic: two
 * multiplications, by reciprocals, because a division takes as long as a miss of a cache.
 */
#ifndef HY_BOOT_DEAL_H
#define HY_BOOT_DEAL_H

#include <stdbool.h>
#include <stdint.h>

#define HY_DEAL_MOST (1u << 20) /* numbers and places */

typedef struct hy_deal {
    uint32_t count, places, block, first;
    uint64_t per_block, per_round; /* reciprocals of block and places */
} hy_deal;

/* With r = ceil(2^42 / d), n * r >> 42 is n / d for all n below 2^21 and d up to 2^20: r is too
 * large by less than 1, so the product by less than 2^21, and that is less than 2^42 / d. The
 * product has at most 63 bits. */
#define HY_DEAL_SHIFT 42

static inline uint64_t hy_deal_reciprocal(uint32_t divisor)
{
    return ((UINT64_C(1) << HY_DEAL_SHIFT) + divisor - 1) / divisor;
}

static inline uint32_t hy_deal_divide(uint32_t number, uint64_t reciprocal)
{
    return (uint32_t)(number * reciprocal >> HY_DEAL_SHIFT);
}

/* count, places, block: 1 to HY_DEAL_MOST; first: below places. */
static inline hy_deal hy_deal_make(uint32_t count, uint32_t places, uint32_t block, uint32_t first)
{
    return (hy_deal){.count = count,
                     .places = places,
                     .block = block,
                     .first = first,
                     .per_block = hy_deal_reciprocal(block),
                     .per_round = hy_deal_reciprocal(places)};
}

/* Whether this is what hy_deal_make() makes of valid arguments: for a rule from shared memory. */
bool hy_deal_is_valid(const hy_deal *deal);

/* The place of a number below count, and its index there. */
static inline uint32_t hy_deal_place(const hy_deal *deal, uint32_t number, uint32_t *index)
{
    uint32_t card = hy_deal_divide(number, deal->per_block);
    uint32_t turn = card + deal->first;
    uint32_t round = hy_deal_divide(turn, deal->per_round);
    uint32_t place = turn - round * deal->places;
    /* the places before the first one get nothing in round 0 */
    *index = (round - (place < deal->first)) * deal->block + (number - card * deal->block);
    return place;
}

/* The number at this index of a place; UINT32_MAX: the place has no such index. */
uint32_t hy_deal_number(const hy_deal *deal, uint32_t place, uint32_t index);

/* How many numbers a place, or all places before it, have got. */
uint32_t hy_deal_count(const hy_deal *deal, uint32_t place);
uint32_t hy_deal_before(const hy_deal *deal, uint32_t place);

#endif
