/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preparation of an operation. Each member assumes that the others request the same, chooses an
 * algorithm, lays out the buffers, and tells all others in one exchange what it requests and where
 * everything is. If that was not sufficient (blocks of unequal length, of which each member knows
 * only its own, or memory outside of the heap on some members only), the members lay out again with
 * what they know now, and exchange once more. An error on one member is sent in the exchange that
 * follows, so that no member waits for ever.
 */
#include <stdio.h>
#include <stdlib.h>

#include "coll/choosing.h"
#include "coll/exchange.h"
#include "pcoll/meaning.h"
#include "pcoll/measured.h"
#include "pcoll/trial.h"

/* Where the buffers of a member are. */
typedef struct place {
    int64_t failed; /* the error code; 0: none */
    hy_wires wires;
} place;

typedef struct record {
    hy_meaning meaning;
    place place;
} record;

_Static_assert(sizeof(record) <= HY_SCHED_PAYLOAD, "an exchange carries it");

#define COOKIE (HY_COOKIE_SETUP | 0x636f6c)

typedef struct preparation {
    hy_pcoll *op;
    const hy_pcoll_call *call;
    const hy_reduction *reduction; /* NULL: none */
    hy_hint api, hint;             /* api: of this program; hint: agreed by all */
    hy_shape even;                 /* replaces an uneven shape; the same on all ranks */
    hy_choice choice, measured;    /* measured: without an algorithm if the model chooses */
    bool measure;                  /* all have asked for it */
    bool outside;                  /* some member has memory outside of the heap */
    bool stand_in;                 /* which is copied into the heap and back in every run */
    bool again;                    /* a second exchange is necessary */
    bool lost;                     /* the communicator could not be acquired again */
    uint64_t largest;
    record *mine, *theirs; /* arrays of `size` records */
} preparation;

/* ---- what all members want ---- */

/* Memory that peers can reach only by a single copy of the kernel. */
static bool is_outside(const hy_job *job, const hy_side *side)
{
    const uint8_t *memory = side->buffer.address;
    return side->bytes && memory && hy_reachable(job, memory, side->bytes) &&
           (job->single_forced || hy_job_offset(job, memory, side->bytes) == HY_NOT_IN_HEAP);
}

static bool own_outside(const hy_pcoll *op)
{
    const hy_job *job = op->all->comms->job;
    return (!op->in.lent && is_outside(job, &op->in)) || is_outside(job, &op->out);
}

static void init_say(const preparation *p)
{
    const hy_meaning all = hy_meaning_of(p->op, p->call->arguments.op, &p->api, own_outside(p->op),
                                         p->measure);
    for (int peer = 0; peer < p->op->shape.size; peer++) {
        p->mine[peer].meaning = all;
        hy_meaning_for(p->op, peer, &p->mine[peer].meaning);
    }
}

/* All members compute the same `again`, because all of them have all records. */
static int init_agree(preparation *p)
{
    int rc = HAYATE_OK;
    p->again = p->op->shape.uneven;
    for (int peer = 0; peer < p->op->shape.size; peer++) {
        const hy_meaning *theirs = &p->theirs[peer].meaning;
        p->again |= theirs->uneven || theirs->outside != p->theirs[0].meaning.outside;
        p->outside |= theirs->outside != 0;
        if (theirs->largest > p->largest) p->largest = theirs->largest;
        if (!rc) rc = hy_meaning_compare(p->op, peer, &p->mine[peer].meaning, theirs);
    }
    return rc;
}

/* ---- the schedule ---- */

/* For an uneven shape, all ranks use an even shape with the largest block. */
static void even_out(preparation *p)
{
    p->even = p->op->shape;
    p->even.in_blocks = p->even.out_blocks = NULL;
    if (p->even.uneven) p->even.bytes = p->largest;
    p->even.uneven = false;
}

static int choose_for(preparation *p, const hy_algorithm *algorithm, bool outside,
                      hy_choice *choice)
{
    const hy_pcoll *op = p->op;
    const hy_request request = {p->even, op->shape.uneven, outside, algorithm, p->hint.way};
    return hy_comm_choose(op->all->comms, op->comm, &request, choice);
}

