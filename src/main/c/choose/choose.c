/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the candidates that agree with the hint, and has them judged (judge.h). */
#include "choose/choose.h"

#include <stdlib.h>

#include "base/status.h"
#include "choose/judge.h"
#include "sched/parts.h"
#include "sched/turn.h"

#define MAX_CANDIDATES 1024
/* Of a candidate; a longer simulation is not worth its time. */
#define MAX_STEPS (UINT64_C(1) << 22)
#define SHARED_SEGMENTS 16 /* on shared cores a pipeline gains little and needs turns */
#define MAX_SEGMENTS 64    /* shorter segments gain nothing */

static const uint64_t segments[] = {HY_SEGMENT_NONE, 8192, 32768, 131072};
static const uint8_t arities[] = {2, 4, 8};

#define SEGMENTS (sizeof segments / sizeof segments[0])
#define ARITIES (sizeof arities / sizeof arities[0])

/* ---- candidates ---- */

static void choose_add(hy_search *s, const hy_algorithm *algorithm, const hy_way *way)
{
    if (s->count == MAX_CANDIDATES) return;
    s->list[s->count] = (hy_candidate){{algorithm, *way, 0}, s->count, 0};
    s->count++;
}

/* With arity 2 these are the binary and the binomial tree, which have separate rows: tried only if
 * no greater arity is possible, or if the algorithm is requested. */
static void add_arities(hy_search *s, const hy_algorithm *algorithm, hy_way way)
{
    bool free = (algorithm->traits & HY_TRAIT_ARITY) && !s->hint.arity;
    size_t first = free && !s->forced && arities[1] < s->shape.size ? 1 : 0;
    way.arity = s->hint.arity ? s->hint.arity : arities[first];
    choose_add(s, algorithm, &way);
    for (size_t i = first + 1; free && i < ARITIES && arities[i] < s->shape.size; i++) {
        way.arity = arities[i];
        choose_add(s, algorithm, &way);
    }
}

/* Whether to try segments of that length, if they are not given. */
static bool worth_it(const hy_search *s, uint64_t segment)
{
    uint64_t bytes = s->shape.bytes;
    if (segment == HY_SEGMENT_NONE) return true;
    if (bytes <= segment) return false;
    uint64_t most = hy_sim_crowd(&s->shape) > s->model->cpus ? SHARED_SEGMENTS : MAX_SEGMENTS;
    return bytes / segment <= most || segment == segments[SEGMENTS - 1];
}

static void add_segments(hy_search *s, const hy_algorithm *algorithm, hy_way way)
{
    bool able = (algorithm->traits & HY_TRAIT_SEGMENTS) && way.sync == HY_SYNC_COUNTERS;
    way.segment = s->hint.segment ? s->hint.segment : HY_SEGMENT_NONE;
    if (s->hint.segment) {
        if (able || way.segment == HY_SEGMENT_NONE) add_arities(s, algorithm, way);
        return;
    }
    for (size_t i = 0; i < SEGMENTS && (able || i == 0); i++) {
        way.segment = segments[i];
        if (worth_it(s, way.segment)) add_arities(s, algorithm, way);
    }
}

static bool agrees(const hy_way *way, const hy_way *hint)
{
    return (!hint->transfer || hint->transfer == way->transfer) &&
           (!hint->buffers || hint->buffers == way->buffers) &&
           (!hint->sync || hint->sync == way->sync);
}

static bool is_open(const hy_way *hint)
{
    return !hint->transfer && !hint->buffers && !hint->sync && !hint->arity && !hint->segment;
}

/* Sending long data in payloads is slow, and takes long to simulate, if a straight method is
 * possible. */
static bool choose_too_long(const hy_search *s, const hy_way *way)
{
    return way->buffers == HY_BUFFERS_PREPARED && !s->hint.buffers && !s->forced &&
           hy_search_is_long(s);
}

/* To fetch what the signal that tells of it could have brought takes one line more. */
static bool choose_too_short(const hy_search *s, const hy_way *way, uint32_t possible)
{
    return way->transfer == HY_TRANSFER_GET && s->shape.bytes <= HY_SCHED_SIGNALLED &&
           (possible & HY_WAY_PUT_PREPARED) && is_open(&s->hint) && !s->forced;
}

