/* SPDX-License-Identifier: Apache-2.0 */
/* What a peer tells of its memory for a persistent collective is refused if a run could leave it.
 */
#include "exec/wired.h"
#include "fmpl/members_fixture.h"

#define BYTES 512

/* Of a rank that fetches from prepared buffers. */
static hy_schedule schedule_of(int rank)
{
    const hy_shape shape = {.coll = HY_COLL_ALLGATHER,
                            .rank = rank,
                            .size = RANKS,
                            .bytes = BYTES,
                            .unit = 1,
                            .wired = true};
    const hy_way way = {.transfer = HY_TRANSFER_GET, .buffers = HY_BUFFERS_PREPARED};
    hy_schedule schedule;
    assert_ok(
        hy_schedule_build(&schedule, hy_algorithm_find(HY_COLL_ALLGATHER, "ring"), &shape, &way));
    return schedule;
}

typedef struct side {
    hy_schedule schedule;
    hy_wired wired;
    uint8_t in[BYTES], out[RANKS * BYTES];
} side;

static void open_side(side *s, int rank)
{
    hy_comm *world = hy_comm_find(members[rank].fmpl->comms, FMPL_COMM_WORLD);
    *s = (side){.schedule = schedule_of(rank)};
    s->wired.base[HY_IN] = s->in, s->wired.bytes[HY_IN] = sizeof s->in;
    s->wired.base[HY_OUT] = s->out, s->wired.bytes[HY_OUT] = sizeof s->out;
    assert_ok(hy_wired_open(&s->wired, &world->group, &s->schedule));
}

static void close_side(side *s)
{
    hy_wired_close(&s->wired, false);
    hy_schedule_release(&s->schedule);
}

/* Rank 0 connects to what rank 1 tells, in which the box has other bytes and another distance. */
static int connect_to(uint64_t bytes, uint64_t turn)
{
    static side sides[RANKS];
    hy_wires theirs[RANKS] = {0};
    for (int rank = 0; rank < RANKS; rank++) open_side(&sides[rank], rank);
    hy_wired_wires(&sides[1].wired, &sides[1].schedule, 0, &theirs[1]);
    hy_exposed *box = &theirs[1].regions[HY_BOX];
    assert_true(box->len == theirs[1].box_turn * sides[1].wired.depth);
    if (bytes) {
        box->len = bytes;
        box->offset = members[1].job->part_bytes - bytes;
        theirs[1].box_turn = turn;
    }
    int rc = hy_wired_connect(&sides[0].wired, &sides[0].schedule, theirs);
    for (int rank = 0; rank < RANKS; rank++) close_side(&sides[rank]);
    return rc;
}

TEST_WITH(should_refuse_a_box_that_a_later_run_leaves, members_set_up, members_tear_down)
{
    assert_ok(connect_to(0, 0));
    assert_ok(connect_to(64 * BYTES, BYTES));
    assert_code(connect_to(64 * BYTES, BYTES / 2), HAYATE_ERR_MISMATCH);
    assert_code(connect_to(64 * BYTES, 64 * BYTES), HAYATE_ERR_CORRUPT);
}

int main(void)
{
    setenv("HAYATE_RENDEZVOUS", "heap", 1); /* the parts have bounds, as between processes */
    return tests_run();
}
