/* SPDX-License-Identifier: Apache-2.0 */
/* Questions: from a shape and what was requested, and their digests. */
#include "choose/question.h"

#include <string.h>

#include "sched/nodes.h"

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Of whole words. */
static uint64_t mix_all(uint64_t hash, const void *data, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, (const uint8_t *)data + at, sizeof word);
        hash = mix(hash, word);
    }
    return hash;
}

static uint64_t digest_of_nodes(const hy_nodes *nodes)
{
    if (!nodes) return 0;
    uint64_t hash = (uint64_t)nodes->count;
    for (int32_t i = 0; i < nodes->size; i++) hash = mix(hash, (uint64_t)nodes->of[i] + 1);
    return hash | 1;
}

hy_question hy_question_of(const hy_request *request, uint64_t model)
{
    const hy_shape *shape = &request->shape;
    const hy_way *way = &request->way;
    return (hy_question){.bytes = shape->bytes,
                         .segment = way->segment,
                         .nodes = digest_of_nodes(shape->nodes),
                         .model = model,
                         .unit = shape->unit,
                         .boxes = shape->boxes,
                         .size = shape->size,
                         .algorithm = hy_algorithm_number(request->algorithm),
                         .coll = (uint8_t)shape->coll,
                         .wired = shape->wired,
                         .uneven = request->uneven,
                         .outside = request->outside,
                         .transfer = way->transfer,
                         .buffers = way->buffers,
                         .sync = way->sync,
                         .arity = way->arity};
}

/* The first fields are numbers of 8 bytes; what is behind them has padding. */
uint64_t hy_model_digest(const hy_model *model)
{
    uint64_t hash = mix_all(0, model, offsetof(hy_model, cpus));
    hash = mix(hash, (uint64_t)model->cpus << 8 | model->measured);
    hash = mix_all(hash, model->nets, sizeof model->nets);
    return mix(hash, model->net);
}

uint64_t hy_question_hash(const hy_question *question)
{
    return mix_all(0, question, sizeof *question);
}

bool hy_question_is(const hy_question *a, const hy_question *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

uint16_t hy_algorithm_number(const hy_algorithm *algorithm)
{
    uint16_t row = 0;
    if (!algorithm) return 0;
    while (hy_algorithms[row] != algorithm) row++;
    return (uint16_t)(row + 1);
}

const hy_algorithm *hy_algorithm_numbered(uint16_t number)
{
    uint16_t row = 0;
    while (hy_algorithms[row] && row + 1 != number) row++;
    return hy_algorithms[row];
}
