/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a split, without the exchanges. */
#include "coll/offer.h"

#include <stdlib.h>
#include <string.h>

struct hy_offer {
    hy_comms *comms;
    hy_creation made;
};

/* Where hy_group_connect() finds the members. */
typedef struct answers {
    const int32_t *ranks;
    const uint8_t *records;
} answers;

static int offer_failed(hy_group_record *record, int rc)
{
    *record = (hy_group_record){.color = -1, .failed = (uint32_t)-rc};
    return rc;
}

static int begin_offer(hy_offer *offer, int ranks, hy_group_record *record)
{
    hy_comms *comms = offer->comms;
    int rc = hy_comms_check(comms);
    if (!rc) rc = hy_creation_begin(comms, true, &offer->made);
    if (rc) return offer_failed(record, rc);
    hy_group_begin(&offer->made.comm->group, comms->job, 0, 0, ranks, record);
    if (!record->failed) return HAYATE_OK;
    hy_creation_abandon(comms, &offer->made);
    return offer_failed(record, HAYATE_ERR_NO_MEMORY);
}

hy_offer *hy_offer_make(hy_comms *comms, int ranks, hy_group_record *record)
{
    hy_offer *offer = malloc(sizeof *offer);
    if (!offer) {
        offer_failed(record, HAYATE_ERR_NO_MEMORY);
        return NULL;
    }
    *offer = (hy_offer){comms, {.number = FMPL_COMM_NULL}};
    if (begin_offer(offer, ranks, record) == HAYATE_OK) return offer;
    free(offer);
    return NULL;
}

static void read_answer(void *context, int candidate, int *rank, hy_group_record *record)
{
    const answers *a = context;
    *rank = a->ranks[candidate];
    memcpy(record, a->records + (size_t)candidate * sizeof *record, sizeof *record);
}

static int find_refusal(answers *a, int count)
{
    for (int i = 0; i < count; i++) {
        hy_group_record record;
        int rank;
        read_answer(a, i, &rank, &record);
        if (record.failed)
            return hy_fail_peer(HAYATE_ERR_NO_MEMORY, rank,
                                "rank %d could not create its communicator: it has no memory, or "
                                "is about to leave",
                                rank);
    }
    return HAYATE_OK;
}

int hy_offer_accept(hy_offer *offer, int self, int count, const int32_t *ranks, const void *records)
{
    answers a = {ranks, records};
    const hy_candidates members = {count, self, read_answer, &a};
    int rc = find_refusal(&a, count);
    if (rc) return rc;
    if (!offer) return hy_fail(HAYATE_ERR_CORRUPT, "the offer of this rank was changed");
    rc = hy_group_connect(&offer->made.comm->group, 0, &members);
    return rc ? rc : hy_creation_fill(offer->made.comm);
}

void hy_offer_end(hy_offer *offer, hy_verdict verdict, int *comm)
{
    *comm = FMPL_COMM_NULL;
    if (!offer) return;
    if (verdict == HY_OFFER_ACCEPTED) {
        hy_creation_publish(offer->comms, &offer->made);
        *comm = offer->made.number;
    } else {
        if (verdict == HY_OFFER_REFUSED) offer->made.comm->group.used = false;
        hy_creation_abandon(offer->comms, &offer->made);
    }
    free(offer);
}