/* Methods that are possible both for the shape that represents uneven blocks and for uneven
 * blocks. */
static uint32_t possible_ways(const hy_search *s, const hy_algorithm *algorithm)
{
    hy_shape meant = s->shape;
    meant.uneven = s->uneven;
    uint32_t possible = hy_way_possible(algorithm, &s->shape);
    if (s->level >= 0) possible &= hy_part_possible(algorithm, &meant, s->level);
    return possible & hy_way_possible(algorithm, &meant);
}

static void add_ways(hy_search *s, const hy_algorithm *algorithm)
{
    uint32_t possible = possible_ways(s, algorithm);
    hy_way way = {0};
    for (uint32_t i = 0; hy_way_at(i, &way); i++)
        if ((possible >> i & 1) && agrees(&way, &s->hint) && !choose_too_long(s, &way) &&
            !choose_too_short(s, &way, possible))
            add_segments(s, algorithm, way);
}

/* ---- two levels ---- */

static int choose_for_level(const hy_search *s, int level, hy_part *part);

/* Leaders of an alltoall hold the data of their whole node, which could fill their heap. */
static bool too_large(const hy_search *s)
{
    return s->shape.coll == HY_COLL_ALLTOALL && !s->forced &&
           2 * hy_turn_area(&s->shape) > HY_CHOOSE_HELD;
}

/* Adds one candidate: the best choice at each level gives the best whole. A hint for a transfer
 * method does not name a level; together with a hint for the algorithm it applies inside the
 * nodes. */
static int add_parts(hy_search *s, const hy_algorithm *algorithm)
{
    hy_way way = {0};
    hy_coll coll;
    int rc = HAYATE_OK;
    if (!s->forced && !is_open(&s->hint)) return HAYATE_OK;
    if (too_large(s)) return HAYATE_OK;
    for (int level = 0; level < HY_LEVELS && !rc; level++)
        if (hy_part_coll(s->shape.coll, level, &coll))
            rc = choose_for_level(s, level, &way.parts[level]);
    if (!rc) rc = hy_way_complete(algorithm, &s->shape, &way);
    if (!rc) choose_add(s, algorithm, &way);
    return rc;
}

/* The lines of all others leave the caches before they are used again, and each signal may wake a
 * rank that waits for another one: neither is in the model. */
static bool choose_too_crowded(const hy_search *s, const hy_algorithm *algorithm)
{
    return (algorithm->traits & HY_TRAIT_TO_ALL) && s->shape.size > HY_CHOOSE_TO_ALL &&
           hy_sim_crowd(&s->shape) > s->model->cpus && is_open(&s->hint) && !s->forced;
}

static int add_algorithm(hy_search *s, const hy_algorithm *algorithm)
{
    if (algorithm->traits & HY_TRAIT_PARTS) return add_parts(s, algorithm);
    add_ways(s, algorithm);
    return HAYATE_OK;
}

static bool choose_fits(const hy_search *s, const hy_algorithm *algorithm)
{
    return algorithm->coll == s->shape.coll && algorithm->applies(&s->shape) &&
           (!s->uneven || (algorithm->traits & HY_TRAIT_UNEVEN));
}

/* Adds a requested algorithm, or fails with the reason why it does not fit. */
static int add_forced(hy_search *s, const hy_algorithm *algorithm)
{
    hy_schedule probe = {0};
    const hy_way *way = algorithm->traits & HY_TRAIT_PARTS ? NULL : &s->hint;
    int rc = hy_schedule_window(&probe, algorithm, &s->shape, way, 0, 1);
    hy_schedule_release(&probe);
    if (rc) return rc;
    if (!choose_fits(s, algorithm))
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%s algorithm %s needs blocks of equal length; choose another one",
                       hy_coll_name(s->shape.coll), algorithm->name);
    return add_algorithm(s, algorithm);
}

static int choose_check(const hy_search *s)
{
    int rc = hy_shape_check(&s->shape);
    if (!rc && s->shape.uneven)
        rc = hy_fail(HAYATE_ERR_ARGUMENT, "expected an even shape that represents the blocks "
                                          "of unequal length");
    if (!rc && s->hint.arity && (s->hint.arity < 2 || s->hint.arity > 64))
        rc = hy_fail(HAYATE_ERR_ARGUMENT, "arity %u: expected 2 to 64", s->hint.arity);
    return rc;
}

