/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* What an executor must not believe: rank 1 of a broadcast gets signals that no rank sends which
 * takes part in it. */
#include "exec/exec_fixture.h"

static const hy_way payload = {.transfer = HY_TRANSFER_PUT, .buffers = HY_BUFFERS_PREPARED};
static const hy_way fetch = {.transfer = HY_TRANSFER_GET, .buffers = HY_BUFFERS_STRAIGHT};

/* Rank 1 of a broadcast over two waits for what `slot` says. */
static int receive(const hy_way *way, uint64_t bytes, uint64_t head, const void *data, size_t len)
{
    const hy_shape shape = {.coll = HY_COLL_BCAST, .size = 2, .bytes = bytes, .unit = 1};
    world_open(&w, 2, HEAP);
    number = 0;
    by_cells = false;
    get_ready(1, hy_algorithm_find(HY_COLL_BCAST, "linear"), way, &shape, true);
    hy_slot *slot = hy_channel_slot(&w.groups[1].channels[0], 0);
    memcpy(slot->payload, data, len);
    hy_store_release(&slot->head, head);
    int rc = hy_exec_run(&execs[1]);
    clean_up(1, true);
    world_close(&w);
    return rc;
}

/* The same by a cell, whose head has the mark of a call with the cookie `mark`, or, if `ahead`, is
 * of the run behind. `told`: the cookie that rank 0 is said to have. */
static int receive_by_cell(uint32_t cookie, uint32_t told, uint64_t ahead, const hy_way *way,
                           const void *data, size_t len)
{
    const hy_shape shape = {.coll = HY_COLL_BCAST, .size = 2, .bytes = 3000, .unit = 1};
    world_open(&w, 2, HEAP);
    number = 0;
    by_cells = true;
    get_ready(1, hy_algorithm_find(HY_COLL_BCAST, "linear"), way, &shape, true);
    hy_cells_head *theirs = (hy_cells_head *)(void *)(w.jobs[0]->part +
                                                      w.groups[0].own.cells_offset);
    hy_store_relaxed(&theirs->calls[1], UINT64_C(1) << 32 | told);
    hy_slot *line = hy_cells_line(execs[1].cells.rows[0].in, 0, 1);
    memcpy(line->payload, data, len);
    uint64_t mine = execs[1].cookie, head = execs[1].head;
    hy_store_release(&line->head, (head ^ mine ^ cookie) + (ahead << 24));
    int rc = hy_exec_run(&execs[1]);
    clean_up(1, true);
    world_close(&w);
    by_cells = false;
    return rc;
}

TEST(should_refuse_cells_of_another_collective)
{
    const hy_descriptor good = {.offset = WORLD_SYSTEM, .len = 3000, .flags = 0xc00c1e};
    hy_descriptor bad = good;
    const uint32_t cookie = 0xc00c1e, root = cookie ^ 1 << 15;
    assert_ok(receive_by_cell(cookie, cookie, 0, &fetch, &good, sizeof good));
    assert_code(receive_by_cell(cookie, cookie, 1, &fetch, &good, sizeof good), HAYATE_IN_PROGRESS);
    assert_code(receive_by_cell(root, root, 0, &fetch, &good, sizeof good), HAYATE_ERR_MISMATCH);
    assert_int_equal(hayate_error_peer(), 0);
    assert_non_null(strstr(hayate_error(), "another root"));
    bad.offset = WORLD_SYSTEM + HEAP - 2999;
    assert_code(receive_by_cell(cookie, cookie, 0, &fetch, &bad, sizeof bad), HAYATE_ERR_CORRUPT);
}

static uint64_t head_of(int kind, uint64_t len)
{
    return 1 | (uint64_t)kind << 48 | len << 56;
}

TEST(should_refuse_messages_of_another_collective)
{
    const uint32_t other[] = {0xbad, 40}, short_one[] = {0xc00c1e, 39};
    const hy_descriptor eager = {.len = 3000, .flags = 0xbad};
    uint64_t head = head_of(HY_KIND_INLINE, 48);
    assert_code(receive(&payload, 40, head, other, sizeof other), HAYATE_ERR_MISMATCH);
    assert_int_equal(hayate_error_peer(), 0);
    assert_code(receive(&payload, 40, head, short_one, sizeof short_one), HAYATE_ERR_MISMATCH);
    head = head_of(HY_KIND_EAGER, sizeof eager);
    assert_code(receive(&payload, 3000, head, &eager, sizeof eager), HAYATE_ERR_MISMATCH);
    head = head_of(HY_KIND_LONG, sizeof eager);
    assert_code(receive(&payload, 3000, head, &eager, sizeof eager), HAYATE_ERR_MISMATCH);
    head = head_of(HY_KIND_EXPOSE, sizeof eager);
    assert_code(receive(&payload, 3000, head, &eager, sizeof eager), HAYATE_ERR_MISMATCH);
    assert_code(receive(&payload, 40, head_of(255, 255), other, 8), HAYATE_ERR_MISMATCH);
}

TEST(should_never_read_outside_of_the_peers_memory)
{
    const uint64_t part = WORLD_SYSTEM + HEAP;
    const hy_descriptor bad[] = {
        {.offset = part, .len = 3000, .flags = 0xc00c1e},
        {.offset = part - 2999, .len = 3000, .flags = 0xc00c1e},
        {.offset = UINT64_MAX - 1, .len = 3000, .flags = 0xc00c1e},
        {.offset = UINT64_MAX - 1000, .len = 3000, .flags = 0xc00c1e},
    };
    for (int i = 0; i < 4; i++) {
        uint64_t eager = head_of(HY_KIND_EAGER, sizeof *bad);
        uint64_t expose = head_of(HY_KIND_EXPOSE, sizeof *bad);
        assert_code(receive(&payload, 3000, eager, &bad[i], sizeof *bad), HAYATE_ERR_CORRUPT);
        assert_code(receive(&fetch, 3000, expose, &bad[i], sizeof *bad), HAYATE_ERR_CORRUPT);
    }
}

TEST(should_not_get_more_than_was_exposed)
{
    const hy_descriptor bad[] = {
        {.offset = WORLD_SYSTEM, .len = 2999, .flags = 0xc00c1e},
        {.offset = WORLD_SYSTEM, .len = 0, .flags = 0xc00c1e},
    };
    uint64_t head = head_of(HY_KIND_EXPOSE, sizeof *bad);
    for (int i = 0; i < 2; i++)
        assert_code(receive(&fetch, 3000, head, &bad[i], sizeof *bad), HAYATE_ERR_MISMATCH);
    const hy_descriptor good = {.offset = WORLD_SYSTEM, .len = 3000, .flags = 0xc00c1e};
    assert_ok(receive(&fetch, 3000, head, &good, sizeof good));
}

TEST(should_say_why_memory_cannot_be_reached)
{
    const hy_shape shape = {.coll = HY_COLL_BCAST, .size = 2, .bytes = 5000, .unit = 1};
    world_open(&w, 2, HEAP);
    for (int rank = 0; rank < 2; rank++)
        get_ready(rank, hy_algorithm_find(HY_COLL_BCAST, "linear"), &fetch, &shape, false);
    w.jobs[1]->eps[0].single = NULL;
    w.jobs[1]->eps[0].why_not_single = "because of the test";
    assert_code(hy_exec_run(&execs[0]), HAYATE_IN_PROGRESS);
    assert_refused(hy_exec_run(&execs[1]), HAYATE_ERR_UNSUPPORTED, "because of the test");
    for (int rank = 0; rank < 2; rank++) clean_up(rank, false);
    world_close(&w);
}

int main(void)
{
    return tests_run();
}
