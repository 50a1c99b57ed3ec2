/* SPDX-License-Identifier: Apache-2.0 */
/* What a member requests when it prepares an operation, for the others to compare. */
#ifndef HY_PCOLL_MEANING_H
#define HY_PCOLL_MEANING_H

#include "pcoll/operation.h"

typedef struct hy_meaning {
    uint32_t coll, unit, op, root, uneven, outside, measured;
    uint64_t bytes;          /* of an even operation */
    uint64_t largest;        /* its largest block */
    uint64_t blocks;         /* hash of the blocks, if all members must pass the same; else 0 */
    uint64_t hint;           /* hash of the program's options */
    uint64_t sends, expects; /* bytes to and from the reader, of an uneven operation; else 0 */
} hy_meaning;

/* What all members are told alike. outside: this member's memory is reached by single copies alone;
 * measured: it wants a choice by measurement. */
hy_meaning hy_meaning_of(const hy_pcoll *op, int reduction, const hy_hint *options, bool outside,
                         bool measured);

/* Adds what only this peer is to know. */
void hy_meaning_for(const hy_pcoll *op, int peer, hy_meaning *meaning);

/* MISMATCH, with what differs. */
int hy_meaning_compare(const hy_pcoll *op, int peer, const hy_meaning *mine,
                       const hy_meaning *theirs);

#endif
