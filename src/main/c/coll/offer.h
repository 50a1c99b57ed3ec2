/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A communicator of ranks that have none in common. So they tell each other what belongs to its
 * creation by means of their own, such as messages:
 * each makes an offer and tells all others its record, which holds an error if it has failed; with
 * all records it accepts; and when all know whether everybody has accepted, each ends its offer.
 */
#ifndef HY_COLL_OFFER_H
#define HY_COLL_OFFER_H

#include "coll/create.h"

typedef struct hy_offer hy_offer;

typedef enum hy_verdict {
    HY_OFFER_ACCEPTED, /* by all */
    HY_OFFER_REFUSED,  /* by some; so nobody uses the communicator */
    HY_OFFER_UNKNOWN,  /* others may believe that all have accepted */
} hy_verdict;

/* For a communicator of `ranks` members. NULL: failed, which the record tells. */
hy_offer *hy_offer_make(hy_comms *comms, int ranks, hy_group_record *record);
/* ranks, records: [count], of the members in the order of their numbers; self: that of this rank.
 * records need not be aligned. NO_MEMORY, also if the offer of a member has failed; CORRUPT. */
int hy_offer_accept(hy_offer *offer, int self, int count, const int32_t *ranks,
                    const void *records);
/* Frees the offer. *comm becomes the communicator, if all have accepted; else FMPL_COMM_NULL. */
void hy_offer_end(hy_offer *offer, hy_verdict verdict, int *comm);

#endif
