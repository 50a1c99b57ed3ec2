/* SPDX-License-Identifier: Apache-2.0 */
/* Times the first candidate of each algorithm and transfer, by hy_trial. */
#include "pcoll/measured.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "coll/exchange.h"
#include "coll/reductions.h"
#include "pcoll/trial.h"

#define COOKIE (HY_COOKIE_SETUP | 0x6d6561)

/* One of each algorithm and transfer, so that the few that are tried differ from each other. */
#define MOST_CANDIDATES 5

/* Of a candidate: so many batches, each of about this time by the prediction, or of MOST_RUNS. */
#define BATCHES 12
#define BATCH_NS 150e3
#define MOST_RUNS 64
#define WARM_RUNS 2

/* An operation that may stand for the call's: functions of programs are not called with numbers
 * that the program has not passed. */
static bool op_of(const hy_pcoll_call *call, hy_shape *shape, int *op)
{
    *op = 0;
    if (!hy_coll_reduces(shape->coll)) return true;
    *op = call->op;
    if (*op >= FMPL_OP_COUNT || hy_reductions[*op].unit != shape->unit) {
        if (shape->unit % sizeof(float)) return false;
        *op = shape->unit % sizeof(double) ? FMPL_FLOAT_SUM : FMPL_DOUBLE_SUM;
    }
    shape->unit = hy_reductions[*op].unit;
    return true;
}

static bool agrees(const hy_hint *wanted, const hy_choice *choice)
{
    const hy_way *want = &wanted->way, *way = &choice->way;
    if (wanted->algorithm[0] && strcmp(wanted->algorithm, choice->algorithm->name) != 0)
        return false;
    if (choice->algorithm->traits & HY_TRAIT_PARTS) return true;
    return (!want->transfer || want->transfer == way->transfer) &&
           (!want->buffers || want->buffers == way->buffers) &&
           (!want->sync || want->sync == way->sync) &&
           (!want->segment || want->segment == way->segment) &&
           (!want->arity || want->arity == way->arity);
}

static bool is_like(const hy_choice *a, const hy_choice *b)
{
    return a->algorithm == b->algorithm && a->way.transfer == b->way.transfer;
}

/* Stores their indexes, and returns their number. */
static int select_candidates(const hy_trial *trial, const hy_hint *wanted, int *selected)
{
    int count = 0;
    for (int i = 0; i < hy_trial_count(trial) && count < MOST_CANDIDATES; i++) {
        const hy_choice *choice = hy_trial_candidate(trial, i);
        bool known = !agrees(wanted, choice);
        for (int j = 0; j < count && !known; j++)
            known = is_like(hy_trial_candidate(trial, selected[j]), choice);
        if (!known) selected[count++] = i;
    }
    return count;
}

static uint32_t runs_for(const hy_choice *choice)
{
    double runs = BATCH_NS / choice->ns;
    return runs < 1 ? 1 : runs > MOST_RUNS ? MOST_RUNS : (uint32_t)runs;
}

/* The same result on all members, since the times are. A candidate for which there is no memory, or
 * no way to the buffers, is left out by all. */
static int time_candidates(hy_trial *trial, const hy_hint *wanted, hy_choice *best)
{
    int selected[MOST_CANDIDATES];
    int count = select_candidates(trial, wanted, selected);
    for (int i = 0; count > 1 && i < count; i++) {
        const hy_choice *choice = hy_trial_candidate(trial, selected[i]);
        hy_trial_time time;
        int rc = hy_trial_run(trial, selected[i], WARM_RUNS, BATCHES, runs_for(choice), &time);
        if (rc == HAYATE_ERR_NO_MEMORY || rc == HAYATE_ERR_UNSUPPORTED) continue;
        if (rc) return rc;
        if (best->algorithm && best->ns <= time.ns) continue;
        *best = *choice;
        best->ns = time.ns;
    }
    return HAYATE_OK;
}

/* One member without memory keeps all from measuring. */
static int all_opened(const hy_pcoll *op, int number, int mine, bool *opened)
{
    hy_comms *comms = op->all->comms;
    const int64_t code = mine;
    int64_t *codes = calloc((size_t)op->shape.size, sizeof *codes);
    int rc = hy_comm_acquire(comms, op->comm, number);
    *opened = codes != NULL;
    if (rc || !codes) {
        free(codes);
        if (!rc) hy_comm_release(op->comm);
        return rc ? rc : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to prepare a collective");
    }
    rc = hy_exchange_same(comms, op->comm, &code, codes, sizeof code, COOKIE);
    hy_comm_release(op->comm);
    for (int i = 0; i < op->shape.size; i++) *opened &= codes[i] == HAYATE_OK;
    free(codes);
    return rc;
}

int hy_measured_choose(const hy_pcoll *op, int number, const hy_pcoll_call *call,
                       const hy_shape *even, bool outside, const hy_hint *wanted, hy_choice *best)
{
    hy_comm *comm = op->comm;
    hy_shape shape = *even;
    hy_trial *trial = NULL;
    bool opened;
    int reduction;
    const hy_algorithm *named;
    *best = (hy_choice){0};
    int rc = hy_hint_algorithm(wanted, even, &named);
    if (rc || hy_choices_kept(&comm->measured, even, outside, &wanted->way, named, best)) return rc;
    if (!op_of(call, &shape, &reduction)) return HAYATE_OK;
    rc = hy_trial_open_shape(op->all->comms, number, &shape, reduction, outside, true, &trial);
    if (!rc) rc = hy_choices_room(&comm->measured);
    rc = all_opened(op, number, rc, &opened);
    if (!rc && opened) rc = time_candidates(trial, wanted, best);
    if (trial) hy_trial_close(trial);
    if (!rc && best->algorithm)
        hy_choices_keep(&comm->measured, even, outside, &wanted->way, named, best);
    return rc;
}
