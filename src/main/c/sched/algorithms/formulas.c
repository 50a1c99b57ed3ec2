/* SPDX-License-Identifier: Apache-2.0 */
/* The terms of the closed formulas, from the curves of the model. */
#include "sched/algorithms/algorithms.h"

double hy_formula_signal(const hy_model *model)
{
    return model->signal + model->flight + model->take;
}

double hy_formula_extra(const hy_way *way)
{
    return way->buffers == HY_BUFFERS_PREPARED ? 0 : 1;
}

double hy_formula_move(const hy_model *model, const hy_way *way, uint64_t bytes)
{
    bool gets = way->transfer == HY_TRANSFER_GET;
    if (way->buffers != HY_BUFFERS_PREPARED)
        return hy_curve_at(gets ? &model->get : &model->put, bytes);
    if (gets) return hy_curve_at(&model->copy, bytes) + hy_curve_at(&model->get, bytes);
    return hy_curve_at(&model->payload_out, bytes) + hy_curve_at(&model->payload_in, bytes);
}

double hy_formula_fold(const hy_model *model, const hy_way *way, uint64_t bytes)
{
    if (way->transfer != HY_TRANSFER_GET)
        return hy_formula_move(model, way, bytes) + hy_curve_at(&model->reduce, bytes);
    double staged = way->buffers == HY_BUFFERS_PREPARED ? hy_curve_at(&model->copy, bytes) : 0;
    return staged + hy_curve_at(&model->reduce_get, bytes);
}

double hy_formula_paper(const hy_model *model, const hy_shape *shape, const hy_way *way)
{
    double depth = hy_log2_ceil(shape->size), sync = hy_formula_signal(model);
    double syncs = way->transfer == HY_TRANSFER_GET ? 2 : depth + 1;
    return depth * hy_formula_move(model, way, shape->bytes) + syncs * sync;
}
