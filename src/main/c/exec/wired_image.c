/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads images of wired schedules. */
#include "exec/wired_image.h"

#include <stdlib.h>

#define MOST_BYTES (UINT64_C(64) << 20)
#define MOST_DEPTH 1024

/* Where the arrays of an image are. */
typedef struct arrays {
    uint64_t *count_at;
    uint32_t *ranks;
    uint32_t *told, *asked;
    hy_image_step *steps;
    uint64_t bytes;
} arrays;

/* Only after the counts are known to be below MOST_BYTES. */
static arrays arrays_of(const hy_wired_image *image, uint8_t *base)
{
    arrays a;
    uint64_t at = hy_round_up(sizeof *image, HY_LINE);
    a.count_at = (uint64_t *)(void *)(base + at);
    at += (uint64_t)image->size * sizeof *a.count_at;
    a.ranks = (uint32_t *)(void *)(base + at);
    at += (uint64_t)image->size * sizeof *a.ranks;
    a.told = (uint32_t *)(void *)(base + at);
    at += (uint64_t)image->told * sizeof *a.told;
    a.asked = (uint32_t *)(void *)(base + at);
    at = hy_round_up(at + (uint64_t)image->asked * sizeof *a.asked, sizeof(uint64_t));
    a.steps = (hy_image_step *)(void *)(base + at);
    a.bytes = at + (uint64_t)image->steps * sizeof *a.steps;
    return a;
}

/* Whether a step uses memory of no other rank, and is no WAIT. */
static bool is_own(const hy_wired *w, uint8_t kind, int32_t peer)
{
    return kind == HY_STEP_COPY || (kind == HY_STEP_REDUCE && peer == w->rank);
}

/* ---- writing ---- */

static int cannot(const char *what)
{
    return hy_fail(HAYATE_ERR_UNSUPPORTED, "%s is not in the symmetric heap", what);
}

static int to_offset(const hy_wired *w, const uint8_t *memory, uint64_t len, uint64_t *offset)
{
    *offset = hy_job_heap_offset(w->job, memory, len);
    return *offset == HY_NOT_IN_HEAP ? cannot("memory of this rank") : HAYATE_OK;
}

static int pack_step(const hy_wired *w, const hy_wired_step *s, hy_image_step *to)
{
    int rc = HAYATE_OK;
    *to = (hy_image_step){.kind = s->kind,
                          .flags = s->flags,
                          .peer = s->peer,
                          .len = s->len,
                          .remote = s->remote,
                          .local_turn = s->local_turn,
                          .remote_turn = s->remote_turn};
    if (s->len) rc = to_offset(w, s->local, s->len, &to->local);
    if (rc) return rc;
    if (is_own(w, s->kind, s->peer) || s->kind == HY_STEP_WAIT)
        return to_offset(w, (const uint8_t *)(uintptr_t)s->remote, s->len, &to->remote);
    return s->kind == HY_STEP_SIGNAL || s->heap ? HAYATE_OK : cannot("memory of a peer");
}

int hy_wired_pack(const hy_wired *w, uint32_t reduction, hy_wired_image **result)
{
    hy_wired_image head = {.magic = HY_IMAGE_MAGIC,
                           .size = (uint32_t)w->size,
                           .rank = (uint32_t)w->rank,
                           .depth = w->depth,
                           .steps = w->count,
                           .told = (uint32_t)w->told_count,
                           .asked = (uint32_t)w->asked_count,
                           .unit = w->fold.unit,
                           .reduction = reduction,
                           .lines = (uint64_t)(w->lines - w->job->part),
                           .finished = w->run};
    head.bytes = arrays_of(&head, NULL).bytes;
    hy_wired_image *image = hy_job_alloc(w->job, head.bytes);
    if (!image) return hy_job_alloc_code(w->job);
    memcpy(image, &head, sizeof head);
    arrays to = arrays_of(image, (uint8_t *)image);
    for (int i = 0; i < w->size; i++) {
        to.count_at[i] = w->count_at[i];
        to.ranks[i] = (uint32_t)hy_group_member(w->group, i);
    }
    for (int i = 0; i < w->told_count; i++) to.told[i] = (uint32_t)w->told[i];
    for (int i = 0; i < w->asked_count; i++) to.asked[i] = (uint32_t)w->asked[i];
    int rc = HAYATE_OK;
    for (uint32_t i = 0; i < w->count && !rc; i++) rc = pack_step(w, &w->steps[i], &to.steps[i]);
    if (rc) hy_job_release(w->job, image);
    else *result = image;
    return rc;
}

