/* SPDX-License-Identifier: Apache-2.0 */
/* Questions: from a shape and what was requested, and their digests. */
#include "sched/question.h"

#include <string.h>

#include "sched/nodes.h"

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t digest_of_nodes(const hy_nodes *nodes)
{
    if (!nodes) return 0;
    uint64_t hash = (uint64_t)nodes->count;
    for (int32_t i = 0; i < nodes->size; i++) hash = mix(hash, (uint64_t)nodes->of[i] + 1);
    return hash | 1;
}

hy_question hy_question_of(const hy_shape *shape, bool uneven, bool outside,
                           const hy_algorithm *algorithm, const hy_way *way)
{
    const hy_way any = {0};
    if (!way) way = &any;
    return (hy_question){.bytes = shape->bytes,
                         .segment = way->segment,
                         .nodes = digest_of_nodes(shape->nodes),
                         .unit = shape->unit,
                         .boxes = shape->boxes,
                         .size = shape->size,
                         .algorithm = hy_algorithm_number(algorithm),
                         .coll = (uint8_t)shape->coll,
                         .wired = shape->wired,
                         .uneven = uneven,
                         .outside = outside,
                         .transfer = way->transfer,
                         .buffers = way->buffers,
                         .sync = way->sync,
                         .arity = way->arity};
}

uint64_t hy_question_hash(const hy_question *question)
{
    uint64_t words[sizeof *question / sizeof(uint64_t)], hash = 0;
    memcpy(words, question, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) hash = mix(hash, words[i]);
    return hash;
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
