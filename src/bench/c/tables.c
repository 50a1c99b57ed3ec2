/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the tables of a simulated job, and measures lookups of ranks by chance. */
#include "tables.h"

#include <stdlib.h>

#include "base/clock.h"
#include "msg/op.h"

#define DRAWN 4096 /* ranks that are looked up, again and again: they stay in the cache */

/* What there was before for each rank of a job: see docs/PERF-MODEL.md. */
#define FLAT_NODE_BYTES 24 /* a record in the control area */
#define FLAT_MAP_BYTES 4   /* for each rank and node, in each process */
#define FLAT_EP_BYTES 272
#define FLAT_MEMBER_BYTES 132 /* of the communicator of all ranks: its number and a channel */
#define FLAT_LANE_BYTES 768   /* for each mai, too */

typedef struct flat_place {
    uint32_t node, part;
} flat_place;

typedef struct tables {
    const hy_tables_job *job;
    uint32_t nodes;
    int32_t *node_of;
    hy_layout_rule rule;
    hy_layout layout;
    uint32_t *list;
    flat_place *flat;
    uint32_t *drawn;
    hy_sparse lanes, eps, channels;
    int relations; /* partners in collectives: one for each power of two below the number of ranks
                    */
    hy_lane *made; /* [partners] */
    hy_lane **flat_lanes; /* [ranks] of mai 0 */
    uint64_t seed;
} tables;

static uint64_t draw(tables *t, uint64_t below)
{
    t->seed ^= t->seed << 13, t->seed ^= t->seed >> 7, t->seed ^= t->seed << 17;
    return t->seed % below;
}

/* ---- the layout ---- */

static void place_ranges(tables *t)
{
    uint32_t node = 0, per = (uint32_t)t->job->per_node, left = per;
    for (int rank = 0; rank < t->job->ranks; rank++) {
        if (left == 0 && node + 1 < t->nodes) node++, left = per / 2 + (uint32_t)draw(t, per + 1);
        t->node_of[rank] = (int32_t)node;
        left -= left > 0;
    }
    t->nodes = node + 1;
}

/* Every node has a rank. */
static void place_by_chance(tables *t)
{
    for (int rank = 0; rank < t->job->ranks; rank++)
        t->node_of[rank] = (int32_t)((uint32_t)rank < t->nodes ? (uint32_t)rank
                                                               : draw(t, t->nodes));
}

static void place(tables *t)
{
    int per_node = t->job->per_node;
    t->nodes = (uint32_t)((t->job->ranks + per_node - 1) / per_node);
    if (t->job->layout == HY_TABLES_RANGES) place_ranges(t);
    if (t->job->layout == HY_TABLES_RANDOM) place_by_chance(t);
    for (int rank = 0; rank < t->job->ranks && t->job->layout <= HY_TABLES_CYCLIC; rank++)
        t->node_of[rank] = t->job->layout == HY_TABLES_BLOCK ? rank / per_node
                                                             : rank % (int32_t)t->nodes;
}

static int no_memory(const tables *t)
{
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the tables of %d ranks", t->job->ranks);
}

static int open_layout(tables *t)
{
    uint32_t ranks = (uint32_t)t->job->ranks;
    t->node_of = malloc(ranks * sizeof *t->node_of);
    t->flat = malloc(ranks * sizeof *t->flat);
    t->drawn = malloc(DRAWN * sizeof *t->drawn);
    if (!t->node_of || !t->flat || !t->drawn) return no_memory(t);
    place(t);
    hy_layout_find_rule(&t->rule, t->node_of, ranks, t->nodes);
    t->list = calloc(1, hy_layout_bytes(&t->rule) + 1);
    if (!t->list) return no_memory(t);
    hy_layout_write(&t->rule, t->node_of, t->list);
    int rc = hy_layout_open(&t->layout, &t->rule, t->list);
    for (uint32_t rank = 0; !rc && rank < ranks; rank++) {
        flat_place *at = &t->flat[rank];
        at->node = hy_layout_node(&t->layout, rank, &at->part);
    }
    for (int i = 0; i < DRAWN; i++) t->drawn[i] = (uint32_t)draw(t, ranks);
    return rc;
}

