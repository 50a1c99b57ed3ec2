/* SPDX-License-Identifier: Apache-2.0 */
/* Which algorithm, in which way: all that agree with a hint are simulated, the fastest is taken. */
#ifndef HY_SCHED_CHOOSE_H
#define HY_SCHED_CHOOSE_H

#include "sched/model.h"
#include "sched/schedule.h"

typedef struct hy_choice {
    const hy_algorithm *algorithm;
    hy_way way; /* complete */
    double ns;  /* predicted for a run */
} hy_choice;

#define HY_CHOICES_MAX 96

/* Runs of more bytes, or between nodes, are judged apart. Those of up to so many, which take less
 * time to touch than a look at the clock, as they follow each other in a loop, where ranks are
 * ahead of each other. */
#define HY_CHOOSE_BRIEF 512

/* Two levels of an alltoall whose leaders hold more bytes have to be asked for. */
#define HY_CHOOSE_HELD (UINT64_C(16) << 20)

/* All candidates, fastest first (equal ones in the order of the table; behind all others those
 * whose first run takes more than 3 times as long as the quickest's), at most HY_CHOICES_MAX into
 * list; their number, or ARGUMENT when nothing agrees with the hint, in words. algorithm NULL: any;
 * way: AUTO fields are free. Automatic segments are among none, 8 KiB, 32 KiB, 128 KiB where the
 * data have several, but not very many, arities among 2, 4, 8 below size (2 only where the
 * algorithm is given: it is the binary and the binomial tree). Prepared buffers of more than
 * HY_PREPARED_MAX bytes have to be asked for. Uneven shapes: the caller gives an even one that
 * stands for it, and `uneven` lets only algorithms in that can do uneven blocks. With several nodes
 * there is one candidate of two levels, of what is best at each; for its algorithm alone, `way` is
 * that of the levels inside the nodes. For more than 4096
 * ranks, and where a simulation would take too long, the closed formula is the prediction. */
int hy_choose_all(const hy_model *model, const hy_shape *shape, bool uneven, bool outside,
                  const hy_algorithm *algorithm, const hy_way *way, hy_choice *list);

/* The first of them. The same on all ranks that have the same model and call alike. */
int hy_choose(const hy_model *model, const hy_shape *shape, bool uneven, bool outside,
              const hy_algorithm *algorithm, const hy_way *way, hy_choice *choice);

/* Choices made before by one model, so that a shape seen once is not simulated again; one thread at
 * a time. {0} at first. */
typedef struct hy_choices {
    struct hy_choices_entry *entries;
    uint32_t count, capacity;
} hy_choices;

/* As hy_choose() for the shape with bytes rounded up to 8, 16, 32, ... elements' worth (the same
 * for neighbours) and root 0; for exactly the shape when what is best there does not fit it. */
int hy_choices_get(hy_choices *choices, const hy_model *model, const hy_shape *shape, bool uneven,
                   bool outside, const hy_algorithm *algorithm, const hy_way *way,
                   hy_choice *choice);
void hy_choices_release(hy_choices *choices);

#endif
