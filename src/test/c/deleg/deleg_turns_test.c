/* SPDX-License-Identifier: Apache-2.0 */
/* A collective in the delegatee that takes seconds does not hold up the commands of others. */
#include "deleg/deleg_fixture.h"

#include "coll/reductions.h"
#include "exec/wired_image.h"
#include "net/delegated/offload.h"

#define BLOCK (UINT64_C(8) << 20) /* of one step */
#define STEPS 2000                /* some seconds */
#define IMAGE_AT (2 * BLOCK)

/* A schedule of one rank, which adds the second block of its part to the first one STEPS times. */
static hy_wired_image *write_image(uint8_t *part)
{
    hy_wired_image *image = (hy_wired_image *)(void *)(part + IMAGE_AT);
    uint64_t steps_at = hy_round_up(sizeof *image, HY_LINE) + 16; /* behind an address and a rank */
    hy_image_step *steps = (hy_image_step *)(void *)((uint8_t *)image + steps_at);
    *image = (hy_wired_image){.magic = HY_IMAGE_MAGIC,
                              .bytes = steps_at + STEPS * sizeof *steps,
                              .size = 1,
                              .depth = 2,
                              .steps = STEPS,
                              .unit = hy_reductions[FMPL_LONG_SUM].unit,
                              .reduction = FMPL_LONG_SUM,
                              .lines = IMAGE_AT + BLOCK / 2};
    for (int i = 0; i < STEPS; i++)
        steps[i] = (hy_image_step){.kind = HY_STEP_REDUCE, .len = BLOCK, .remote = BLOCK};
    return image;
}

STORY_TEST(should_serve_others_while_a_collective_reduces_for_seconds, 2)
{
    join(me);
    meet(me);
    if (me->rank == 0) {
        const hy_wired_image *image = write_image(me->part);
        const hy_delegation *area = hy_control_delegation(deleg_node.control);
        hy_ep *ep = &me->eps[1];
        uint64_t handle, before;
        CHECK_OK(hy_offload_load(me->net, IMAGE_AT, image->bytes, &handle));
        CHECK_OK(hy_offload_start(me->net, handle));
        uint64_t beat = hy_load_relaxed(&area->beat);
        for (int i = 0; i < 5; i++) CHECK_OK(ep->ops->atomic(ep, 8, HY_ATOMIC_ADD, 1, 0, &before));
        while (hy_load_relaxed(&area->beat) == beat) sched_yield();
        CHECK(hy_load_acquire(&image->finished) == 0);
        CHECK_OK(hy_offload_unload(me->net, handle)); /* gives it up */
        CHECK(hy_load_acquire(&image->finished) == 0);
    }
    meet(me);
    leave(me);
}

int main(void)
{
    setenv("HAYATE_OFI_PROVIDER", "tcp;ofi_rxm", 1);
    tested = &hy_net_ofi;
    need_network();
    deleg_use();
    return tests_run();
}
