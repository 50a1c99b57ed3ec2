/* SPDX-License-Identifier: Apache-2.0 */
/* Members that disagree learn from two cookies in what. */
#include <string.h>

#include "base/test.h"
#include "exec/cookie.h"

static void assert_says(uint32_t theirs, const char *words)
{
    const uint32_t mine = hy_cookie(HY_COLL_REDUCE, 5, 1, 77, 3);
    char text[240];
    int length = hy_cookie_text(mine, theirs, false, 2, text, sizeof text);
    assert_in_range(length, 1, sizeof text - 1);
    if (!strstr(text, words)) fail_msg("\"%s\" does not say \"%s\"", text, words);
}

TEST(should_name_the_argument_that_differs)
{
    assert_says(hy_cookie(HY_COLL_REDUCE, 5, 3, 77, 9), "reduce: rank 2 passes another root");
    assert_says(hy_cookie(HY_COLL_REDUCE, 5, 1, 78, 9), "reduce: rank 2 passes another size");
    assert_says(hy_cookie(HY_COLL_REDUCE, 6, 1, 77, 9), "reduce: rank 2 passes another reduction");
    assert_says(hy_cookie(HY_COLL_REDUCE, 5, 1, 77, 9), "other settings");
    assert_says(hy_cookie(HY_COLL_REDUCE, 5, 1, 77, 3), "another size");
}

TEST(should_speak_of_blocks_if_their_lengths_are_unequal)
{
    char text[240];
    hy_cookie_text(hy_cookie(HY_COLL_ALLGATHER, 0, 0, 77, 3),
                   hy_cookie(HY_COLL_ALLGATHER, 0, 0, 78, 9), true, 2, text, sizeof text);
    assert_non_null(strstr(text, "rank 2 passes other sizes or offsets of blocks than this rank"));
}

/* Numbers of calls have 8 bits. */
TEST(should_tell_whose_call_is_ahead)
{
    const uint32_t calls[][2] = {{1, 2}, {255, 256}, {1023, 1024}};
    for (int i = 0; i < 3; i++) {
        uint32_t one = hy_cookie(HY_COLL_GATHER, 0, 1, calls[i][0], 3),
                 next = hy_cookie(HY_COLL_GATHER, 0, 1, calls[i][1], 3);
        assert_int_equal(hy_cookie_ahead(one, next), 1);
        assert_int_equal(hy_cookie_ahead(next, one), -1);
        assert_int_equal(hy_cookie_ahead(one, one), 0);
    }
}

TEST(should_name_both_collectives)
{
    assert_says(hy_cookie(HY_COLL_EXSCAN, 5, 1, 77, 3), "it in exscan, this rank in reduce");
    assert_says(HY_COOKIE_SETUP | 0x706c69, "it in the set-up of a communicator");
    assert_says(UINT32_C(14) << 28, "it in the set-up"); /* whatever a peer sends */
}

/* The bits are full: numbers that do not fit must not spill into others. */
TEST(should_keep_large_numbers_apart)
{
    assert_int_equal(hy_cookie(HY_COLL_BCAST, 128, 64, 256, 128),
                     hy_cookie(HY_COLL_BCAST, 0, 0, 0, 0));
    assert_int_equal(hy_cookie(HY_COLL_EXSCAN, 127, 63, 255, 127), UINT32_C(0xafffffff));
}

int main(void)
{
    return tests_run();
}
