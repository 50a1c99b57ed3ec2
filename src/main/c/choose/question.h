/* SPDX-License-Identifier: Apache-2.0 */
/* The question that the choice of a schedule answers: for which collective, on which machine. The
 * second type has no pointers, so its bytes are equal in all processes of a job. */
#ifndef HY_CHOOSE_QUESTION_H
#define HY_CHOOSE_QUESTION_H

#include "sched/model.h"
#include "sched/schedule.h"

/* What to choose an algorithm and a transfer method for. */
typedef struct hy_request {
    hy_shape shape;                /* even */
    bool uneven;                   /* it represents blocks of unequal length */
    bool outside;                  /* the caller's memory is outside of the heap */
    const hy_algorithm *algorithm; /* NULL: any */
    hy_way way;                    /* fields that are AUTO are free */
} hy_request;

/* It has no padding, and is compared by its bytes. */
typedef struct hy_question {
    uint64_t bytes, segment;
    uint64_t nodes; /* digest of the node map; 0: there is none */
    uint64_t model; /* hy_model_digest() */
    uint32_t unit, boxes;
    int32_t size;
    uint16_t algorithm; /* hy_algorithm_number() of the requested one */
    uint8_t coll;
    uint8_t wired, uneven, outside;
    uint8_t transfer, buffers, sync, arity;
    uint8_t unused[2];
} hy_question;

_Static_assert(sizeof(hy_question) == 56, "no padding");

/* model: its digest. The rank and root of the shape do not count. */
hy_question hy_question_of(const hy_request *request, uint64_t model);

/* Of every field: models that differ have, as good as always, different ones. */
uint64_t hy_model_digest(const hy_model *model);

uint64_t hy_question_hash(const hy_question *question);
bool hy_question_is(const hy_question *a, const hy_question *b);

/* 1 + the row in hy_algorithms[]; 0: NULL. NULL for numbers that no algorithm has. */
uint16_t hy_algorithm_number(const hy_algorithm *algorithm);
const hy_algorithm *hy_algorithm_numbered(uint16_t number);

#endif
