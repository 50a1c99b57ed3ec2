/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule that fits what a caller wishes and what the settings say. */
#include "coll/planning.h"

#include "choose/hint.h"
#include "coll/choosing.h"
#include "exec/places.h"
#include "sched/builder.h"

/* fmpl_hbcast(): all ranks read the root's memory; on other nodes, that of a leader. */
static void hint_shared(const hy_shape *shape, hy_hint *hint, const hy_algorithm **algorithm)
{
    const hy_algorithm *both = hy_algorithm_find(HY_COLL_BCAST, "two_level");
    *algorithm = both->applies(shape) ? both : NULL;
    if (shape->nodes && !*algorithm) return; /* one rank per node: nothing is shared */
    if (!*algorithm) *algorithm = hy_algorithm_find(HY_COLL_BCAST, "linear");
    hint->way = (hy_way){.transfer = HY_TRANSFER_GET, .buffers = HY_BUFFERS_STRAIGHT};
}

/* A caller's hint may be for several collectives, not all of which have its algorithm. */
static const hy_hint *hint_that_fits(const hy_hint *hint, const hy_shape *shape)
{
    const hy_algorithm *found = hint ? hy_algorithm_find(shape->coll, hint->algorithm) : NULL;
    return found && found->applies(shape) ? hint : NULL;
}

static int choose(hy_comms *comms, hy_comm *comm, const hy_shape *shape, bool uneven,
                  hy_plan_wish wish, hy_choice *choice)
{
    hy_hint hint = {0};
    const hy_algorithm *algorithm = NULL;
    int rc = HAYATE_OK;
    if (wish.shared) {
        hint_shared(shape, &hint, &algorithm);
    } else {
        rc = hy_hint_gather(shape, NULL, NULL, hint_that_fits(wish.hint, shape), &hint);
        if (!rc) rc = hy_hint_algorithm(&hint, shape, &algorithm);
    }
    if (rc) return rc;
    hy_request request = {*shape, uneven, .algorithm = algorithm, .way = hint.way};
    rc = hy_comm_choose(comms, comm, &request, choice);
    if (rc != HAYATE_ERR_ARGUMENT) return rc;
    /* The transfer method is one that only persistent collectives, or shorter ones, have. */
    request.way = (hy_way){0};
    return hy_comm_choose(comms, comm, &request, choice);
}

/* Where members know only their own blocks, they assume blocks of this length: for short ones the
 * latency decides, for long ones the bandwidth of the transfer method that this length gets. */
#define PRIVATE_BYTES 8192

static uint64_t largest(const hy_shape *shape)
{
    const hy_block *blocks = shape->in_blocks ? shape->in_blocks : shape->out_blocks;
    uint64_t most = 0;
    for (int i = 0; i < shape->size; i++)
        if (blocks[i].len > most) most = blocks[i].len;
    return most;
}

/* The even shape by which all members choose for an uneven one: it must be the same on all. */
static hy_shape representative(const hy_shape *shape)
{
    hy_shape even = *shape;
    uint64_t some = PRIVATE_BYTES / shape->unit * shape->unit;
    if (!shape->uneven) return even;
    even.bytes = hy_shape_is_private(shape) ? some ? some : shape->unit : largest(shape);
    even.in_blocks = even.out_blocks = NULL;
    even.uneven = false;
    return even;
}

int hy_plan_make(hy_comms *comms, hy_comm *comm, const hy_shape *shape, hy_plan_wish wish,
                 hy_plan **plan)
{
    hy_choice choice;
    hy_schedule schedule;
    const hy_shape even = representative(shape);
    int rc = choose(comms, comm, &even, shape->uneven, wish, &choice);
    if (!rc) rc = hy_schedule_build(&schedule, choice.algorithm, shape, &choice.way);
    if (rc) return rc;
    rc = hy_places_find(&schedule, &comm->exec.cells);
    if (!rc) return hy_plans_add(&comm->plans, &schedule, wish, plan);
    hy_schedule_release(&schedule);
    return rc;
}
