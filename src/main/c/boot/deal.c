/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of dealing rules that need no speed. */
#include "boot/deal.h"

bool hy_deal_is_valid(const hy_deal *deal)
{
    if (deal->count < 1 || deal->count > HY_DEAL_MOST) return false;
    if (deal->places < 1 || deal->places > HY_DEAL_MOST) return false;
    if (deal->block < 1 || deal->block > HY_DEAL_MOST || deal->first >= deal->places) return false;
    return deal->per_block == hy_deal_reciprocal(deal->block) &&
           deal->per_round == hy_deal_reciprocal(deal->places);
}

/* The places in the order in which they get their first block. */
static uint64_t turn_of(const hy_deal *deal, uint32_t place)
{
    return place >= deal->first ? place - deal->first : place + deal->places - deal->first;
}

uint32_t hy_deal_number(const hy_deal *deal, uint32_t place, uint32_t index)
{
    if (place >= deal->places) return UINT32_MAX;
    uint64_t round = index / deal->block;
    uint64_t number = (round * deal->places + turn_of(deal, place)) * deal->block +
                      index % deal->block;
    return number < deal->count ? (uint32_t)number : UINT32_MAX;
}

static uint64_t full_round(const hy_deal *deal)
{
    return (uint64_t)deal->places * deal->block;
}

/* Of the last round, which is not complete. */
static uint64_t share(uint64_t rest, uint64_t turn, uint32_t block)
{
    if (rest <= turn * block) return 0;
    return rest - turn * block < block ? rest - turn * block : block;
}

uint32_t hy_deal_count(const hy_deal *deal, uint32_t place)
{
    if (place >= deal->places) return 0;
    uint64_t full = deal->count / full_round(deal), rest = deal->count % full_round(deal);
    return (uint32_t)(full * deal->block + share(rest, turn_of(deal, place), deal->block));
}

/* Those before `first` come last in a round. */
uint32_t hy_deal_before(const hy_deal *deal, uint32_t place)
{
    if (place >= deal->places) return deal->count;
    uint64_t full = deal->count / full_round(deal), rest = deal->count % full_round(deal);
    uint64_t first = (uint64_t)(deal->places - deal->first) *
                     deal->block;                    /* up to the last place */
    uint64_t late = rest > first ? rest - first : 0; /* of the places before `first` */
    uint64_t sum = full * deal->block * place;
    if (place <= deal->first) {
        uint64_t most = (uint64_t)place * deal->block;
        return (uint32_t)(sum + (late < most ? late : most));
    }
    uint64_t most = (uint64_t)(place - deal->first) * deal->block;
    uint64_t early = rest - late;
    return (uint32_t)(sum + late + (early < most ? early : most));
}
