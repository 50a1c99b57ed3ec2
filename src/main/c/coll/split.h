/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splits: the members of a communicator make new ones of some of them, several at once.
 *
 * In hy_split_begin() they exchange which of the new communicators each member joins. Then a member
 * may prepare what else belongs to its communicators, by itself: nobody uses them yet. In
 * hy_split_agree() they exchange whether all of them succeeded. So all members get what they have
 * asked for, or all get an error; only when a member dies or leaves meanwhile, some may have
 * succeeded.
 */
#ifndef HY_COLL_SPLIT_H
#define HY_COLL_SPLIT_H

#include "coll/create.h"

/* One of the new communicators. Members with the same color form one, ordered by key, then by their
 * order in the parent. Below 0: this member joins none. */
typedef struct hy_split_part {
    int color, key;
    hy_creation made; /* by hy_split_begin(); its number is valid after the end */
} hy_split_part;

typedef struct hy_split {
    hy_comms *comms;
    hy_comm *from; /* which this split uses until its end; NULL: it could not begin */
    hy_split_part *parts;
    int count;
    bool met; /* the first exchange succeeded */
} hy_split;

/* Collective over the communicator `from`, as the two functions behind it, which are called in any
 * case. count: at most HY_SPLIT_PARTS, the same on all members. rc: not 0 if this member has failed
 * already, which it then tells the others. ARGUMENT, BUSY and CLOSED are errors of this member
 * alone, which has not taken part. MISMATCH, PEER_FAILED: `from` is broken. */
int hy_split_begin(hy_split *split, hy_comms *comms, int from, hy_split_part *parts, int count,
                   int rc);
/* rc: the outcome on this member so far. Returns its error, or that of another member. */
int hy_split_agree(hy_split *split, int rc);
/* rc: what hy_split_agree() has returned. 0: everybody can find the communicators from now on;
 * else they are freed. */
void hy_split_end(hy_split *split, int rc);

#endif
