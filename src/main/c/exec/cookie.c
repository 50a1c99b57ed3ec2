/* SPDX-License-Identifier: Apache-2.0 */
/* Says in words in what two cookies differ. */
#include "exec/cookie.h"

#include <stdio.h>

static unsigned bits_of(uint32_t cookie, int from, int count)
{
    return cookie >> from & ((1u << count) - 1);
}

static const char *cookie_coll(uint32_t cookie)
{
    unsigned coll = bits_of(cookie, 28, 4);
    return coll < HY_COLL_COUNT ? hy_coll_name((hy_coll)coll)
                                : "the set-up of a communicator or a persistent collective";
}

int hy_cookie_text(uint32_t mine, uint32_t theirs, bool uneven, int peer, char *text, size_t size)
{
    uint32_t differ = mine ^ theirs;
    const char *what = "another size, root or reduction, or has other settings, rules or tuning";
    if (!differ)
        return snprintf(
            text, size,
            "%s: rank %d passes another size for the block between them than this rank, or "
            "has passed other arguments in an earlier call: check what both pass",
            cookie_coll(mine), peer);
    if (bits_of(differ, 28, 4))
        return snprintf(text, size,
                        "rank %d is in another collective: it in %s, this rank in %s; all "
                        "members must make the same calls in the same order",
                        peer, cookie_coll(theirs), cookie_coll(mine));
    if (bits_of(differ, 21, 7)) what = "another reduction";
    else if (bits_of(differ, 15, 6)) what = "another root";
    else if (bits_of(differ, 7, 8))
        what = uneven ? "other sizes or offsets of blocks" : "another size";
    return snprintf(text, size,
                    "%s: rank %d passes %s than this rank: all members must pass the "
                    "same",
                    cookie_coll(mine), peer, what);
}
