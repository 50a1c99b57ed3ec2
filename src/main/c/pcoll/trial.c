/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects the candidates of all transfers in one list, prepares each by its own options, and
 * combines the times of all members by an exchange after each run.
 */
#include "pcoll/trial.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "choose/hint.h"
#include "coll/exchange.h"

#define COOKIE 0x74726961
#define TRANSFERS 3

struct hy_trial {
    hy_comms *comms;
    hy_comm *comm;
    int number; /* of the communicator */
    hy_shape shape;
    int op;
    uint8_t *in, *out;
    uint64_t in_bytes, out_bytes;
    bool fresh;
    bool outside; /* memory is reached by single copies alone */
    bool apart;   /* the buffers are not in the heap */
    double clock; /* ns of a reading of the clock */
    hy_pcoll *barrier;
    int chosen[TRANSFERS];
    int count;
    hy_choice list[TRANSFERS * (HY_CHOICES_MAX + 1)];
};

typedef struct record {
    double clock, ns[HY_TRIAL_BATCHES];
} record;

_Static_assert(sizeof(record) <= HY_SCHED_PAYLOAD, "record");

_Static_assert(HY_TRANSFER_AUTO == 0 && HY_TRANSFER_GET == TRANSFERS - 1, "indexes of chosen");

/* ---- candidates ---- */

static bool same(const hy_choice *a, const hy_choice *b)
{
    return a->algorithm == b->algorithm && a->way.transfer == b->way.transfer &&
           a->way.buffers == b->way.buffers && a->way.sync == b->way.sync &&
           a->way.segment == b->way.segment &&
           (a->way.arity == b->way.arity || !(a->algorithm->traits & HY_TRAIT_ARITY));
}

/* The index of an equal candidate, or of a new one. */
static int trial_place_of(hy_trial *t, const hy_choice *choice)
{
    for (int i = 0; i < t->count; i++)
        if (same(&t->list[i], choice)) return i;
    t->list[t->count] = *choice;
    return t->count++;
}

static hy_request request_with(const hy_trial *t, hy_transfer transfer)
{
    return (hy_request){t->shape, .outside = t->outside, .way = {.transfer = (uint8_t)transfer}};
}

/* The choice is made with the sizes rounded as in init, for which the model may predict another
 * time. */
static int add_chosen(hy_trial *t, const hy_request *request, const hy_choice *all, int count)
{
    hy_choices choices = {0};
    hy_choice choice;
    int rc = hy_choices_get(&choices, &t->comms->model, request, &choice);
    hy_choices_release(&choices);
    if (rc) return rc;
    for (int i = 0; i < count; i++)
        if (same(&all[i], &choice)) choice.ns = all[i].ns;
    t->chosen[request->way.transfer] = trial_place_of(t, &choice);
    return HAYATE_OK;
}

/* The list for all transfers may be too long, so put and get have separate lists. */
static int add_transfer(hy_trial *t, hy_transfer transfer)
{
    hy_choice all[HY_CHOICES_MAX];
    const hy_request request = request_with(t, transfer);
    t->chosen[transfer] = -1;
    int count = hy_choose_all(&t->comms->model, &request, all);
    if (count == HAYATE_ERR_ARGUMENT && transfer)
        return HAYATE_OK; /* no candidate uses this
                           * transfer */
    if (count < 0) return count;
    for (int i = 0; i < count; i++) trial_place_of(t, &all[i]);
    return add_chosen(t, &request, all, count);
}

static int faster(const void *a, const void *b)
{
    const hy_choice *x = a, *y = b;
    return x->ns < y->ns ? -1 : x->ns > y->ns;
}

static int find_candidates(hy_trial *t)
{
    hy_choice chosen[TRANSFERS];
    int rc = HAYATE_OK;
    for (int i = 0; !rc && i < TRANSFERS; i++) rc = add_transfer(t, (hy_transfer)i);
    if (rc) return rc;
    for (int i = 0; i < TRANSFERS; i++)
        if (t->chosen[i] >= 0) chosen[i] = t->list[t->chosen[i]];
    qsort(t->list, (size_t)t->count, sizeof *t->list, faster);
    for (int i = 0; i < TRANSFERS; i++)
        if (t->chosen[i] >= 0) t->chosen[i] = trial_place_of(t, &chosen[i]);
    return HAYATE_OK;
}

int hy_trial_count(const hy_trial *t)
{
    return t->count;
}

const hy_choice *hy_trial_candidate(const hy_trial *t, int index)
{
    return &t->list[index];
}

int hy_trial_chosen(const hy_trial *t, hy_transfer transfer)
{
    return t->chosen[transfer];
}

void hy_trial_hint(const hy_choice *choice, hy_hint *hint)
{
    *hint = (hy_hint){.way = choice->way};
    if (choice->algorithm->traits & HY_TRAIT_PARTS) hint->way = (hy_way){0};
    snprintf(hint->algorithm, sizeof hint->algorithm, "%s", choice->algorithm->name);
    if (!(choice->algorithm->traits & HY_TRAIT_ARITY)) hint->way.arity = 0;
}