/* The time for copies into and out of the stand-ins, on the rank with the most bytes. */
static double copies(const preparation *p)
{
    const hy_model *model = &p->op->all->comms->model;
    hy_shape root = p->even;
    root.rank = root.root;
    uint64_t out = hy_region_bytes(&root, HY_OUT);
    bool in_place = p->even.coll <= HY_COLL_ALLREDUCE;
    uint64_t in = in_place ? out : hy_region_bytes(&root, HY_IN);
    double both = hy_curve_at(&model->copy, in) + hy_curve_at(&model->get, out);
    int ranks = p->even.nodes ? p->even.nodes->largest : p->even.size;
    return ranks > model->cpus ? both * ranks / model->cpus : both;
}

/* Memory outside of the heap is either reached by a single copy of the kernel, or has a stand-in in
 * the heap: whichever is predicted to be faster. */
static int init_choose(preparation *p)
{
    hy_pcoll *op = p->op;
    const hy_pcoll_call *call = p->call;
    const hy_algorithm *algorithm;
    even_out(p);
    int rc = hy_hint_gather(&p->even, call->property, call->rules, &p->api, &p->hint);
    if (rc) return rc;
    op->progress = p->hint.progress ? p->hint.progress : HY_PROGRESS_CALLS;
    if (p->measured.algorithm) hy_trial_hint(&p->measured, &p->hint);
    rc = hy_hint_algorithm(&p->hint, &p->even, &algorithm);
    if (!rc) rc = choose_for(p, algorithm, p->outside, &p->choice);
    if (rc == HAYATE_ERR_ARGUMENT && p->measured.algorithm) {
        p->measured.algorithm = NULL; /* it fits the rounded size only */
        return init_choose(p);
    }
    if (rc || !p->outside) return rc;
    hy_choice inside;
    rc = choose_for(p, algorithm, false, &inside);
    p->stand_in = !rc && inside.ns + copies(p) < p->choice.ns;
    if (!p->stand_in) return HAYATE_OK;
    p->choice = inside;
    p->choice.ns += copies(p);
    return HAYATE_OK;
}

/* A buffer needs a stand-in if it has no address, or if peers must access it and cannot. */
static bool needs_stand_in(const preparation *p, const uint8_t *memory, uint64_t bytes)
{
    const hy_job *job = p->op->all->comms->job;
    if (!memory) return true;
    if (p->op->progress == HY_PROGRESS_DELEGATED &&
        hy_pcoll_may_offload(p->op, &p->call->arguments) &&
        hy_job_heap_offset(job, memory, bytes) == HY_NOT_IN_HEAP)
        return true;
    if (p->op->schedule.way.buffers != HY_BUFFERS_STRAIGHT) return false;
    if (!hy_reachable(job, memory, bytes)) return true;
    return p->stand_in && hy_job_offset(job, memory, bytes) == HY_NOT_IN_HEAP;
}

static int place_side(const preparation *p, hy_side *side, hy_region region)
{
    hy_pcoll *op = p->op;
    hy_job *job = op->all->comms->job;
    uint8_t *memory = side->buffer.address;
    if (side->bytes && needs_stand_in(p, memory, side->bytes)) {
        memory = side->shadow = hy_job_alloc(job, side->bytes);
        if (!memory) return hy_job_alloc_code(job);
        side->copied_in = region == HY_IN || hy_arguments_reads_out(&op->shape);
        side->copied_out = region == HY_OUT && hy_arguments_changes_out(&op->shape);
    }
    op->wired.base[region] = memory;
    op->wired.bytes[region] = side->bytes;
    return HAYATE_OK;
}

/* A run begins with a copy of the data to where the schedule has the result. */
static void lend(hy_pcoll *op)
{
    op->in.shadow = op->wired.base[HY_OUT];
    op->in.copied_in = true;
    op->out.copied_in = false;
}

static int retain(hy_side *side)
{
    if (!side->buffer.managed || !side->bytes || side->retained) return HAYATE_OK;
    void *handle = side->buffer.managed->retain(side->buffer.handle);
    if (!handle) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to keep a buffer");
    side->buffer.handle = handle;
    side->retained = true;
    return HAYATE_OK;
}

