/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives that ranks have handed over whole: images of wired schedules, which run here between
 * their start and their end without the rank. */
#include <stdlib.h>

#include "base/status.h"
#include "coll/reductions.h"
#include "deleg/deleg_state.h"
#include "exec/wired_image.h"

/* Of one rank: a mistake of a program must not take all memory of the node's delegatee. */
#define MOST_IMAGES 65536

/* What a collective moves and reduces in a turn: some 30 us, then the others go on. */
#define SLICE_BYTES (UINT64_C(128) << 10)

struct deleg_image {
    hy_wired wired;
    deleg_rank *rank;
    hy_wired_image *shared; /* in the rank's memory: only `finished` and `status` are used */
    bool running, dropped;  /* dropped: as soon as nothing is under way */
    deleg_image *next;      /* of those that run */
};

/* ---- what an image refers to ---- */

static hy_ep *ep_of(void *context, uint32_t rank, uint64_t *base)
{
    hy_deleg *deleg = context;
    uint32_t part;
    if (rank >= deleg->layout.rule.by_node.count) return NULL;
    int node = (int)hy_layout_node(&deleg->layout, rank, &part);
    if (node != deleg->job.rank) {
        *base = part * deleg->part_bytes;
        return hy_deleg_node(deleg, node);
    }
    if (part >= deleg->parts) return NULL;
    *base = 0;
    return &deleg->ranks[part].ep;
}

static hy_reduce reduction_of(uint32_t number, uint32_t unit, uint32_t *align, void **context)
{
    if (number >= FMPL_OP_COUNT || hy_reductions[number].unit != unit) return NULL;
    *align = hy_reductions[number].align;
    *context = hy_reductions[number].context;
    return hy_reductions[number].apply;
}

/* ---- commands ---- */

static deleg_image *image_of(const deleg_rank *rank, uint64_t handle)
{
    return handle < rank->image_count ? rank->images[handle] : NULL;
}

static int take_handle(deleg_rank *rank, uint64_t *handle)
{
    uint32_t count = rank->image_count;
    for (*handle = 0; *handle < count && rank->images[*handle]; ++*handle) continue;
    if (*handle < count) return HAYATE_OK;
    uint32_t more = count ? 2 * count : 16;
    deleg_image **images = more <= MOST_IMAGES ? realloc(rank->images, more * sizeof(deleg_image *))
                                               : NULL;
    if (!images)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for collective %u of a rank", count);
    memset(images + count, 0, (more - count) * sizeof(deleg_image *));
    rank->images = images;
    rank->image_count = more;
    return HAYATE_OK;
}

static int load_image(hy_deleg *deleg, deleg_rank *rank, const hy_command *command,
                      uint64_t *handle)
{
    const hy_image_place place = {.part = rank->memory,
                                  .part_bytes = deleg->part_bytes,
                                  .ep_of = ep_of,
                                  .context = deleg,
                                  .reduction_of = reduction_of};
    int rc = take_handle(rank, handle);
    if (rc) return rc;
    deleg_image *image = aligned_alloc(HY_LINE, hy_round_up(sizeof *image, HY_LINE));
    if (!image) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a collective");
    *image = (deleg_image){.rank = rank};
    rc = hy_wired_unpack(&image->wired, &place, command->local, command->len);
    if (rc) {
        free(image);
        return rc == HAYATE_ERR_CORRUPT ? HAYATE_ERR_ARGUMENT : rc; /* CORRUPT is of the network */
    }
    image->shared = (hy_wired_image *)(void *)(rank->memory + command->local);
    rank->images[*handle] = image;
    return HAYATE_OK;
}

static int start(hy_deleg *deleg, const deleg_rank *rank, uint64_t handle)
{
    deleg_image *image = image_of(rank, handle);
    if (!image || image->running)
        return hy_fail(HAYATE_ERR_ARGUMENT, "collective %llu of a rank %s",
                       (unsigned long long)handle, image ? "runs already" : "does not exist");
    hy_wired_start(&image->wired);
    image->running = true;
    image->next = deleg->running;
    deleg->running = image;
    return HAYATE_OK;
}

static void drop_image(deleg_image *image)
{
    hy_wired_drop(&image->wired);
    free(image);
}

/* A run that was given up may have an operation under way, which uses the image. */
static int unload(deleg_rank *rank, uint64_t handle)
{
    deleg_image *image = image_of(rank, handle);
    if (!image)
        return hy_fail(HAYATE_ERR_ARGUMENT, "collective %llu of a rank does not exist",
                       (unsigned long long)handle);
    rank->images[handle] = NULL;
    if (image->running) image->dropped = true;
    else drop_image(image);
    return HAYATE_OK;
}

int hy_deleg_offload(hy_deleg *deleg, deleg_rank *rank, const hy_command *command, uint64_t *before)
{
    *before = 0;
    switch (command->kind) {
    case HY_COMMAND_LOAD: return load_image(deleg, rank, command, before);
    case HY_COMMAND_START: return start(deleg, rank, command->operand);
    default: return unload(rank, command->operand);
    }
}

/* ---- runs ---- */

/* True: the run is over, or was given up and uses nothing any more. */
static bool step(deleg_image *image)
{
    if (image->dropped) {
        hy_wired *w = &image->wired;
        if (!w->under_way) return true;
        hy_ep *ep = w->eps[w->member];
        w->under_way = hy_op_test(ep->ops, ep, w->op) == HAYATE_IN_PROGRESS;
        return !w->under_way;
    }
    int rc = hy_wired_run_slice(&image->wired, SLICE_BYTES);
    if (rc == HAYATE_IN_PROGRESS) return false;
    hy_store_relaxed(&image->shared->status, rc);
    hy_store_release(&image->shared->finished, image->wired.run);
    hy_bell_ring(image->rank->bell);
    return true;
}

int hy_deleg_run(hy_deleg *deleg)
{
    int ended = 0;
    for (deleg_image **place = &deleg->running; *place;) {
        deleg_image *image = *place;
        uint32_t next = image->wired.next;
        uint64_t moved = image->wired.moved;
        bool over = step(image);
        ended += over || image->wired.next != next || image->wired.moved != moved;
        if (!over) {
            place = &image->next;
            continue;
        }
        *place = image->next;
        image->running = false;
        if (image->dropped) drop_image(image);
    }
    return ended;
}

void hy_deleg_drop_all(hy_deleg *deleg)
{
    while (deleg->running) {
        deleg_image *image = deleg->running;
        deleg->running = image->next;
        image->running = false;
        if (image->dropped) drop_image(image);
    }
    for (uint32_t part = 0; deleg->ranks && part < deleg->parts; part++) {
        deleg_rank *rank = &deleg->ranks[part];
        for (uint32_t i = 0; i < rank->image_count; i++)
            if (rank->images[i]) drop_image(rank->images[i]);
        free(rank->images);
    }
}
