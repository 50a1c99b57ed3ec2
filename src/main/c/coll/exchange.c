/* SPDX-License-Identifier: Apache-2.0 */
/* Sends and receives all records at once: one half-operation per direction and peer, polled
 * until all are complete. */
#include "coll/exchange.h"

#include "coll/compare.h"
#include "coll/limits.h"
#include "job/await.h"

typedef struct records {
    hy_comm *comm;
    const uint8_t *mine;
    size_t step; /* bytes from a member's record to the next one's; 0: all get the same */
    uint8_t *theirs;
    size_t bytes;
    uint32_t cookie;
} records;

static const uint8_t *mine_for(const records *c, int member)
{
    return c->mine + (size_t)member * c->step;
}

/* Of a message in slots: a hy_tag precedes the record. */
static size_t slots_length(const records *c)
{
    return sizeof(hy_tag) + c->bytes;
}

/* How many slots its messages take: eager ones, one. */
static uint32_t slots(const records *c)
{
    return c->bytes <= HY_EXCHANGE_SLOTS ? hy_slots_of(slots_length(c)) : 1;
}

static void post_slots(const records *c, int peer, hy_channel *channel)
{
    uint8_t payload[HY_LINES_BYTES];
    const hy_tag tag = {c->cookie, (uint32_t)c->bytes};
    memcpy(payload, &tag, sizeof tag);
    memcpy(payload + sizeof tag, mine_for(c, peer), c->bytes);
    if (slots_length(c) > HY_SLOT_PAYLOAD) hy_channel_post_lines(channel, payload, slots_length(c));
    else hy_channel_post(channel, HY_KIND_INLINE, payload, slots_length(c));
}

static int exchange_post(const records *c, int peer)
{
    int rc;
    hy_channel *channel = hy_group_channel(&c->comm->group, peer, &rc);
    if (hy_unlikely(!channel)) return rc;
    if (!hy_channel_room_for(channel, slots(c))) return HAYATE_IN_PROGRESS;
    if (c->bytes <= HY_EXCHANGE_SLOTS) {
        post_slots(c, peer, channel);
        return HAYATE_OK;
    }
    uint8_t *eager = hy_channel_eager_buffer(channel);
    if (!eager) return hy_job_alloc_code(channel->job);
    memcpy(eager, mine_for(c, peer), c->bytes);
    return hy_channel_post_eager(channel, c->bytes, c->cookie);
}

/* The peer has sent a message of something else, whose cookie tells of what. */
static int another(const records *c, int peer, const hy_slot *slot, uint64_t head)
{
    uint32_t cookie = c->cookie;
    hy_descriptor descriptor;
    if (hy_head_kind(head) == HY_KIND_INLINE) {
        memcpy(&cookie, slot->payload, sizeof cookie); /* first in a hy_tag */
    } else if (hy_head_kind(head) != HY_KIND_LINES) {
        memcpy(&descriptor, slot->payload, sizeof descriptor);
        cookie = (uint32_t)descriptor.flags;
    }
    return hy_exec_mismatch(&c->comm->exec, peer, cookie);
}

/* Take the record out of a message, after checking that it belongs to this exchange. */
static int read_slots(const records *c, int peer, hy_channel *channel, const hy_slot *slot,
                      uint64_t head, uint8_t *to)
{
    uint8_t payload[HY_LINES_BYTES];
    hy_tag tag;
    size_t len = slots_length(c);
    bool lines = len > HY_SLOT_PAYLOAD;
    if (len > HY_LINES_BYTES || hy_head_len(head) != len ||
        hy_head_kind(head) != (lines ? HY_KIND_LINES : HY_KIND_INLINE))
        return another(c, peer, slot, head);
    if (lines) hy_channel_read_lines(channel, payload, len);
    else memcpy(payload, slot->payload, len);
    memcpy(&tag, payload, sizeof tag);
    if (tag.cookie != c->cookie || tag.len != c->bytes) return another(c, peer, slot, head);
    memcpy(to, payload + sizeof tag, c->bytes);
    return HAYATE_OK;
}