/* ---- reading ---- */

typedef struct reading {
    hy_wired *w;
    const hy_image_place *place;
    const hy_wired_image *image; /* a copy */
    arrays from;
    uint32_t align; /* of an element of the reduction */
    uint64_t *base; /* [size]: of the members' parts */
} reading;

static int damaged(const char *what, uint64_t value)
{
    return hy_fail(HAYATE_ERR_CORRUPT, "the image of a schedule is damaged: %s is %llu", what,
                   (unsigned long long)value);
}

/* [offset, offset + len) of each of `depth` turns. */
static bool lies_in(const reading *r, uint64_t offset, uint64_t turn, uint64_t len)
{
    uint64_t bytes = r->place->part_bytes;
    if (offset > bytes || turn > bytes / r->w->depth) return false;
    uint64_t last = offset + turn * (r->w->depth - 1);
    return last <= bytes && len <= bytes - last;
}

static int check_head(const hy_wired_image *image, uint64_t bytes)
{
    if (image->magic != HY_IMAGE_MAGIC) return damaged("magic", image->magic);
    if (image->bytes != bytes) return damaged("bytes", image->bytes);
    if (image->size < 1 || image->size > MOST_BYTES / sizeof(hy_image_step) ||
        image->rank >= image->size)
        return damaged("size", image->size);
    if (image->told > image->size || image->asked > image->size)
        return damaged("the number of peers", image->told);
    if (image->steps > MOST_BYTES / sizeof(hy_image_step)) return damaged("steps", image->steps);
    if (image->depth < 2 || image->depth > MOST_DEPTH) return damaged("depth", image->depth);
    return image->unit ? HAYATE_OK : damaged("unit", image->unit);
}

static int read_members(reading *r)
{
    const hy_wired_image *image = r->image;
    hy_wired *w = r->w;
    bool far = false;
    if (!lies_in(r, image->lines, 0, image->size * HY_SLOT_STRIDE) || image->lines % HY_LINE)
        return damaged("lines", image->lines);
    w->lines = r->place->part + image->lines;
    for (uint32_t i = 0; i < image->size; i++) {
        if (i == image->rank) continue;
        hy_ep *ep = r->place->ep_of(r->place->context, r->from.ranks[i], &r->base[i]);
        if (!ep || ep->part == r->place->part)
            return damaged("the rank of a member", r->from.ranks[i]);
        if (!lies_in(r, r->from.count_at[i], 0, HY_LINE) || r->from.count_at[i] % HY_LINE)
            return damaged("the line of a member", r->from.count_at[i]);
        w->eps[i] = ep;
        w->count_at[i] = r->base[i] + r->from.count_at[i];
        far = far || hy_ep_is_far(ep);
    }
    for (uint32_t i = 0; i < image->told + image->asked; i++) {
        uint32_t member = i < image->told ? r->from.told[i] : r->from.asked[i - image->told];
        if (member >= image->size || member == image->rank) return damaged("a member", member);
        if (i < image->told) w->told[w->told_count++] = (int)member;
        else w->asked[w->asked_count++] = (int)member;
    }
    if (far && !(w->op = malloc(sizeof *w->op)))
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a schedule");
    return HAYATE_OK;
}

/* The function of the reduction accesses whole elements at their alignment. */
static int check_fold(const reading *r, const hy_image_step *s)
{
    const hy_wired *w = r->w;
    uint64_t places = s->local | s->local_turn;
    if (s->kind == HY_STEP_REDUCE) places |= s->remote | s->remote_turn;
    if (!w->fold.reduce || s->len % w->fold.unit)
        return damaged("the length of a reduction", s->len);
    return places % r->align ? damaged("the alignment of a reduction", places) : HAYATE_OK;
}

