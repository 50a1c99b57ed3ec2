/* SPDX-License-Identifier: Apache-2.0 */
/* The two exchanges of a split go over the channels of the parent; neither takes memory that may
 * be lacking. */
#include "coll/split.h"

#include "coll/exchange.h"

#define COOKIE (HY_COOKIE_SETUP | 0x706c69) /* differs from those of other exchanges */

_Static_assert(HY_SPLIT_PARTS * sizeof(hy_group_record) <= HY_EXCHANGE_SLOTS,
               "a split can tell that a heap is full");

/* Each member tells all others the same. */
static int split_tell(const hy_split *s, const hy_group_record *mine, int count)
{
    return hy_exchange_same(s->comms, s->from, mine, s->from->records, (size_t)count * sizeof *mine,
                            COOKIE);
}

/* In what was told last: `count` records from each member. */
static int find_failed(const hy_split *s, int count)
{
    for (int i = 0; i < s->from->group.size; i++) {
        uint32_t failed = s->from->records[i * count].failed;
        int rank = hy_group_member(&s->from->group, i);
        if (failed)
            return hy_fail_peer(
                hy_status_told(-(int64_t)failed), rank,
                "rank %d could not create its communicator: see the error of that rank", rank);
    }
    return HAYATE_OK;
}

/* ---- the first exchange ---- */

/* After a failure, only to tell of it. */
static void begin_part(const hy_split *s, hy_split_part *part, hy_group_record *record,
                       hy_failure *failure)
{
    hy_group none;
    int rc = failure->code ? HAYATE_OK : hy_creation_begin(s->comms, part->color >= 0, &part->made);
    hy_comm *comm = part->made.comm;
    if (rc) *failure = hy_failure_of(rc);
    hy_group_begin(comm ? &comm->group : &none, s->comms->job, comm ? part->color : -1, part->key,
                   s->from->group.size, record);
    if (record->failed) *failure = hy_failure_of(HAYATE_ERR_NO_MEMORY);
}

/* Where hy_group_connect() finds the records of a part. */
typedef struct told {
    const hy_split *split;
    int part;
} told;

static void read_told(void *context, int candidate, int *rank, hy_group_record *record)
{
    const told *t = context;
    const hy_comm *from = t->split->from;
    *rank = hy_group_member(&from->group, candidate);
    *record = from->records[candidate * t->split->count + t->part];
}

static int connect_part(const hy_split *s, int part)
{
    told t = {s, part};
    const hy_candidates members = {s->from->group.size, s->from->group.rank, read_told, &t};
    hy_comm *comm = s->parts[part].made.comm;
    if (!comm) return HAYATE_OK;
    int rc = hy_group_connect(&comm->group, s->parts[part].color, &members);
    return rc ? rc : hy_creation_fill(comm);
}

static int meet(hy_split *s, hy_failure *failure)
{
    hy_group_record mine[HY_SPLIT_PARTS];
    for (int i = 0; i < s->count; i++) begin_part(s, &s->parts[i], &mine[i], failure);
    for (int i = 0; i < s->count; i++) mine[i].failed = (uint32_t)-failure->code;
    int rc = split_tell(s, mine, s->count);
    if (rc) return rc;
    s->met = true;
    if (failure->code) return hy_fail_again(failure);
    rc = find_failed(s, s->count);
    for (int i = 0; i < s->count && !rc; i++) rc = connect_part(s, i);
    return rc;
}

int hy_split_begin(hy_split *split, hy_comms *comms, int from, hy_split_part *parts, int count,
                   int rc)
{
    hy_failure failure = hy_failure_of(rc);
    *split = (hy_split){.comms = comms, .parts = parts, .count = count};
    for (int i = 0; i < count; i++) parts[i].made = (hy_creation){.number = FMPL_COMM_NULL};
    hy_comm *parent = hy_comm_find(comms, from);
    if (!parent) return HAYATE_ERR_ARGUMENT;
    rc = hy_comm_acquire(comms, parent, from);
    if (rc) return rc;
    split->from = parent;
    return meet(split, &failure);
}

/* ---- the second exchange ---- */

/* A member uses its communicators only after it has heard from all others. So if one of them
 * failed, nobody has written into another's memory; but if this exchange fails, others may do so.
 */
int hy_split_agree(hy_split *s, int rc)
{
    const hy_failure failure = hy_failure_of(rc);
    const hy_group_record done = {.failed = (uint32_t)-rc};
    if (!s->met) return rc;
    rc = split_tell(s, &done, 1);
    if (!rc) rc = find_failed(s, 1);
    if (rc && !s->from->broken) {
        for (int i = 0; i < s->count; i++)
            if (s->parts[i].made.comm) s->parts[i].made.comm->group.used = false;
    }
    return failure.code ? hy_fail_again(&failure) : rc;
}

void hy_split_end(hy_split *s, int rc)
{
    if (!s->from) return;
    for (int i = 0; i < s->count; i++) {
        hy_creation *made = &s->parts[i].made;
        if (rc) hy_creation_abandon(s->comms, made);
        else if (made->comm) hy_creation_publish(s->comms, made);
    }
    hy_comm_release(s->from);
}

int hy_comm_split(hy_comms *comms, int from, int color, int key, int *number)
{
    hy_split split;
    hy_split_part part = {.color = color, .key = key};
    int rc = hy_split_begin(&split, comms, from, &part, 1, HAYATE_OK);
    rc = hy_split_agree(&split, rc);
    hy_split_end(&split, rc);
    *number = rc ? FMPL_COMM_NULL : part.made.number;
    return rc;
}
