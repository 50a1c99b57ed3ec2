/* SPDX-License-Identifier: Apache-2.0 */
/* Lets candidates compete, timed by hy_trial. */
#include "pcoll/measured.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "coll/exchange.h"
#include "coll/reductions.h"
#include "pcoll/trial.h"

#define COOKIE (HY_COOKIE_SETUP | 0x6d6561)

/* First one of each algorithm and transfer, so that those that are compared differ from each other;
 * then the best of them and its variants, such as other segments. */
#define MOST_ENTRANTS 6

/* Each round times all in turn, each by BATCHES batches of about this time: a machine may change
 * its speed between two rounds, and then does so for all. Ranks that share cores need batches that
 * are long compared with a time slice. */
#define ROUNDS 3
#define BATCHES 5
#define BATCH_NS 150e3
#define SHARED_BATCH_NS 1e6
#define MOST_RUNS 64
#define WARM_RUNS 2

/* An entrant that takes TOO_SLOW times the time of the best, or more, is not timed again. */
#define TOO_SLOW 1.5

typedef struct entrant {
    int index; /* of the candidate */
    bool out;
    int rounds;
    double ns[ROUNDS]; /* ascending */
} entrant;

/* An operation that may stand for the call's: functions of programs are not called with numbers
 * that the program has not passed. */
static bool op_of(const hy_arguments *call, hy_shape *shape, int *op)
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

static const hy_choice *candidate_of(const hy_trial *trial, const entrant *entrant)
{
    return hy_trial_candidate(trial, entrant->index);
}

/* Returns the number of entrants. */
static int enter_one_of_each(const hy_trial *trial, const hy_hint *wanted, entrant *entrants)
{
    int count = 0;
    for (int i = 0; i < hy_trial_count(trial) && count < MOST_ENTRANTS; i++) {
        const hy_choice *choice = hy_trial_candidate(trial, i);
        bool enters = agrees(wanted, choice);
        for (int j = 0; j < count && enters; j++)
            enters = !is_like(candidate_of(trial, &entrants[j]), choice);
        if (enters) entrants[count++] = (entrant){.index = i};
    }
    return count;
}

static int enter_variants(const hy_trial *trial, const hy_hint *wanted, int of, entrant *entrants)
{
    int count = 0;
    entrants[count++] = (entrant){.index = of};
    for (int i = 0; i < hy_trial_count(trial) && count < MOST_ENTRANTS; i++) {
        const hy_choice *choice = hy_trial_candidate(trial, i);
        if (i != of && agrees(wanted, choice) && is_like(hy_trial_candidate(trial, of), choice))
            entrants[count++] = (entrant){.index = i};
    }
    return count;
}

static uint32_t runs_for(double batch, double run)
{
    double runs = batch / run;
    return runs < 1 ? 1 : runs > MOST_RUNS ? MOST_RUNS : (uint32_t)runs;
}

static double median_of(const entrant *entrant)
{
    return entrant->ns[(entrant->rounds - 1) / 2];
}

static void add_time(entrant *entrant, double ns)
{
    int at = entrant->rounds++;
    for (; at > 0 && entrant->ns[at - 1] > ns; at--) entrant->ns[at] = entrant->ns[at - 1];
    entrant->ns[at] = ns;
}

/* A candidate for which there is no memory, or no way to the buffers, is left out by all. */
static int time_entrant(hy_trial *trial, double batch, entrant *entrant)
{
    double run = entrant->rounds ? median_of(entrant) : candidate_of(trial, entrant)->ns;
    hy_trial_time time;
    int rc = hy_trial_run(trial, entrant->index, WARM_RUNS, BATCHES, runs_for(batch, run), &time);
    entrant->out = rc == HAYATE_ERR_NO_MEMORY || rc == HAYATE_ERR_UNSUPPORTED;
    if (!rc) add_time(entrant, time.ns);
    return entrant->out ? HAYATE_OK : rc;
}

/* NULL: all are out. */
static entrant *best_of(entrant *entrants, int count)
{
    entrant *best = NULL;
    for (int i = 0; i < count; i++)
        if (!entrants[i].out && (!best || median_of(&entrants[i]) < median_of(best)))
            best = &entrants[i];
    return best;
}

static void drop_slow(entrant *entrants, int count)
{
    const entrant *best = best_of(entrants, count);
    for (int i = 0; i < count; i++)
        if (!entrants[i].out && median_of(&entrants[i]) > TOO_SLOW * median_of(best))
            entrants[i].out = true;
}

static int time_all(hy_trial *trial, double batch, entrant *entrants, int count)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < count; i++) {
            entrant *next = &entrants[(i + round) % count];
            int rc = next->out ? HAYATE_OK : time_entrant(trial, batch, next);
            if (rc) return rc;
        }
        drop_slow(entrants, count);
    }
    return HAYATE_OK;
}

/* *best: the index of the fastest, which result becomes; unchanged without a choice. */
static int compare(hy_trial *trial, double batch, entrant *entrants, int count, int *best,
                   hy_choice *result)
{
    int rc = count > 1 ? time_all(trial, batch, entrants, count) : HAYATE_OK;
    const entrant *fastest = rc || count < 2 ? NULL : best_of(entrants, count);
    if (!fastest) return rc;
    *best = fastest->index;
    *result = *candidate_of(trial, fastest);
    result->ns = median_of(fastest);
    return HAYATE_OK;
}

/* The same result on all members, since the times are. */
static int time_candidates(hy_trial *trial, const hy_hint *wanted, double batch, hy_choice *result)
{
    entrant entrants[MOST_ENTRANTS];
    int count = enter_one_of_each(trial, wanted, entrants);
    if (!count) return HAYATE_OK;
    int best = entrants[0].index;
    int rc = compare(trial, batch, entrants, count, &best, result);
    if (rc) return rc;
    count = enter_variants(trial, wanted, best, entrants);
    return compare(trial, batch, entrants, count, &best, result);
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
    hy_request request = {*even, .outside = outside, .way = wanted->way};
    *best = (hy_choice){0};
    int rc = hy_hint_algorithm(wanted, even, &request.algorithm);
    if (rc || hy_choices_kept(&comm->measured, &request, best)) return rc;
    if (!op_of(&call->arguments, &shape, &reduction)) return HAYATE_OK;
    rc = hy_trial_open_shape(op->all->comms, number, &shape, reduction, outside, true, &trial);
    if (!rc) rc = hy_choices_room(&comm->measured);
    rc = all_opened(op, number, rc, &opened);
    const hy_comms *comms = op->all->comms;
    double batch = even->size > comms->model.cpus ? SHARED_BATCH_NS : BATCH_NS;
    if (!rc && opened) rc = time_candidates(trial, wanted, batch, best);
    if (trial) hy_trial_close(trial);
    if (!rc && best->algorithm) hy_choices_keep(&comm->measured, &request, best);
    return rc;
}