static int lay_out(preparation *p)
{
    hy_pcoll *op = p->op;
    if (p->reduction) {
        op->wired.fold.reduce = p->reduction->apply;
        op->wired.fold.normal = hy_fold_normal(p->reduction->normal, &op->shape);
        void *context = p->call->arguments.context;
        op->wired.fold.context = context ? context : p->reduction->context;
    }
    op->wired.fold.unit = op->shape.unit;
    int rc = init_choose(p);
    if (!rc) rc = hy_schedule_build(&op->schedule, p->choice.algorithm, &op->shape, &p->choice.way);
    if (!rc) rc = retain(&op->in);
    if (!rc) rc = retain(&op->out);
    if (!rc && !op->in.lent) rc = place_side(p, &op->in, HY_IN);
    if (!rc) rc = place_side(p, &op->out, HY_OUT);
    if (!rc && op->in.lent) lend(op);
    if (!rc) rc = hy_wired_open(&op->wired, &op->comm->group, &op->schedule);
    if (!rc && op->progress == HY_PROGRESS_THREAD) rc = hy_pcolls_thread(op->all);
    return rc;
}

static void give_shadow(const hy_pcoll *op, hy_side *side)
{
    if (side->shadow && !side->lent) hy_job_release(op->all->comms->job, side->shadow);
    side->shadow = NULL;
    side->copied_in = side->copied_out = false;
}

/* Gives the memory back. No peer has connected to it yet. */
static void init_take_back(hy_pcoll *op)
{
    hy_wired_close(&op->wired, false);
    give_shadow(op, &op->in);
    give_shadow(op, &op->out);
    hy_schedule_release(&op->schedule);
}

/* ---- the exchange ---- */

static int others_failed(const preparation *p)
{
    const hy_pcoll *op = p->op;
    for (int peer = 0; peer < op->shape.size; peer++) {
        int64_t failed = p->theirs[peer].place.failed;
        int code = hy_status_told(failed), rank = hy_group_member(&op->comm->group, peer);
        if (failed)
            return hy_fail_peer(code, rank,
                                "rank %d could not prepare the %s: %s; see that rank's error", rank,
                                hy_coll_name(op->shape.coll), hayate_strerror(code));
    }
    return HAYATE_OK;
}

/* Exchanges records, including an error of this member so far. */
static int init_exchange(preparation *p, int failed)
{
    hy_pcoll *op = p->op;
    const hy_failure own = hy_failure_of(failed);
    for (int peer = 0; peer < op->shape.size; peer++) {
        p->mine[peer].place = (place){.failed = failed};
        if (!failed && op->wired.group)
            hy_wired_wires(&op->wired, &op->schedule, peer, &p->mine[peer].place.wires);
    }
    int rc = hy_exchange(op->all->comms, op->comm, p->mine, p->theirs, sizeof(record), COOKIE);
    if (failed) return hy_fail_again(&own);
    return rc ? rc : others_failed(p);
}

static int connect(const preparation *p)
{
    hy_pcoll *op = p->op;
    hy_wires *theirs = malloc((size_t)op->shape.size * sizeof *theirs);
    if (!theirs)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to connect %d ranks", op->shape.size);
    for (int peer = 0; peer < op->shape.size; peer++) theirs[peer] = p->theirs[peer].place.wires;
    int rc = hy_wired_connect(&op->wired, &op->schedule, theirs);
    free(theirs);
    return rc;
}

/* ---- all ---- */

/* Remote members on the same node exist in tests only; the model treats them as local. */
static int far_members(const hy_pcoll *op)
{
    int count = 0;
    for (int i = 0; i < op->shape.size; i++)
        count += hy_job_is_far(op->comm->group.job, hy_group_member(&op->comm->group, i));
    return count;
}

static void describe_nodes(const hy_pcoll *op, char *text, size_t size)
{
    const hy_nodes *nodes = op->comm->nodes;
    int others = nodes ? 0 : far_members(op);
    text[0] = '\0';
    if (nodes)
        snprintf(text, size, "; %d nodes by %s", nodes->count,
                 hy_net_class_name(op->all->comms->model.net));
    if (others)
        snprintf(text, size, "; %d remote members, which the model treats as local", others);
}

static void describe(const preparation *p)
{
    hy_pcoll *op = p->op;
    char way[400], far[80];
    bool measured = p->measured.algorithm != NULL;
    describe_nodes(op, far, sizeof far);
    hy_way_text(p->choice.algorithm, &p->choice.way, way, sizeof way);
    if (asprintf(&op->description, "%s %s %s%s; %.2f us %s%s; progress %s%s%s%s",
                 hy_coll_name(op->shape.coll), p->choice.algorithm->name, way,
                 p->stand_in ? " through the heap" : "",
                 (measured ? p->measured.ns : p->choice.ns) / 1000,
                 measured                         ? "measured"
                 : op->all->comms->model.measured ? "predicted (tuned model)"
                                                  : "predicted (default model)",
                 far, hy_progress_name(op->progress), op->why_not ? " (not delegated: " : "",
                 op->why_not ? op->why_not : "", op->why_not ? ")" : "") < 0)
        op->description = NULL;
}