int hy_trial_options(const hy_trial *t, int index, char *text, size_t size)
{
    hy_hint hint;
    hy_trial_hint(&t->list[index], &hint);
    return hy_hint_text(&hint, text, size);
}

/* ---- open and close ---- */

/* Zeros: their sums stay zero and are fast to compute. */
static int take_side(hy_trial *t, hy_region region, uint8_t **side, uint64_t *side_bytes)
{
    uint64_t bytes = *side_bytes = hy_region_bytes(&t->shape, region);
    if (!bytes) return HAYATE_OK;
    *side = t->apart ? aligned_alloc(HY_LINE, hy_round_up(bytes, HY_LINE))
                     : hy_job_alloc(t->comms->job, bytes);
    if (!*side)
        return t->apart ? hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a trial")
                        : hy_job_alloc_code(t->comms->job);
    memset(*side, 0, bytes);
    return HAYATE_OK;
}

static void give_side(const hy_trial *t, uint8_t *side)
{
    if (t->apart) free(side);
    else if (side) hy_job_release(t->comms->job, side);
}

static int open_trial(hy_trial *t)
{
    int rc = hy_shape_check(&t->shape);
    if (!rc) rc = take_side(t, HY_IN, &t->in, &t->in_bytes);
    if (!rc) rc = take_side(t, HY_OUT, &t->out, &t->out_bytes);
    return rc ? rc : find_candidates(t);
}

int hy_trial_open_shape(hy_comms *comms, int number, const hy_shape *shape, int op, bool outside,
                        bool fresh, hy_trial **result)
{
    hy_comm *comm = hy_comm_find(comms, number);
    if (!comm) return HAYATE_ERR_ARGUMENT;
    hy_trial *t = calloc(1, sizeof *t);
    if (!t) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a trial");
    t->comms = comms;
    t->comm = comm;
    t->number = number;
    t->fresh = fresh;
    t->apart = outside;
    t->outside = (outside || comms->job->single_forced) && comms->job->single_copy;
    t->clock = hy_clock_cost();
    t->shape = *shape;
    t->op = op;
    int rc = open_trial(t);
    if (rc) hy_trial_close(t);
    else *result = t;
    return rc;
}

int hy_trial_open(hy_comms *comms, int number, hy_coll coll, uint64_t bytes, bool fresh,
                  hy_trial **trial)
{
    const hy_comm *comm = hy_comm_find(comms, number);
    if (!comm) return HAYATE_ERR_ARGUMENT;
    int op = bytes % sizeof(double) == 0 ? FMPL_DOUBLE_SUM : FMPL_FLOAT_SUM;
    const hy_shape shape = {.coll = coll,
                            .rank = comm->group.rank,
                            .size = comm->group.size,
                            .bytes = coll == HY_COLL_BARRIER ? 0 : bytes,
                            .unit = hy_coll_reduces(coll) ? hy_reductions[op].unit : 1,
                            .wired = true,
                            .nodes = comm->nodes};
    return hy_trial_open_shape(comms, number, &shape, op, false, fresh, trial);
}

/* After a run no peer accesses the sides any more. */
void hy_trial_close(hy_trial *t)
{
    if (t->barrier) hy_pcoll_free(t->barrier);
    give_side(t, t->in);
    give_side(t, t->out);
    free(t);
}

/* ---- timing ---- */

static int trial_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double lower_quartile(record *records, int size, uint32_t batches)
{
    double *slowest = records[0].ns;
    for (int member = 1; member < size; member++)
        for (uint32_t i = 0; i < batches; i++)
            if (records[member].ns[i] > slowest[i]) slowest[i] = records[member].ns[i];
    qsort(slowest, batches, sizeof *slowest, trial_ascending);
    return slowest[(batches - 1) / 4];
}

/* All members learn the times of all, and the clock of member 0. */
static int trial_agree(hy_trial *t, record *mine, uint32_t batches, hy_trial_time *time)
{
    int size = t->shape.size, rc = hy_comm_acquire(t->comms, t->comm, t->number);
    if (rc) return rc;
    record *theirs = mine + 1;
    size_t bytes = offsetof(record, ns) + batches * sizeof(double);
    mine->clock = (double)hy_now_ns() / 1e9;
    rc = hy_exchange_same(t->comms, t->comm, mine, theirs, bytes, COOKIE);
    hy_comm_release(t->comm);
    if (rc) return rc;
    for (int i = size - 1; i > 0; i--)
        memmove(&theirs[i], (uint8_t *)theirs + (size_t)i * bytes, bytes);
    *time = (hy_trial_time){lower_quartile(theirs, size, batches), theirs[0].clock};
    return HAYATE_OK;
}

static void write_lines(uint8_t *memory, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i += HY_LINE) *(volatile uint32_t *)(void *)(memory + i) = 0;
}

static void read_lines(const uint8_t *memory, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i += HY_LINE) (void)*(const volatile uint8_t *)(memory + i);
}

static void write_data(const hy_trial *t)
{
    const hy_shape *s = &t->shape;
    bool in_place = s->coll == HY_COLL_REDUCE || s->coll == HY_COLL_ALLREDUCE ||
                    (s->coll == HY_COLL_BCAST && s->rank == s->root);
    write_lines(in_place ? t->out : t->in, in_place ? t->out_bytes : t->in_bytes);
}

