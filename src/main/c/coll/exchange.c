/* SPDX-License-Identifier: Apache-2.0 */
/* Sends and receives all records at once: one half-operation per direction and peer, polled
 * until all are complete. */
#include "coll/exchange.h"

#include "job/await.h"

typedef struct records {
    hy_comm *comm;
    const uint8_t *mine;
    uint8_t *theirs;
    size_t bytes;
    uint32_t cookie;
} records;

static int exchange_post(const records *c, int peer)
{
    hy_channel *channel = &c->comm->group.channels[peer];
    if (!hy_channel_room(channel)) return HAYATE_IN_PROGRESS;
    if (c->bytes <= HY_INLINE_MAX) {
        uint8_t payload[HY_SLOT_PAYLOAD];
        const hy_tag tag = {c->cookie, (uint32_t)c->bytes};
        memcpy(payload, &tag, sizeof tag);
        memcpy(payload + sizeof tag, c->mine + (size_t)peer * c->bytes, c->bytes);
        hy_channel_post(channel, HY_KIND_INLINE, payload, sizeof tag + c->bytes);
        return HAYATE_OK;
    }
    uint8_t *eager = hy_channel_eager_buffer(channel);
    if (!eager) return HAYATE_ERR_NO_MEMORY;
    memcpy(eager, c->mine + (size_t)peer * c->bytes, c->bytes);
    return hy_channel_post_eager(channel, c->bytes, c->cookie);
}

static int another(const records *c, int peer)
{
    int rank = c->comm->group.members[peer];
    return hy_fail_peer(HAYATE_ERR_MISMATCH, rank,
                        "rank %d is in another collective: all members must make the same call",
                        rank);
}

/* Finds the record in a message, and checks that it belongs to this exchange. */
static int open_record(const records *c, int peer, const hy_slot *slot, uint64_t head,
                       const uint8_t **payload)
{
    hy_tag tag;
    hy_descriptor descriptor;
    size_t len;
    int rc;
    switch (hy_head_kind(head)) {
    case HY_KIND_INLINE:
        memcpy(&tag, slot->payload, sizeof tag);
        *payload = slot->payload + sizeof tag;
        if (tag.cookie != c->cookie || tag.len != c->bytes || c->bytes > HY_INLINE_MAX)
            return another(c, peer);
        return HAYATE_OK;
    case HY_KIND_EAGER:
    case HY_KIND_BOUNCE:
        rc = hy_channel_eager_payload(&c->comm->group.channels[peer], slot, head, payload, &len);
        if (rc) return rc;
        memcpy(&descriptor, slot->payload, sizeof descriptor);
        if (descriptor.flags != c->cookie || len != c->bytes) return another(c, peer);
        return HAYATE_OK;
    default: return another(c, peer);
    }
}

static int exchange_take(const records *c, int peer)
{
    hy_channel *channel = &c->comm->group.channels[peer];
    uint64_t head;
    const uint8_t *payload = NULL;
    const hy_slot *slot = hy_channel_peek(channel, &head);
    if (!slot) return HAYATE_IN_PROGRESS;
    int rc = open_record(c, peer, slot, head, &payload);
    if (rc) return rc;
    memcpy(c->theirs + (size_t)peer * c->bytes, payload, c->bytes);
    hy_channel_take(channel, head);
    return HAYATE_OK;
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
    return hy_comms_idle_together(h->comms, h->records->comm->group.members[h->peer]);
}

static int exchange_finish(hy_comms *comms, const records *c, int peer,
                           int (*go)(const records *, int))
{
    half h = {comms, c, peer, go};
    return hy_job_await(&(hy_await){.job = comms->job,
                                    .step = exchange_step,
                                    .idle = exchange_idle,
                                    .context = &h,
                                    .poll = hy_progress});
}

int hy_exchange(hy_comms *comms, hy_comm *comm, const void *mine, void *theirs, size_t bytes,
                uint32_t cookie)
{
    const records c = {comm, mine, theirs, bytes, cookie};
    int rc = HAYATE_OK, rank = comm->group.rank, size = comm->group.size;
    for (int i = 1; !rc && i < size; i++)
        rc = exchange_finish(comms, &c, (rank + i) % size, exchange_post);
    for (int i = 1; !rc && i < size; i++)
        rc = exchange_finish(comms, &c, (rank + i) % size, exchange_take);
    if (rc) comm->broken = rc = hy_comms_step(comms, rc);
    else memcpy(c.theirs + (size_t)rank * bytes, c.mine + (size_t)rank * bytes, bytes);
    return rc;
}