static int gather(hy_search *s, const hy_algorithm *algorithm)
{
    int rc = choose_check(s);
    if (rc) return rc;
    s->list = malloc(MAX_CANDIDATES * sizeof *s->list);
    if (!s->list) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to choose an algorithm");
    s->forced = algorithm != NULL;
    if (algorithm) rc = add_forced(s, algorithm);
    for (const hy_algorithm *const *a = hy_algorithms; !algorithm && *a && !rc; a++)
        if (choose_fits(s, *a) && !choose_too_crowded(s, *a)) rc = add_algorithm(s, *a);
    if (rc || s->count) return rc;
    hy_algorithm any = {.name = "of any kind"};
    char way[120];
    hy_way_text(&any, &s->hint, way, sizeof way);
    return hy_fail(HAYATE_ERR_ARGUMENT,
                   "no %s algorithm for %d ranks%s and %llu B can do what is requested (%s%s); "
                   "request less",
                   hy_coll_name(s->shape.coll), s->shape.size, s->uneven ? ", uneven blocks" : "",
                   (unsigned long long)s->shape.bytes, way,
                   s->hint.segment && s->hint.segment != HY_SEGMENT_NONE ? ", segments" : "");
}

/* ---- calls ---- */

static hy_search search_for(const hy_model *model, const hy_request *request)
{
    hy_search s = {
        .model = model,
        .shape = request->shape,
        .setting = {.outside = request->outside, .max_steps = MAX_STEPS},
        .hint = request->way,
        .uneven = request->uneven,
        .level = -1,
    };
    s.shape.rank = s.shape.root; /* all ranks must make the same choice */
    if (s.shape.coll == HY_COLL_BARRIER) s.shape.bytes = 0;
    return s;
}

static void release(hy_search *s)
{
    hy_sim_release(&s->sim);
    free(s->list);
}

/* The node map of the leaders, with one leader per node. */
static int make_leaders(int32_t count, hy_nodes **nodes)
{
    int32_t *of = malloc((size_t)count * sizeof *of);
    if (!of) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to choose an algorithm");
    for (int32_t i = 0; i < count; i++) of[i] = i;
    int rc = hy_nodes_make(of, count, nodes);
    free(of);
    return rc;
}

static int choose_for_level(const hy_search *s, int level, hy_part *part)
{
    bool across = level == HY_LEVEL_ACROSS;
    hy_request request = {hy_part_largest(&s->shape, level), .outside = s->setting.outside};
    hy_shape *shape = &request.shape;
    request.uneven = shape->uneven || (s->uneven && hy_coll_has_blocks(shape->coll));
    if (!across) request.way = s->hint;
    hy_nodes *leaders = NULL;
    hy_candidate *best = NULL;
    int rc = across ? make_leaders(shape->size, &leaders) : HAYATE_OK;
    shape->nodes = leaders;
    shape->uneven = false;
    hy_search its = search_for(s->model, &request);
    its.level = level;
    if (!rc) rc = gather(&its, NULL);
    if (!rc) rc = hy_judge_best(&its, &best);
    if (!rc) *part = hy_part_of(best->choice.algorithm, &best->choice.way);
    release(&its);
    hy_nodes_free(leaders);
    return rc;
}

int hy_choose_all(const hy_model *model, const hy_request *request, hy_choice *list)
{
    hy_search s = search_for(model, request);
    int rc = gather(&s, request->algorithm);
    if (!rc) rc = hy_judge_all(&s);
    int count = s.count < HY_CHOICES_MAX ? s.count : HY_CHOICES_MAX;
    for (int i = 0; i < count && !rc; i++) list[i] = s.list[i].choice;
    release(&s);
    return rc ? rc : count;
}

int hy_choose(const hy_model *model, const hy_request *request, hy_choice *choice)
{
    hy_search s = search_for(model, request);
    hy_candidate *best = NULL;
    int rc = gather(&s, request->algorithm);
    if (!rc) rc = hy_judge_best(&s, &best);
    if (!rc) *choice = best->choice;
    release(&s);
    return rc;
}
