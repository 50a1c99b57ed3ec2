/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses an algorithm and a transfer method: simulates all candidates that agree with a hint, and
 * takes the fastest. */
#ifndef HY_CHOOSE_CHOOSE_H
#define HY_CHOOSE_CHOOSE_H

#include "choose/question.h"
#include "sched/model.h"

typedef struct hy_choice {
    const hy_algorithm *algorithm;
    hy_way way; /* complete: no field is AUTO */
    double ns;  /* predicted time of a run */
} hy_choice;

/* Its time by the closed formula of its algorithm, which knows a core for each rank, and the
 * network for all that two ranks exchange if there are nodes; 0 if there is nothing to do. */
double hy_choice_formula(const hy_choice *choice, const hy_model *model, const hy_shape *shape);

#define HY_CHOICES_MAX 96

/* Runs of more bytes, or between nodes, are predicted separately. Runs of at most this many bytes,
 * which take less time to touch than a reading of the clock, are predicted as in a loop, where
 * ranks are ahead of each other. */
#define HY_CHOOSE_BRIEF 512

/* An alltoall of two levels whose leaders hold more bytes is used only if requested. */
#define HY_CHOOSE_HELD (UINT64_C(16) << 20)

/* On shared cores, algorithms whose ranks signal all others (HY_TRAIT_TO_ALL) are used for more
 * ranks only if requested. */
#define HY_CHOOSE_TO_ALL 64

/* Lists all candidates, the chosen one and then the fastest first (equal ones in the order of the
 * table; behind all others those whose first run takes more than 3 times as long as the fastest
 * first run), at most HY_CHOICES_MAX. Chosen is the fastest; or of those about as fast (within
 * 10 %, on shared cores 30 %) the one that takes least in a loop, where ranks are ahead of each
 * other. Returns their number, or ARGUMENT with the reason if none agrees with the hint.
 * Automatic segments are none, 8 KiB, 32 KiB and
 * 128 KiB, if the data have several but not very many; arities are 2, 4 and 8 below size (2 only if
 * the algorithm is given: it is the binary and the binomial tree). Prepared buffers of more than
 * HY_PREPARED_MAX bytes must be requested. `uneven` admits only
 * algorithms that support uneven blocks. With several nodes
 * there is one candidate of two levels, made of the best at each level; for this algorithm alone,
 * `way` is that of the levels inside the nodes. For more than 4096 ranks, and if a simulation would
 * take too long, the closed formula is the prediction. */
int hy_choose_all(const hy_model *model, const hy_request *request, hy_choice *list);

/* The first candidate of hy_choose_all(). It is the same on all ranks with the same model and
 * arguments. */
int hy_choose(const hy_model *model, const hy_request *request, hy_choice *choice);

/* The choices made with one model so far, so that a shape is not simulated twice; used by one
 * thread at a time. Initialise with {0}. */
typedef struct hy_choices {
    struct hy_choices_entry *entries;
    uint32_t count, capacity;
    struct hy_board *board; /* of all ranks of the node; NULL: this one chooses by itself */
    uint64_t model;         /* hy_model_digest(); with a board */
    uint32_t rank;          /* of the job; with a board */
    uint32_t chooser;       /* who chooses, after IN_PROGRESS */
    bool answered;          /* set when this one has answered for all: their bells are to ring */
} hy_choices;

/* Like hy_choose(), for the shape with bytes rounded up to 8, 16, 32, ... elements (the same for
 * similar sizes) and root 0; for the exact shape if the best choice for the rounded one does not
 * fit it. IN_PROGRESS, only with a board: another rank of the node is choosing, perhaps for seconds
 * with hundreds of ranks: ask again, or ask without the board if that rank is gone. */
int hy_choices_get(hy_choices *choices, const hy_model *model, const hy_request *request,
                   hy_choice *choice);

/* For choices that were made otherwise: keeps one, for which hy_choices_room() has made room
 * (NO_MEMORY), and finds it for shapes of about the same size, uneven or not. */
int hy_choices_room(hy_choices *choices);
void hy_choices_keep(hy_choices *choices, const hy_request *request, const hy_choice *choice);
bool hy_choices_kept(const hy_choices *choices, const hy_request *request, hy_choice *choice);

void hy_choices_release(hy_choices *choices);

#endif