static int read_step(reading *r, const hy_image_step *s, hy_wired_step *to)
{
    hy_wired *w = r->w;
    bool words = s->kind == HY_STEP_SIGNAL || s->kind == HY_STEP_WAIT;
    bool folds = s->kind == HY_STEP_REDUCE || (s->flags & HY_STEP_FOLD);
    uint64_t extent = words ? offsetof(hy_slot, payload) + s->len : s->len;
    if (s->kind > HY_STEP_REDUCE) return damaged("the kind of a step", s->kind);
    if (s->peer < 0 || (uint32_t)s->peer >= r->image->size)
        return damaged("the peer of a step", (uint64_t)s->peer);
    bool own = is_own(w, s->kind, s->peer);
    if (!own && (uint32_t)s->peer == r->image->rank)
        return damaged("the peer of a step", (uint64_t)s->peer);
    if (words && s->len > HY_SCHED_PAYLOAD) return damaged("the length of a payload", s->len);
    if (s->len > r->place->part_bytes || !lies_in(r, s->local, s->local_turn, s->len))
        return damaged("the memory of a step", s->local);
    if (!lies_in(r, s->remote, s->remote_turn, extent) ||
        (words && (s->remote % HY_LINE || s->remote_turn % HY_LINE)))
        return damaged("the peer's memory of a step", s->remote);
    if (folds && check_fold(r, s)) return HAYATE_ERR_CORRUPT;
    *to = (hy_wired_step){.kind = s->kind,
                          .flags = s->flags,
                          .heap = true,
                          .peer = s->peer,
                          .len = s->len,
                          .local = r->place->part + s->local,
                          .remote = s->remote,
                          .local_turn = s->local_turn,
                          .remote_turn = s->remote_turn};
    if (own || s->kind == HY_STEP_WAIT) {
        to->remote = (uint64_t)(uintptr_t)(r->place->part + s->remote);
        return HAYATE_OK;
    }
    to->ep = w->eps[s->peer];
    to->remote = r->base[s->peer] + s->remote;
    to->far = hy_ep_is_far(to->ep);
    return HAYATE_OK;
}

static int read_all(reading *r)
{
    hy_wired *w = r->w;
    const hy_wired_image *image = r->image;
    hy_fold *fold = &w->fold;
    if (image->reduction != HY_IMAGE_NO_REDUCTION)
        fold->reduce = r->place->reduction_of(image->reduction, image->unit, &r->align,
                                              &fold->context);
    if (image->reduction != HY_IMAGE_NO_REDUCTION && !fold->reduce)
        return damaged("the reduction", image->reduction);
    int rc = read_members(r);
    for (uint32_t i = 0; i < image->steps && !rc; i++) {
        rc = read_step(r, &r->from.steps[i], &w->steps[i]);
        w->count += !rc;
    }
    return !rc && w->op && fold->reduce ? hy_fold_room(fold) : rc;
}

static int allocate(hy_wired *w, const hy_wired_image *image, uint64_t **base)
{
    size_t size = image->size, steps = (image->steps + 1) * sizeof *w->steps;
    w->eps = calloc(size, sizeof *w->eps);
    w->count_at = calloc(size, sizeof *w->count_at);
    w->told = calloc(size, sizeof *w->told);
    w->asked = calloc(size, sizeof *w->asked);
    w->steps = aligned_alloc(HY_LINE, hy_round_up(steps, HY_LINE));
    *base = calloc(size, sizeof **base);
    if (w->eps && w->count_at && w->told && w->asked && w->steps && *base) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a schedule of %zu ranks", size);
}

int hy_wired_unpack(hy_wired *w, const hy_image_place *place, uint64_t offset, uint64_t bytes)
{
    *w = (hy_wired){0};
    if (bytes < sizeof(hy_wired_image) || bytes > MOST_BYTES || offset % HY_LINE ||
        offset > place->part_bytes || bytes > place->part_bytes - offset)
        return damaged("the offset", offset);
    size_t room = hy_round_up(bytes, HY_LINE);
    hy_wired_image *copy = aligned_alloc(HY_LINE, room);
    if (!copy) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a schedule");
    memcpy(copy, place->part + offset, bytes);
    reading r = {.w = w, .place = place, .image = copy};
    int rc = check_head(copy, bytes);
    if (!rc) {
        r.from = arrays_of(copy, (uint8_t *)copy);
        if (r.from.bytes != bytes) rc = damaged("bytes", bytes);
    }
    if (!rc) {
        w->depth = copy->depth;
        w->fold.unit = copy->unit;
        w->rank = (int)copy->rank;
        w->size = (int)copy->size;
        w->run = hy_load_relaxed(&copy->finished);
        rc = allocate(w, copy, &r.base);
    }
    if (!rc) rc = read_all(&r);
    free(r.base);
    free(copy);
    if (rc) hy_wired_drop(w);
    return rc;
}

void hy_wired_drop(hy_wired *w)
{
    free(w->eps);
    free(w->count_at);
    free(w->told);
    free(w->asked);
    free(w->steps);
    free(w->op);
    hy_fold_release(&w->fold);
    *w = (hy_wired){0};
}
