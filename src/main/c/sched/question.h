/* SPDX-License-Identifier: Apache-2.0 */
/* What a choice depends on, besides the model, in a form without pointers: the same in all
 * processes of a job. */
#ifndef HY_SCHED_QUESTION_H
#define HY_SCHED_QUESTION_H

#include "sched/schedule.h"

/* It has no padding, and is compared by its bytes. */
typedef struct hy_question {
    uint64_t bytes, segment;
    uint64_t nodes; /* digest of the node map; 0: there is none */
    uint32_t unit, boxes;
    int32_t size;
    uint16_t algorithm; /* hy_algorithm_number() of the requested one */
    uint8_t coll;
    uint8_t wired, uneven, outside;
    uint8_t transfer, buffers, sync, arity;
    uint8_t unused[2];
} hy_question;

_Static_assert(sizeof(hy_question) == 48, "no padding");

/* shape: even; its rank and root do not count. way NULL: any. */
hy_question hy_question_of(const hy_shape *shape, bool uneven, bool outside,
                           const hy_algorithm *algorithm, const hy_way *way);

uint64_t hy_question_hash(const hy_question *question);
bool hy_question_is(const hy_question *a, const hy_question *b);

/* 1 + the row in hy_algorithms[]; 0: NULL. NULL for numbers that no algorithm has. */
uint16_t hy_algorithm_number(const hy_algorithm *algorithm);
const hy_algorithm *hy_algorithm_numbered(uint16_t number);

#endif
