/* SPDX-License-Identifier: Apache-2.0 */
/* Dealing rules against dealing card by card. */
#include "base/test.h"

#include <stdlib.h>

#include "boot/deal.h"
#include "base/random_fixture.h"

/* Deals card by card, and compares. */
static void compare(uint32_t count, uint32_t places, uint32_t block, uint32_t first)
{
    const hy_deal deal = hy_deal_make(count, places, block, first);
    uint32_t *held = calloc(places, sizeof *held), place = first;
    assert_true(hy_deal_is_valid(&deal));
    for (uint32_t number = 0; number < count; number++) {
        uint32_t index;
        if (number && number % block == 0) place = (place + 1) % places;
        if (hy_deal_place(&deal, number, &index) != place || index != held[place])
            fail_msg("%u cards, %u places, blocks of %u from %u: card %u is not at (%u, %u)", count,
                     places, block, first, number, place, held[place]);
        assert_int_equal(hy_deal_number(&deal, place, index), number);
        held[place]++;
    }
    for (uint32_t i = 0, sum = 0; i < places; sum += held[i++]) {
        assert_int_equal(hy_deal_count(&deal, i), held[i]);
        assert_int_equal(hy_deal_before(&deal, i), sum);
        assert_int_equal(hy_deal_number(&deal, i, held[i]), UINT32_MAX);
    }
    assert_int_equal(hy_deal_before(&deal, places), count);
    assert_int_equal(hy_deal_number(&deal, places, 0), UINT32_MAX);
    assert_int_equal(hy_deal_count(&deal, places), 0);
    free(held);
}

TEST(should_deal_all_small_hands_card_by_card)
{
    for (uint32_t count = 1; count <= 26; count++)
        for (uint32_t places = 1; places <= 8; places++)
            for (uint32_t block = 1; block <= 9; block++)
                for (uint32_t first = 0; first < places; first++)
                    compare(count, places, block, first);
}

TEST(should_deal_large_hands_card_by_card)
{
    uint64_t seed = 4711;
    compare(HY_DEAL_MOST, HY_DEAL_MOST, 1, HY_DEAL_MOST - 1);
    compare(HY_DEAL_MOST, 1, HY_DEAL_MOST, 0);
    compare(HY_DEAL_MOST, 3, 7, 2);
    for (int i = 0; i < 40; i++) {
        uint32_t places = 1 + (uint32_t)random_below(&seed, 1 << (1 + i / 2));
        compare(1 + (uint32_t)random_below(&seed, HY_DEAL_MOST), places,
                1 + (uint32_t)random_below(&seed, 1 << (20 - i / 2)),
                (uint32_t)random_below(&seed, places));
    }
}

TEST(should_divide_exactly_by_every_number)
{
    for (uint32_t divisor = 1; divisor <= HY_DEAL_MOST; divisor++) {
        uint64_t reciprocal = hy_deal_reciprocal(divisor);
        uint32_t most = 2 * HY_DEAL_MOST - 1, last = most / divisor;
        for (uint32_t q = last, tries = 0; tries < 3 && q > 0; q = tries++ == 0 ? last / 2 : 1) {
            assert_int_equal(hy_deal_divide(q * divisor, reciprocal), q);
            assert_int_equal(hy_deal_divide(q * divisor - 1, reciprocal), q - 1);
        }
        assert_int_equal(hy_deal_divide(most, reciprocal), last);
    }
}

TEST(should_refuse_what_no_rule_makes)
{
    const hy_deal good = hy_deal_make(100, 7, 3, 2);
    assert_true(hy_deal_is_valid(&good));
    hy_deal bad[8];
    for (int i = 0; i < 8; i++) bad[i] = good;
    bad[0].count = 0;
    bad[1].count = HY_DEAL_MOST + 1;
    bad[2].places = 0;
    bad[3].block = UINT32_MAX;
    bad[4].first = 7;
    bad[5].per_block++;
    bad[6].per_round = UINT64_MAX;
    bad[7].places = 8; /* with the reciprocal of 7 */
    for (int i = 0; i < 8; i++) assert_false(hy_deal_is_valid(&bad[i]));
}

int main(void)
{
    return tests_run();
}