static int run_once(hy_pcoll *op)
{
    int rc = hy_pcoll_start(op);
    return rc ? rc : hy_pcoll_wait(op, false);
}

static int run_stale(hy_pcoll *op, uint32_t runs, double *ns)
{
    int rc = HAYATE_OK;
    uint64_t start = hy_now_ns();
    for (uint32_t i = 0; !rc && i < runs; i++) rc = run_once(op);
    *ns = (double)(hy_now_ns() - start) / runs;
    return rc;
}

/* No member waits while another one writes its data. The time contains that each reads its result:
 * one that was put is in the cache of another core, one that was got is not. */
static int run_fresh(const hy_trial *t, hy_pcoll *op, uint32_t runs, double *ns)
{
    int rc = HAYATE_OK;
    uint64_t sum = 0;
    for (uint32_t i = 0; !rc && i < runs; i++) {
        write_data(t);
        rc = run_once(t->barrier);
        uint64_t start = hy_now_ns();
        if (!rc) rc = run_once(op);
        read_lines(t->out, t->out_bytes);
        sum += hy_now_ns() - start;
    }
    *ns = (double)sum / runs - t->clock;
    if (*ns < 1) *ns = 1;
    return rc;
}

static int trial_run(const hy_trial *t, hy_pcoll *op, uint32_t runs, double *ns)
{
    bool fresh = t->fresh && t->shape.bytes > HY_CHOOSE_BRIEF; /* the same on all members */
    return fresh ? run_fresh(t, op, runs, ns) : run_stale(op, runs, ns);
}

static int time_batches(hy_trial *t, hy_pcoll *op, uint32_t batches, uint32_t runs, double *ns)
{
    int rc = HAYATE_OK;
    for (uint32_t i = 0; !rc && i < batches; i++) {
        rc = run_once(t->barrier);
        if (!rc) rc = trial_run(t, op, runs, &ns[i]);
    }
    return rc;
}

static hy_pcoll_call trial_call_of(const hy_trial *t, const char *options)
{
    return (hy_pcoll_call){.arguments = {.coll = t->shape.coll,
                                         .in = {.address = t->in},
                                         .out = {.address = t->out},
                                         .count = (int64_t)(t->shape.bytes / t->shape.unit),
                                         .op = t->op,
                                         .root = t->shape.root,
                                         .in_limit = -1,
                                         .out_limit = -1},
                           .options = options};
}

static int measure_transfer(hy_trial *t, hy_transfer transfer)
{
    static const char *const options[] = {"choice=measured", "choice=measured transfer=put",
                                          "choice=measured transfer=get"};
    const hy_request request = request_with(t, transfer);
    const hy_pcoll_call call = trial_call_of(t, options[transfer]);
    hy_pcoll *op = NULL;
    hy_choice choice;
    int rc = hy_pcoll_init(t->comms, t->number, &call, &op);
    if (rc) return rc;
    hy_pcoll_free(op);
    if (hy_choices_kept(&t->comm->measured, &request, &choice))
        t->chosen[transfer] = trial_place_of(t, &choice);
    return HAYATE_OK;
}

int hy_trial_choose_by_measurement(hy_trial *t)
{
    int rc = HAYATE_OK;
    for (int transfer = 0; !rc && transfer < TRANSFERS; transfer++)
        if (t->chosen[transfer] >= 0) rc = measure_transfer(t, (hy_transfer)transfer);
    return rc;
}

static int trial_prepare(hy_trial *t, int index, hy_pcoll **op)
{
    const hy_pcoll_call meeting = {.arguments.coll = HY_COLL_BARRIER, .predicted = true};
    char options[160];
    hy_trial_options(t, index, options, sizeof options);
    hy_pcoll_call call = trial_call_of(t, options);
    call.predicted = true;
    int rc = t->barrier ? HAYATE_OK : hy_pcoll_init(t->comms, t->number, &meeting, &t->barrier);
    return rc ? rc : hy_pcoll_init(t->comms, t->number, &call, op);
}

int hy_trial_run(hy_trial *t, int index, uint32_t warm, uint32_t batches, uint32_t runs,
                 hy_trial_time *time)
{
    hy_pcoll *op = NULL;
    if (index < 0 || index >= t->count || runs == 0 || batches == 0 || batches > HY_TRIAL_BATCHES)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "candidate %d, %u batches of %u: expected 0 to %d, 1 to %d of at least 1",
                       index, batches, runs, t->count - 1, HY_TRIAL_BATCHES);
    record *records = calloc((size_t)t->shape.size + 1, sizeof *records);
    int rc = records ? trial_prepare(t, index, &op)
                     : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a trial");
    double untold;
    if (!rc && warm) rc = trial_run(t, op, warm, &untold);
    if (!rc) rc = time_batches(t, op, batches, runs, records->ns);
    if (!rc) rc = trial_agree(t, records, batches, time);
    if (op) hy_pcoll_free(op);
    free(records);
    return rc;
}