/* ---- partners ---- */

static hy_lane nobody = {.channel = {.peer = -1, .mai = INT64_MIN}};

static int meet(tables *t, int number)
{
    int ranks = t->job->ranks, peer;
    do peer = (int)draw(t, (uint64_t)ranks);
    while (hy_sparse_find(&t->lanes, (uint64_t)peer) && number < ranks);
    t->made[number] = (hy_lane){.channel = {.peer = peer}};
    int rc = hy_sparse_add(&t->lanes, (uint64_t)peer, &t->made[number]);
    if (!rc) rc = hy_sparse_add(&t->eps, (uint64_t)peer, &t->made[number]);
    if (!rc && number < t->relations)
        rc = hy_sparse_add(&t->channels, (uint64_t)peer, &t->made[number]);
    t->flat_lanes[peer] = &t->made[number];
    return rc;
}

static int open_partners(tables *t)
{
    uint64_t ranks = (uint64_t)t->job->ranks, mais = (uint64_t)t->job->mais;
    t->made = calloc((size_t)t->job->partners, sizeof *t->made);
    t->flat_lanes = calloc((size_t)ranks, sizeof(void *));
    if (!t->made || !t->flat_lanes) return no_memory(t);
    hy_sparse_open(&t->eps, ranks);
    hy_sparse_open(&t->channels, ranks);
    while (UINT64_C(1) << t->relations < ranks) t->relations++;
    if (t->relations > t->job->partners) t->relations = t->job->partners;
    int rc = hy_sparse_open_guessed(&t->lanes, ranks * mais, &nobody);
    for (int i = 0; !rc && i < t->job->partners; i++) rc = meet(t, i);
    return rc;
}

static void close_all(tables *t)
{
    hy_sparse_close(&t->lanes);
    hy_sparse_close(&t->eps);
    hy_sparse_close(&t->channels);
    free(t->made);
    free(t->flat_lanes);
    free(t->node_of);
    free(t->flat);
    free(t->drawn);
    free(t->list);
}

/* ---- measuring ---- */

/* Each walks over all ranks that were drawn, and returns a sum. A lookup begins when the one before
 * has ended, as in a call that sends: its rank depends on the sum, which never has this bit. */
static uint32_t next(uint64_t sum, int i)
{
    return (uint32_t)i + (uint32_t)(sum >> 63);
}

static uint64_t look_up(const tables *t)
{
    uint64_t sum = 0;
    for (int i = 0; i < DRAWN; i++) {
        uint32_t part, node = hy_layout_node(&t->layout, t->drawn[next(sum, i)], &part);
        sum += node + part;
    }
    return sum;
}

static uint64_t look_up_flat(const tables *t)
{
    uint64_t sum = 0;
    for (int i = 0; i < DRAWN; i++) {
        const flat_place *at = &t->flat[t->drawn[next(sum, i)]];
        sum += at->node + at->part;
    }
    return sum;
}

/* The partners in turn, as in a halo exchange. */
static uint64_t find_lanes(const tables *t)
{
    uint64_t sum = 0;
    for (int i = 0, k = 0; i < DRAWN; i++, k = k + 1 < t->job->partners ? k + 1 : 0) {
        int peer = t->made[next(sum, k)].channel.peer;
        const hy_lane *lane = hy_sparse_guess(&t->lanes, (uint64_t)peer);
        if (hy_unlikely(lane->channel.peer != peer))
            lane = hy_sparse_find(&t->lanes, (uint64_t)peer);
        sum += (uint64_t)(uint32_t)lane->channel.peer;
    }
    return sum;
}

static uint64_t find_lanes_flat(const tables *t)
{
    uint64_t sum = 0;
    for (int i = 0, k = 0; i < DRAWN; i++, k = k + 1 < t->job->partners ? k + 1 : 0)
        sum += (uint64_t)(uint32_t)t->flat_lanes[t->made[next(sum, k)].channel.peer]->channel.peer;
    return sum;
}

