/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules by hand, a broadcast in name only, and what the simulator says about their steps. */
#ifndef HY_TEST_SIMULATE_HAND_FIXTURE_H
#define HY_TEST_SIMULATE_HAND_FIXTURE_H

#include "base/status.h"
#include "choose/simulate_fixture.h"
#include "sched/algorithms/algorithms.h"

static int (*by_hand)(hy_schedule *s);

static int build_by_hand(hy_schedule *s)
{
    by_hand(s);
    return hy_emit_end(s);
}

static hy_algorithm hand_made = {
    .name = "hand-made",
    .title = "of this test",
    .coll = HY_COLL_BCAST,
    .ways = HY_WAYS_ALL,
    .applies = hy_applies_always,
    .build = build_by_hand,
};

#define MOST_EVENTS 4096

static hy_sim_event events[MOST_EVENTS];
static hy_step event_steps[MOST_EVENTS];
static int event_count;

static inline void record(void *context, const hy_sim_event *event)
{
    assert_ptr_equal(context, events);
    assert_true(event_count < MOST_EVENTS);
    events[event_count] = *event;
    event_steps[event_count] = *event->step;
    events[event_count].step = &event_steps[event_count];
    event_count++;
}

static inline const hy_sim_event *event_of(int rank, uint32_t round, uint64_t index)
{
    for (int i = 0; i < event_count; i++)
        if (events[i].rank == rank && events[i].round == round && events[i].index == index)
            return &events[i];
    fail_msg("rank %d never did step %d of run %u", rank, (int)index, round);
    return NULL;
}

typedef struct hand_case {
    hy_model model;
    hy_shape shape;
    hy_sim_setting setting;
} hand_case;

static inline hand_case case_of(int (*build)(hy_schedule *s), int ranks, int cpus)
{
    by_hand = build;
    event_count = 0;
    return (hand_case){
        .model = plain(cpus),
        .shape = {.coll = HY_COLL_BCAST, .size = ranks, .bytes = 1000, .unit = 1},
        .setting = {.rounds = 1, .watch = record, .context = events},
    };
}

static inline hy_sim_result run(const hand_case *c)
{
    hy_sim_result result;
    int rc = hy_simulate(&c->model, &hand_made, &c->shape, &put_prepared, &c->setting, &result);
    if (rc) fail_msg("%s", hayate_error());
    return result;
}

static inline double time_of(int (*build)(hy_schedule *s), int ranks, int cpus)
{
    hand_case c = case_of(build, ranks, cpus);
    return run(&c).ns;
}

static inline int ping_pong(hy_schedule *s)
{
    int other = 1 - s->shape.rank;
    if (s->shape.rank == 1) hy_emit_wait(s, other);
    hy_emit_signal(s, other);
    if (s->shape.rank == 0) hy_emit_wait(s, other);
    return 0;
}

#endif
