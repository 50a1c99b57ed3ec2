/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HY_TEST_CHOOSE_FIXTURE_H
#define HY_TEST_CHOOSE_FIXTURE_H

#include "base/status.h"
#include "choose/choose.h"

static inline hy_shape shape_of(hy_coll coll, int ranks, uint64_t bytes)
{
    return (hy_shape){.coll = coll, .size = ranks, .bytes = bytes, .unit = 8, .wired = true};
}

static inline hy_choice chosen(const hy_model *model, const hy_shape *shape, const hy_way *way)
{
    hy_choice choice = {0};
    int rc = hy_choose(model, &(hy_request){.shape = *shape, .way = way ? *way : (hy_way){0}},
                       &choice);
    if (rc)
        fail_msg("%s of %d ranks, %d B: %s", hy_coll_name(shape->coll), shape->size,
                 (int)shape->bytes, hayate_error());
    return choice;
}

static inline bool same_way(const hy_way *a, const hy_way *b)
{
    return a->transfer == b->transfer && a->buffers == b->buffers && a->sync == b->sync &&
           a->arity == b->arity && a->segment == b->segment;
}

static inline void assert_same(const hy_choice *a, const hy_choice *b)
{
    if (a->algorithm != b->algorithm || !same_way(&a->way, &b->way))
        fail_msg("%s for %f, %s for %f", a->algorithm->name, a->ns, b->algorithm->name, b->ns);
    assert_float_equal(a->ns, b->ns, 1e-6 * b->ns);
}

#endif