/* Whether this member wants a choice by measurement. One that is made for the delegatee, or of
 * blocks of unequal length, is predicted. */
static int want_measured(preparation *p)
{
    const hy_pcoll_call *call = p->call;
    const hy_shape *s = &p->op->shape;
    hy_hint hint;
    if (call->predicted || s->size == 1) return HAYATE_OK;
    int rc = hy_hint_gather(s, call->property, call->rules, &p->api, &hint);
    p->measure = hint.choice == HY_CHOICE_MEASURED && hint.progress != HY_PROGRESS_DELEGATED;
    return rc;
}

/* What all members want is known, and the communicator is free for others to measure with. */
static int measure(preparation *p, int number)
{
    hy_pcoll *op = p->op;
    hy_hint wanted;
    hy_hint_gather(&p->even, p->call->property, p->call->rules, &p->api, &wanted);
    hy_comm_release(op->comm);
    int rc = hy_measured_choose(op, number, p->call, &p->even, p->outside, &wanted, &p->measured);
    int again = hy_comm_acquire(op->all->comms, op->comm, number);
    p->lost = again != HAYATE_OK;
    return rc ? rc : again;
}

static int init_prepare(preparation *p, int number)
{
    hy_pcoll *op = p->op;
    size_t size = (size_t)op->shape.size;
    p->mine = calloc(2 * size, sizeof *p->mine);
    if (!p->mine)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to prepare a collective of %zu ranks",
                       size);
    p->theirs = p->mine + size;
    p->outside = own_outside(op);
    int rc = want_measured(p);
    init_say(p);
    rc = init_exchange(p, rc ? rc : op->shape.uneven ? HAYATE_OK : lay_out(p));
    if (rc) return rc;
    rc = init_agree(p);
    bool measures = !rc && p->measure && !op->shape.uneven;
    if (p->again || measures) init_take_back(op);
    if (measures) rc = measure(p, number);
    if (p->lost) return rc;
    if (p->again || measures) rc = init_exchange(p, rc ? rc : lay_out(p));
    if (!rc) rc = connect(p);
    if (!rc && op->progress == HY_PROGRESS_DELEGATED)
        rc = hy_pcoll_offload(op, &p->call->arguments);
    if (!rc) describe(p);
    return rc;
}

static void list(hy_pcoll *op)
{
    hy_schedule_release(&op->schedule);
    atomic_fetch_add_explicit(&op->comm->persistent, 1, memory_order_relaxed);
    hy_pcoll_list(op);
}

static int init(hy_pcoll *op, int number, const hy_pcoll_call *call, const hy_reduction *reduction)
{
    preparation p = {.op = op, .call = call, .reduction = reduction};
    int rc = hy_pcoll_arguments(op, &call->arguments, reduction);
    if (!rc && call->options) rc = hy_hint_parse(call->options, "options", &p.api);
    if (rc) return rc;
    rc = hy_comm_acquire(op->all->comms, op->comm, number);
    if (rc) return rc;
    rc = init_prepare(&p, number);
    if (!p.lost) hy_comm_release(op->comm);
    free(p.mine);
    return rc;
}

int hy_pcoll_init(hy_comms *comms, int number, const hy_pcoll_call *call, hy_pcoll **result)
{
    const hy_reduction *reduction = NULL;
    int rc = hy_comms_check(comms);
    if (rc) return rc;
    hy_comm *comm = hy_comm_find(comms, number);
    const hy_arguments *what = &call->arguments;
    if (!comm || (hy_coll_reduces(what->coll) && !(reduction = hy_reduction_find(comms, what->op))))
        return HAYATE_ERR_ARGUMENT;
    hy_pcolls *all = hy_pcolls_of(comms);
    hy_pcoll *op = all ? aligned_alloc(HY_LINE, hy_round_up(sizeof *op, HY_LINE)) : NULL;
    if (!op) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a persistent collective");
    *op = (hy_pcoll){.all = all, .comm = comm};
    hy_pcolls_sweep(all);
    rc = init(op, number, call, reduction);
    if (rc) {
        hy_pcoll_destroy(op, true); /* a peer may have the addresses already */
        return rc;
    }
    list(op);
    *result = op;
    return HAYATE_OK;
}
