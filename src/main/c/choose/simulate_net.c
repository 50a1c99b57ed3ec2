/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The network between nodes. Each node has one NIC; each message, and the bytes of each move, use
 * it for gap + bytes * byte on the way out, and again on the way in, in the order in which they
 * come. So many flows of one node take as long as one flow of all their bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "choose/simulate_engine.h"

bool hy_sim_nics_reset(hy_sim *sim)
{
    int count = sim->shape.nodes->count;
    if (count > sim->nic_capacity) {
        free(sim->nics);
        sim->nics = malloc((size_t)count * sizeof *sim->nics);
        sim->nic_capacity = sim->nics ? count : 0;
    }
    for (int i = 0; sim->nics && i < count; i++) sim->nics[i].out.count = sim->nics[i].in.count = 0;
    return sim->nics != NULL;
}

double hy_sim_notice(const hy_sim *sim, int from, int to)
{
    const hy_net_model *net = hy_model_net(sim->model);
    bool far = hy_nodes_far(sim->shape.nodes, from, to);
    return far ? net->latency + net->gap : sim->model->flight;
}

static void drop(hy_sim_turns *turns, int index)
{
    turns->count--;
    memmove(turns->list + index, turns->list + index + 1,
            (size_t)(turns->count - index) * sizeof *turns->list);
}

/* Inserts before `index`. If there are too many, merges the first two: nothing will happen that
 * early any more. */
static void insert(hy_sim_turns *turns, int index, struct hy_sim_turn turn)
{
    if (turns->count == HY_SIM_TURNS) {
        turns->list[1].from = turns->list[0].from;
        drop(turns, 0);
        if (index == 1) return; /* it was between these two */
        index -= index > 0;
    }
    memmove(turns->list + index + 1, turns->list + index,
            (size_t)(turns->count - index) * sizeof *turns->list);
    turns->list[index] = turn;
    turns->count++;
}

/* A message that may use a NIC from `begin` on gets it as soon as it is free for that long.
 * Messages need not be known in the order of time: what a busy NIC sends later already reserves its
 * time at the other one now. */
static double occupy(hy_sim_turns *turns, double begin, double duration)
{
    struct hy_sim_turn *list = turns->list;
    int i = 0;
    double start = begin;
    while (i < turns->count && list[i].to < begin) i++;
    for (; i < turns->count && list[i].from < start + duration; i++)
        start = hy_sim_later(start, list[i].to);
    bool after = i > 0 && list[i - 1].to >= start;
    bool before = i < turns->count && list[i].from <= start + duration;
    if (after && before) {
        list[i].from = list[i - 1].from;
        drop(turns, i - 1);
    } else if (after) {
        list[i - 1].to = start + duration;
    } else if (before) {
        list[i].from = start;
    } else if (duration > 0) {
        insert(turns, i, (struct hy_sim_turn){start, start + duration});
    }
    return start;
}

/* The first byte leads the others: a long message arrives while it is still being sent. */
hy_sim_trip hy_sim_send(hy_sim *sim, int from, int to, uint64_t bytes, double begin)
{
    const hy_net_model *net = hy_model_net(sim->model);
    const int32_t *of = sim->shape.nodes->of;
    double stream = (double)bytes * net->byte, whole = net->gap + stream;
    double sent = begin, come = begin + net->latency;
    if (sim->ordered) {
        sent = occupy(&sim->nics[of[from]].out, begin, whole);
        come = occupy(&sim->nics[of[to]].in, sent + net->latency, whole);
    }
    return (hy_sim_trip){sent + stream, come + stream};
}

static double fetch(hy_sim *sim, int from, int to, uint64_t bytes, double begin)
{
    const hy_net_model *net = hy_model_net(sim->model);
    double asked = begin + net->overhead + net->latency;
    return hy_sim_send(sim, from, to, bytes, asked).there + net->overhead;
}

/* Memory that is not mapped is reduced through a bounce buffer, piece by piece. */
static double fetch_pieces(hy_sim *sim, const hy_step *step, int rank, double begin)
{
    const hy_net_model *net = hy_model_net(sim->model);
    uint64_t more = step->len ? (step->len - 1) / HY_BOUNCE_BYTES : 0;
    double trips = (double)more * 2 * (net->overhead + net->latency);
    return fetch(sim, step->peer, rank, step->len, begin) + trips +
           hy_sim_reduce_cost(sim, step->len);
}

static double simulate_net_put(hy_sim *sim, const hy_step *step, int number, double begin)
{
    const hy_net_model *net = hy_model_net(sim->model);
    hy_sim_rank *rank = &sim->ranks[number];
    hy_sim_trip trip = hy_sim_send(sim, number, step->peer, step->len, begin + net->overhead);
    if (rank->unflushed_end == 0 || step->peer < rank->unflushed_from)
        rank->unflushed_from = step->peer;
    if (step->peer >= rank->unflushed_end) rank->unflushed_end = step->peer + 1;
    rank->settled = hy_sim_later(rank->settled, trip.there + net->latency);
    return trip.left;
}

double hy_sim_settle(hy_sim_rank *rank, int to, double begin)
{
    bool alone = rank->unflushed_from == to && rank->unflushed_end == to + 1;
    if (rank->unflushed_end == 0 || alone) return begin;
    rank->unflushed_end = 0;
    return hy_sim_later(begin, rank->settled);
}

double hy_sim_far_move(hy_sim *sim, const hy_step *step, int rank, double begin)
{
    if (step->kind == HY_STEP_PUT) return simulate_net_put(sim, step, rank, begin);
    if (step->kind == HY_STEP_GET) return fetch(sim, step->peer, rank, step->len, begin);
    return fetch_pieces(sim, step, rank, begin);
}