/* The fastest turn: what disturbs others only adds to it. */
static double time_of(const tables *t, uint64_t (*walk)(const tables *), double seconds)
{
    uint64_t begin = hy_now_ns(), best = UINT64_MAX, limit = (uint64_t)(seconds * 1e9), now;
    volatile uint64_t sum;
    do {
        uint64_t start = hy_now_ns();
        sum = walk(t);
        now = hy_now_ns();
        if (now - start < best) best = now - start;
    } while (now - begin < limit);
    (void)sum;
    return (double)best / DRAWN;
}

/* Of places that hy_handles takes, and of arrays that it has replaced. */
static uint64_t bytes_of_handles(uint64_t count)
{
    uint64_t bytes = 0, places = 64;
    for (;; places *= 2) {
        bytes += sizeof(hy_handle_array) + places * sizeof(void *);
        if (places >= count) return bytes + places / 8;
    }
}

/* Of FMPL: lanes in blocks, as those of a job with inboxes, and the operations that stay. */
static uint64_t bytes_of_lanes(uint64_t ranks, uint64_t partners)
{
    uint64_t blocks = (partners + HY_LANES_IN_BLOCK - 1) / HY_LANES_IN_BLOCK;
    uint64_t ops = hy_ops_kept(ranks);
    if (2 * partners < ops) ops = 2 * partners;
    return blocks * (sizeof(hy_lane_block) + HY_LANES_IN_BLOCK * sizeof(hy_contact)) +
           bytes_of_handles(partners) + ops * sizeof(hy_op) + bytes_of_handles(ops);
}

static void count_bytes(const tables *t, hy_tables_figures *f)
{
    const uint64_t ranks = (uint64_t)t->job->ranks, partners = (uint64_t)t->job->partners;
    f->kind = (int)t->rule.kind;
    f->node_bytes = sizeof t->rule + hy_layout_bytes(&t->rule) +
                    (ranks + HY_CONTROL_BLOCK - 1) / HY_CONTROL_BLOCK;
    f->flat_node_bytes = ranks * FLAT_NODE_BYTES;
    f->table_bytes = sizeof t->layout + hy_sparse_bytes(&t->lanes) + hy_sparse_bytes(&t->eps) +
                     hy_sparse_bytes(&t->channels);
    f->process_bytes = f->table_bytes + partners * sizeof(hy_ep) + bytes_of_lanes(ranks, partners) +
                       (uint64_t)t->relations * sizeof(hy_channel);
    f->flat_process_bytes = (ranks + t->nodes) * FLAT_MAP_BYTES +
                            ranks * (FLAT_EP_BYTES + FLAT_MEMBER_BYTES +
                                     (uint64_t)t->job->mais * FLAT_LANE_BYTES);
}

static int check(const hy_tables_job *job)
{
    if (job->layout < 0 || job->layout >= HY_TABLES_LAYOUTS || job->ranks < 2 ||
        job->ranks > HY_MAX_RANKS || job->per_node < 1 || job->per_node > HY_MAX_PARTS / 2 ||
        job->partners < 1 || job->partners > job->ranks || job->mais < 1 || job->mais > HY_MAX_MAI)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%d ranks, %d on a node, %d partners, %d entries: expected 2 to %d ranks, 1 "
                       "to %d on a node, at most as many partners, 1 to %d entries",
                       job->ranks, job->per_node, job->partners, job->mais, HY_MAX_RANKS,
                       HY_MAX_PARTS / 2, HY_MAX_MAI);
    return HAYATE_OK;
}

int hy_tables_measure(const hy_tables_job *job, double seconds, hy_tables_figures *figures)
{
    tables t = {.job = job, .seed = 42};
    int rc = check(job);
    if (!rc) rc = open_layout(&t);
    if (!rc) rc = open_partners(&t);
    if (!rc) {
        *figures = (hy_tables_figures){.ns = time_of(&t, look_up, seconds),
                                       .flat_ns = time_of(&t, look_up_flat, seconds),
                                       .find_ns = time_of(&t, find_lanes, seconds),
                                       .flat_find_ns = time_of(&t, find_lanes_flat, seconds)};
        count_bytes(&t, figures);
    }
    close_all(&t);
    return rc;
}
