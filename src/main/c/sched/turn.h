/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a leader holds between the levels of an alltoall: the blocks that its node sends, later
 * those that it receives, in two areas of TMP. A level brings them to CAME, and a *turn* copies
 * them to GOES in the order that the next level needs:
 *
 *   rows    a row for each rank of the node: its blocks for (of) all ranks, as in its IN (OUT)
 *   slots   a slot for each node: the blocks between that node and this one, sender by sender,
 *           those of a sender receiver by receiver. A slot begins at the same place on all
 *           leaders: they are as far apart as they would be in the largest node.
 */
#ifndef HY_SCHED_TURN_H
#define HY_SCHED_TURN_H

#include "sched/builder.h"

struct hy_model;

/* Whether the sizes of the areas, and of what goes between nodes, can be represented. */
bool hy_turn_fits(const hy_shape *shape);

/* Bytes of an area: CAME is at the start of TMP, GOES behind it. */
uint64_t hy_turn_area(const hy_shape *shape);

/* slots[nodes]: those of shape->rank's node. */
void hy_turn_slots(const hy_shape *shape, hy_block *slots);

/* On a leader: from rows to slots after level UP, from slots to rows after ACROSS. slots: those of
 * its node. */
void hy_turn(hy_schedule *s, const hy_block *slots, int level);

/* ns of both turns, in the largest node. */
double hy_turn_formula(const struct hy_model *model, const hy_shape *shape);

#endif