static int read_eager(const records *c, int peer, hy_channel *channel, const hy_slot *slot,
                      uint64_t head, uint8_t *to)
{
    const uint8_t *payload;
    hy_descriptor descriptor;
    size_t len;
    int rc = hy_channel_eager_payload(channel, slot, head, &payload, &len);
    if (rc) return rc;
    memcpy(&descriptor, slot->payload, sizeof descriptor);
    if (descriptor.flags != c->cookie || len != c->bytes) return another(c, peer, slot, head);
    memcpy(to, payload, len);
    return HAYATE_OK;
}

static int exchange_take(const records *c, int peer)
{
    int rc;
    hy_channel *channel = hy_group_channel(&c->comm->group, peer, &rc);
    if (hy_unlikely(!channel)) return rc;
    uint8_t *to = c->theirs + (size_t)peer * c->bytes;
    uint64_t head;
    const hy_slot *slot = hy_channel_peek(channel, &head);
    if (!slot) return HAYATE_IN_PROGRESS;
    int kind = hy_head_kind(head);
    rc = kind == HY_KIND_EAGER || kind == HY_KIND_BOUNCE
             ? read_eager(c, peer, channel, slot, head, to)
             : read_slots(c, peer, channel, slot, head, to);
    if (!rc) hy_channel_take_slots(channel, head, slots(c));
    return rc;
}

/* The send or the receive of one record. */
typedef struct half {
    hy_comms *comms;
    const records *records;
    int peer;
    int (*go)(const records *c, int peer);
} half;

static int exchange_step(void *context)
{
    const half *h = context;
    return h->go(h->records, h->peer);
}

static int exchange_idle(void *context)
{
    const half *h = context;
    int rc = hy_comm_idle(h->comms, h->records->comm, h->peer);
    return rc ? rc : hy_limits_check(h->comms, h->records->comm, h->peer, "a set-up");
}

static void exchange_tell(const void *context, hy_awaited *awaited)
{
    const half *h = context;
    awaited->kind = HY_AWAITED_RECORDS;
    hy_comm_tell(h->comms, h->records->comm, h->peer, awaited);
}

static int exchange_finish(hy_comms *comms, const records *c, int peer,
                           int (*go)(const records *, int))
{
    half h = {comms, c, peer, go};
    return hy_job_await(&(hy_await){.job = comms->job,
                                    .step = exchange_step,
                                    .idle = exchange_idle,
                                    .tell = exchange_tell,
                                    .context = &h,
                                    .poll = hy_progress});
}

static int exchange_run(hy_comms *comms, const records *c)
{
    hy_comm *comm = c->comm;
    int rc = HAYATE_OK, rank = comm->group.rank, size = comm->group.size;
    hy_exec_count(&comm->exec, c->cookie);
    for (int i = 1; !rc && i < size; i++)
        rc = exchange_finish(comms, c, (rank + i) % size, exchange_post);
    for (int i = 1; !rc && i < size; i++)
        rc = exchange_finish(comms, c, (rank + i) % size, exchange_take);
    if (rc) rc = hy_comm_break(comm, hy_comms_step(comms, rc));
    else memcpy(c->theirs + (size_t)rank * c->bytes, mine_for(c, rank), c->bytes);
    return rc;
}

int hy_exchange(hy_comms *comms, hy_comm *comm, const void *mine, void *theirs, size_t bytes,
                uint32_t cookie)
{
    const records c = {comm, mine, bytes, theirs, bytes, cookie};
    return exchange_run(comms, &c);
}

int hy_exchange_same(hy_comms *comms, hy_comm *comm, const void *mine, void *theirs, size_t bytes,
                     uint32_t cookie)
{
    const records c = {comm, mine, 0, theirs, bytes, cookie};
    return exchange_run(comms, &c);
}
