/* SPDX-License-Identifier: Apache-2.0 */
/* Executes the steps of a schedule one after the other; signals are messages of the group's
 * channels, with data up to a slot's payload inside. */
#include "exec/exec.h"

#include <stdlib.h>

#include "base/copy.h"
#include "exec/lengths.h"
#include "exec/places.h"

int hy_exec_open(hy_exec *exec, hy_group *group)
{
    *exec = (hy_exec){.group = group, .box_taken = true};
    exec->exposed = calloc((size_t)group->size * HY_REGIONS, sizeof *exec->exposed);
    if (exec->exposed) return hy_cells_open(&exec->cells, group);
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to run collectives on %d ranks", group->size);
}

void hy_exec_close(hy_exec *exec)
{
    hy_cells_close(&exec->cells);
    free(exec->exposed);
    hy_fold_release(&exec->fold);
    *exec = (hy_exec){0};
}

/* Adds a call to those before. A cookie has a few bits for the length, which is here as well if all
 * members pass the same. */
static uint64_t history_with(uint64_t before, uint32_t cookie, const hy_shape *shape)
{
    uint64_t bytes = shape->uneven ? 0 : shape->bytes;
    return (before ^ cookie ^ bytes * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
}

/* Of a run that fetches, on all members the same, whether or not they have something to offer. */
static void find_box(hy_exec *exec, const hy_schedule *schedule)
{
    exec->box = hy_cells_next_box(exec->next_box, schedule->box_units);
    exec->next_box = exec->box + schedule->box_units;
    exec->box_taken = schedule->box_bytes == 0;
    exec->base[HY_BOX] = exec->cells.boxes + (uint64_t)exec->box * HY_CELLS_BOX;
    exec->bytes[HY_BOX] = schedule->box_bytes;
}

void hy_exec_start(hy_exec *exec, const hy_schedule *schedule, uint32_t cookie)
{
    exec->schedule = schedule;
    exec->next = 0;
    exec->number++;
    exec->cookie = cookie;
    exec->history = history_with(exec->history, cookie, &schedule->shape);
    exec->head = hy_cells_head_of(exec->number, (uint32_t)(exec->history >> 40));
    exec->heads[exec->number % HY_CELLS_DEPTH] = exec->head;
    exec->box_taken = true;
    if (hy_unlikely(schedule->box_units)) find_box(exec, schedule);
    hy_cells_head *own = exec->cells.own;
    if (hy_likely(own != NULL))
        hy_store_relaxed(&own->calls[exec->number % HY_CELLS_DEPTH], hy_exec_call(exec));
}

static const hy_schedule none;

/* Nothing of it comes by cells: as far as these are concerned it is complete. */
void hy_exec_count(hy_exec *exec, uint32_t cookie)
{
    hy_exec_start(exec, &none, cookie);
    hy_exec_run(exec);
}

static hy_channel *channel_of(const hy_exec *exec, const hy_step *step, int *rc)
{
    return hy_group_channel(exec->group, step->peer, rc);
}

static hy_ep *ep_of(const hy_exec *exec, const hy_step *step)
{
    return hy_job_ep(exec->group->job, hy_group_member(exec->group, step->peer));
}

static uint8_t *local_of(const hy_exec *exec, const hy_step *step)
{
    return exec->base[step->local] + step->local_off;
}

/* Whether the signal says where a region is. Members know where boxes are. */
static bool tells_region(const hy_step *step)
{
    bool box = step->local == HY_BOX || step->remote == HY_BOX;
    return hy_unlikely(step->flags & HY_STEP_EXPOSE) && !box;
}

/* ---- what members disagree on ---- */

static int disagree(const hy_exec *exec, int member, uint32_t mine, uint32_t theirs, bool uneven)
{
    int peer = hy_group_member(exec->group, member);
    char text[240];
    hy_cookie_text(mine, theirs, uneven, peer, text, sizeof text);
    return hy_fail_peer(HAYATE_ERR_MISMATCH, peer, "%s", text);
}

/* Of the run under way. */
static int mismatch(const hy_exec *exec, const hy_step *step, hy_told told)
{
    const hy_schedule *schedule = exec->schedule;
    int peer = hy_group_member(exec->group, step->peer);
    char text[240];
    if (hy_lengths_text(schedule, step, exec->cookie, told, peer, text, sizeof text))
        return hy_fail_peer(HAYATE_ERR_MISMATCH, peer, "%s", text);
    return disagree(exec, step->peer, exec->cookie, told.cookie, schedule->shape.uneven);
}

int hy_exec_mismatch(const hy_exec *exec, int member, uint32_t cookie)
{
    if (exec->next < exec->schedule->count && exec->schedule->steps[exec->next].peer == member)
        return mismatch(exec, &exec->schedule->steps[exec->next], (hy_told){.cookie = cookie});
    return disagree(exec, member, exec->cookie, cookie, exec->schedule->shape.uneven);
}

int hy_exec_compare(const hy_exec *exec, int member)
{
    const hy_cells_head *own = exec->cells.own;
    const hy_cells_row *row = &exec->cells.rows[member];
    bool known = own && row->head;
    for (uint64_t n = exec->number - HY_CELLS_DEPTH + 1; known && n != exec->number + 1; n++) {
        uint64_t mine = hy_load_relaxed(&own->calls[n % HY_CELLS_DEPTH]);
        uint64_t theirs = hy_load_relaxed(&row->head->calls[n % HY_CELLS_DEPTH]);
        if (mine != theirs && mine >> 32 == theirs >> 32)
            return disagree(exec, member, (uint32_t)mine, (uint32_t)theirs, false);
    }
    return HAYATE_OK;
}

int hy_exec_mismatch_before(const hy_exec *exec, int member)
{
    int rc = hy_exec_compare(exec, member);
    return rc ? rc : disagree(exec, member, exec->cookie, exec->cookie, false);
}

/* Whether a head is one of the last collectives of this rank, but not what that had. */
static bool is_other(const hy_exec *exec, uint64_t head)
{
    uint64_t number = hy_cells_number(head), behind = exec->number - number;
    return number && behind < HY_CELLS_DEPTH && head != exec->heads[number % HY_CELLS_DEPTH];
}

/* How far a member is; MISMATCH: not on the way that this rank took. */
__attribute__((noinline)) static int look(hy_exec *exec, int member)
{
    uint64_t head = hy_cells_look(&exec->cells.rows[member]);
    return is_other(exec, head) ? hy_exec_mismatch_before(exec, member) : HAYATE_OK;
}

/* ---- SIGNAL ---- */

static void post_inline(const hy_exec *exec, hy_channel *channel, const void *from, size_t len)
{
    const hy_tag tag = {exec->cookie, (uint32_t)len};
    uint64_t word;
    _Static_assert(sizeof tag == sizeof word, "a tag is a word");
    memcpy(&word, &tag, sizeof word);
    hy_channel_post_tagged(channel, HY_KIND_INLINE, word, from, len);
}

static hy_descriptor describe(const hy_exec *exec, const hy_step *step)
{
    const uint8_t *base = exec->base[step->local];
    uint64_t len = exec->bytes[step->local];
    const hy_block *blocks = hy_shape_view(&exec->schedule->shape, step->local);
    if (blocks) base += blocks[step->peer].off, len = blocks[step->peer].len;
    return (hy_descriptor){
        .offset = hy_job_user_offset(exec->group->job, base, len),
        .address = (uint64_t)(uintptr_t)base,
        .len = len,
        .flags = exec->cookie,
    };
}

static void post_exposed(const hy_exec *exec, hy_channel *channel, const hy_step *step)
{
    hy_descriptor descriptor = describe(exec, step);
    hy_channel_post(channel, HY_KIND_EXPOSE, &descriptor, sizeof descriptor);
}

static uint8_t *payload_of(const hy_cells *cells, uint8_t *places, hy_slot *line, uint32_t place,
                           uint64_t number, uint64_t len)
{
    if (hy_likely(len <= HY_CELLS_SHORT)) return (uint8_t *)line + offsetof(hy_slot, payload);
    return hy_cells_place(cells, places, number) + hy_place_payload(place);
}

static int look_before_signal(hy_exec *exec, int member)
{
    hy_cells_row *row = &exec->cells.rows[member];
    uint64_t known = row->known, number = exec->number;
    int rc = look(exec, member);
    if (rc) return rc;
    bool may = number <= known + HY_CELLS_DEPTH || number <= row->known + HY_CELLS_DEPTH;
    return may ? HAYATE_OK : HAYATE_IN_PROGRESS;
}

static int signal_by_cell(hy_exec *exec, const hy_step *step, uint32_t place)
{
    const hy_cells *cells = &exec->cells;
    hy_cells_row *row = &cells->rows[step->peer];
    int rc;
    if (hy_unlikely(!hy_cells_may_write(row, exec->number)) &&
        (rc = look_before_signal(exec, step->peer)))
        return rc;
    rc = hy_unflushed_signal(&exec->unflushed, exec->group, step->peer);
    if (hy_unlikely(rc)) return rc;
    hy_slot *line = hy_cells_line(row->out, hy_place_line(place), exec->number);
    if (tells_region(step)) {
        hy_descriptor descriptor = describe(exec, step);
        memcpy(line->payload, &descriptor, sizeof descriptor);
    } else if (step->len <= HY_SLOT_PAYLOAD) {
        if (step->len) hy_copy_slot(line->payload, local_of(exec, step), step->len);
    } else {
        uint8_t *to = payload_of(cells, row->out_places, line, place, exec->number, step->len);
        hy_copy(to, local_of(exec, step), step->len);
    }
    hy_store_release(&line->head, exec->head); /* after the payload */
    hy_bell_ring(row->bell);
    return HAYATE_OK;
}

static int signal_by_channel(hy_exec *exec, const hy_step *step)
{
    int rc;
    hy_channel *channel = channel_of(exec, step, &rc);
    if (hy_unlikely(!channel)) return rc;
    if (!hy_channel_room(channel)) return HAYATE_IN_PROGRESS;
    rc = hy_unflushed_signal(&exec->unflushed, exec->group, step->peer);
    if (hy_unlikely(rc)) return rc;
    if (tells_region(step)) {
        post_exposed(exec, channel, step);
    } else if (step->len <= HY_INLINE_MAX) {
        post_inline(exec, channel, step->len ? local_of(exec, step) : NULL, step->len);
    } else {
        uint8_t *eager = hy_channel_eager_buffer(channel);
        if (!eager) return hy_job_alloc_code(channel->job);
        hy_copy(eager, local_of(exec, step), step->len);
        return hy_channel_post_eager(channel, step->len, exec->cookie);
    }
    return HAYATE_OK;
}

/* ---- WAIT ---- */

/* Checks everything that the writer may have got wrong, and takes over what the message carries. */
static int open_message(const hy_exec *exec, const hy_step *step, hy_channel *channel,
                        const hy_slot *slot, uint64_t head, const uint8_t **payload)
{
    hy_tag short_tag;
    hy_descriptor descriptor;
    size_t len = 0;
    int rc;
    switch (hy_head_kind(head)) {
    case HY_KIND_INLINE:
        memcpy(&short_tag, slot->payload, sizeof short_tag);
        *payload = slot->payload + sizeof short_tag;
        if (short_tag.cookie != exec->cookie || short_tag.len != step->len ||
            step->len > HY_INLINE_MAX || tells_region(step))
            return mismatch(exec, step, (hy_told){short_tag.cookie, false, short_tag.len});
        return HAYATE_OK;
    case HY_KIND_EAGER:
    case HY_KIND_BOUNCE:
        memcpy(&descriptor, slot->payload, sizeof descriptor);
        rc = hy_channel_eager_payload(channel, slot, head, payload, &len);
        if (rc) return rc;
        if (descriptor.flags != exec->cookie || len != step->len)
            return mismatch(exec, step, (hy_told){(uint32_t)descriptor.flags, false, len});
        return HAYATE_OK;
    case HY_KIND_EXPOSE:
        memcpy(&descriptor, slot->payload, sizeof descriptor);
        *payload = slot->payload;
        if (descriptor.flags != exec->cookie || !tells_region(step))
            return mismatch(exec, step,
                            (hy_told){(uint32_t)descriptor.flags, true, descriptor.len});
        return HAYATE_OK;
    default: return mismatch(exec, step, (hy_told){.cookie = HY_COOKIE_SETUP}); /* LINES */
    }
}

static int learn(hy_exec *exec, const hy_step *step, const uint8_t *payload)
{
    hy_descriptor descriptor;
    hy_copy_once(&descriptor, payload, sizeof descriptor);
    const hy_ep *ep = ep_of(exec, step);
    const hy_shape *shape = &exec->schedule->shape;
    bool user = step->remote == HY_IN || step->remote == HY_OUT;
    if (user && hy_shape_is_private(shape) &&
        descriptor.len != hy_shape_view_bytes(shape, step->remote, step->peer))
        return mismatch(exec, step, (hy_told){exec->cookie, true, descriptor.len});
    if (descriptor.offset != HY_NOT_IN_HEAP &&
        !hy_ep_contains(ep, descriptor.offset, descriptor.len))
        return hy_fail_peer(HAYATE_ERR_CORRUPT, ep->rank,
                            "rank %d exposes an address outside its memory", ep->rank);
    exec->exposed[step->peer * HY_REGIONS + step->remote] = (hy_exposed){
        descriptor.offset, descriptor.address, descriptor.len};
    return HAYATE_OK;
}

static int wait_by_cell(hy_exec *exec, const hy_step *step, uint32_t place)
{
    const hy_cells *cells = &exec->cells;
    hy_cells_row *row = &cells->rows[step->peer];
    hy_slot *line = hy_cells_line(row->in, hy_place_line(place), exec->number);
    /* acquire: makes the payload and the peer's earlier writes visible */
    uint64_t head = hy_load_acquire(&line->head);
    if (head != exec->head) {
        if (hy_likely(head >> 24 != exec->head >> 24)) return HAYATE_IN_PROGRESS;
        return hy_exec_mismatch_before(exec, step->peer);
    }
    hy_cells_completed_before(row, exec->number);
    if (tells_region(step)) return learn(exec, step, line->payload);
    const uint8_t *payload = payload_of(cells, row->in_places, line, place, exec->number,
                                        step->len);
    if (step->flags & HY_STEP_FOLD)
        hy_fold_in(&exec->fold, local_of(exec, step), payload, step->len);
    else if (step->len > HY_SLOT_PAYLOAD) hy_copy(local_of(exec, step), payload, step->len);
    else if (step->len) hy_copy_slot(local_of(exec, step), payload, step->len);
    return HAYATE_OK;
}

static int wait_by_channel(hy_exec *exec, const hy_step *step)
{
    int rc;
    hy_channel *channel = channel_of(exec, step, &rc);
    if (hy_unlikely(!channel)) return rc;
    const uint8_t *payload = NULL;
    uint64_t head;
    const hy_slot *slot = hy_channel_peek(channel, &head);
    if (!slot) return HAYATE_IN_PROGRESS;
    rc = open_message(exec, step, channel, slot, head, &payload);
    if (!rc && tells_region(step)) rc = learn(exec, step, payload);
    else if (!rc && (step->flags & HY_STEP_FOLD))
        hy_fold_in(&exec->fold, local_of(exec, step), payload, step->len);
    else if (!rc && step->len <= HY_INLINE_MAX)
        hy_copy_slot(local_of(exec, step), payload, step->len);
    else if (!rc) hy_copy(local_of(exec, step), payload, step->len);
    if (!rc) hy_channel_take(channel, head);
    return rc;
}

/* ---- PUT, GET, REDUCE ---- */

static const hy_exposed *remote_of(const hy_exec *exec, const hy_step *step)
{
    hy_exposed *exposed = &exec->exposed[step->peer * HY_REGIONS + step->remote];
    if (step->remote == HY_BOX)
        *exposed = (hy_exposed){.offset = exec->cells.rows[step->peer].boxes +
                                          (uint64_t)exec->box * HY_CELLS_BOX,
                                .len = (uint64_t)exec->schedule->box_units * HY_CELLS_BOX};
    bool inside = step->remote_off <= exposed->len && step->len <= exposed->len - step->remote_off;
    if (!inside) mismatch(exec, step, (hy_told){.cookie = exec->cookie});
    return inside ? exposed : NULL;
}

static int put_or_get(hy_exec *exec, const hy_step *step)
{
    hy_ep *ep = ep_of(exec, step);
    const hy_exposed *remote = remote_of(exec, step);
    if (!remote) return HAYATE_ERR_MISMATCH;
    bool heap = remote->offset != HY_NOT_IN_HEAP;
    const hy_path_ops *path = heap ? ep->ops : ep->single;
    uint64_t address = (heap ? remote->offset : remote->address) + step->remote_off;
    if (!path) return hy_fail(HAYATE_ERR_UNSUPPORTED, "%s", ep->why_not_single);
    if (step->kind == HY_STEP_GET) return path->get(ep, address, local_of(exec, step), step->len);
    hy_unflushed_put(&exec->unflushed, ep, step->peer);
    return path->put(ep, address, local_of(exec, step), step->len);
}

static int reduce_bounced(hy_exec *exec, const hy_step *step, const hy_path_ops *path,
                          uint64_t address)
{
    int rc = hy_fold_room(&exec->fold);
    if (rc) return rc;
    return hy_fold_through(&exec->fold, path, ep_of(exec, step), address, local_of(exec, step),
                           step->len);
}

/* Mapped memory is reduced in place, other memory through the bounce buffer. */
static int reduce_remote(hy_exec *exec, const hy_step *step)
{
    hy_ep *ep = ep_of(exec, step);
    const hy_exposed *remote = remote_of(exec, step);
    if (!remote) return HAYATE_ERR_MISMATCH;
    bool heap = remote->offset != HY_NOT_IN_HEAP;
    uint64_t address = (heap ? remote->offset : remote->address) + step->remote_off;
    if (heap && !hy_ep_is_far(ep)) {
        hy_fold_in(&exec->fold, local_of(exec, step), ep->part + address, step->len);
        return HAYATE_OK;
    }
    if (heap) return reduce_bounced(exec, step, ep->ops, address);
    if (!ep->single) return hy_fail(HAYATE_ERR_UNSUPPORTED, "%s", ep->why_not_single);
    return reduce_bounced(exec, step, ep->single, address);
}

static int reduce(hy_exec *exec, const hy_step *step)
{
    if (step->peer != exec->group->rank) return reduce_remote(exec, step);
    hy_fold_in(&exec->fold, local_of(exec, step), exec->base[step->remote] + step->remote_off,
               step->len);
    return HAYATE_OK;
}

/* The place of its signal; 0: none. */
static uint32_t place_of(const hy_exec *exec)
{
    const uint32_t *places = exec->schedule->places;
    return hy_likely(places != NULL) ? places[exec->next] : 0;
}

static int run_step(hy_exec *exec, const hy_step *step)
{
    uint32_t place = place_of(exec);
    switch (step->kind) {
    case HY_STEP_SIGNAL:
        return hy_likely(place) ? signal_by_cell(exec, step, place) : signal_by_channel(exec, step);
    case HY_STEP_WAIT:
        return hy_likely(place) ? wait_by_cell(exec, step, place) : wait_by_channel(exec, step);
    case HY_STEP_PUT:
    case HY_STEP_GET: return put_or_get(exec, step);
    case HY_STEP_COPY:
        hy_copy(local_of(exec, step), exec->base[step->remote] + step->remote_off, step->len);
        return HAYATE_OK;
    default: return reduce(exec, step);
    }
}

bool hy_exec_still_needs(const hy_exec *exec, int member)
{
    const hy_schedule *schedule = exec->schedule;
    for (uint32_t i = exec->next; i < schedule->count; i++)
        if (schedule->steps[i].peer == member) return true;
    return schedule == &none;
}

/* For members that wait until they may write into a cell. */
static void complete(const hy_exec *exec)
{
    const hy_cells *cells = &exec->cells;
    const hy_schedule *schedule = exec->schedule;
    if (hy_unlikely(!cells->own) || exec->number % HY_CELLS_TOLD) return;
    hy_store_release(&cells->own->completed, exec->head); /* after the payloads were read */
    if (!schedule->places) return;
    const uint32_t *senders = schedule->places + schedule->count;
    for (uint32_t i = 1; i <= senders[0]; i++) hy_bell_ring(cells->rows[senders[i]].bell);
}

/* ---- BOX ---- */

/* A member that may still read what an earlier collective had there; -1: none. */
static int reader_of(const hy_exec *exec, const hy_box_use *use)
{
    for (uint64_t left = use->readers; left; left &= left - 1) {
        int member = __builtin_ctzll(left);
        if (exec->cells.rows[member].known < use->number) return member;
    }
    return -1;
}

int hy_exec_reader(const hy_exec *exec)
{
    const hy_box_use *uses = &exec->uses[exec->box];
    int reader = -1;
    for (uint32_t i = 0; i < exec->schedule->box_units && reader < 0; i++)
        reader = reader_of(exec, &uses[i]);
    return reader;
}

static int take_box(hy_exec *exec)
{
    hy_box_use *uses = &exec->uses[exec->box];
    for (int reader, before = -1; (reader = hy_exec_reader(exec)) >= 0; before = reader) {
        int rc = reader == before ? HAYATE_IN_PROGRESS : look(exec, reader);
        if (rc) return rc;
    }
    for (uint32_t i = 0; i < exec->schedule->box_units; i++)
        uses[i] = (hy_box_use){exec->schedule->readers, exec->number};
    exec->box_taken = true;
    return HAYATE_OK;
}

int hy_exec_run(hy_exec *exec)
{
    const hy_schedule *schedule = exec->schedule;
    int rc;
    if (hy_unlikely(!exec->box_taken) && (rc = take_box(exec))) return rc;
    while (exec->next < schedule->count) {
        rc = run_step(exec, &schedule->steps[exec->next]);
        if (rc) return rc;
        exec->next++;
    }
    complete(exec);
    return HAYATE_OK;
}
