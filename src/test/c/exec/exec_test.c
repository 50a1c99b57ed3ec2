/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* Every algorithm, also those that nobody would choose, run by the executor on up to eight ranks of
 * one process that take turns in a random order. */
#include "job/world_fixture.h"

#include "coll/reductions.h"
#include "sched/maps_fixture.h"
#include "exec/exec.h"
#include "exec/places.h"

#define HEAP (UINT64_C(2) << 20)

static world w;
static hy_exec execs[WORLD_MOST];
static hy_schedule schedules[WORLD_MOST];
static uint8_t *buffers[WORLD_MOST];

/* Whether signals go by cells, as far as they have room there. The numbers of collectives go on. */
static bool by_cells;
static uint64_t number;

static uint8_t *place(int rank, uint64_t bytes, bool heap)
{
    uint8_t *memory = heap ? hy_job_alloc(w.jobs[rank], bytes + 64) : malloc(bytes + 64);
    assert_non_null(memory);
    return memory;
}

static void displace(int rank, uint8_t *memory, bool heap)
{
    if (heap) assert_int_equal(hy_job_release(w.jobs[rank], memory), HAYATE_OK);
    else free(memory);
}

static int64_t start_value(int rank, uint64_t i)
{
    return rank * 1000003 + (int64_t)i * 7 + 1;
}

static int64_t sum_at(uint64_t i)
{
    int64_t sum = 0;
    for (int rank = 0; rank < w.size; rank++) sum += start_value(rank, i);
    return sum;
}

static void get_ready(int rank, const hy_algorithm *algorithm, const hy_way *way,
                      const hy_shape *shape, bool heap)
{
    hy_shape mine = *shape;
    hy_exec *exec = &execs[rank];
    mine.rank = rank;
    assert_int_equal(hy_schedule_build(&schedules[rank], algorithm, &mine, way), HAYATE_OK);
    uint64_t tmp = schedules[rank].tmp_bytes;
    assert_int_equal(hy_exec_open(exec, &w.groups[rank]), HAYATE_OK);
    exec->number = number;
    if (by_cells) assert_int_equal(hy_places_find(&schedules[rank], &exec->cells), HAYATE_OK);
    if (shape->boxes) assert_non_null(exec->cells.boxes);
    exec->base[HY_OUT] = buffers[rank] = place(rank, shape->bytes, heap);
    exec->bytes[HY_OUT] = shape->bytes;
    exec->base[HY_TMP] = place(rank, tmp, heap);
    exec->bytes[HY_TMP] = tmp;
    exec->fold.unit = shape->unit;
    exec->fold.reduce = hy_reductions[FMPL_LONG_SUM].apply;
    for (uint64_t i = 0; i < shape->bytes / 8; i++) {
        int64_t value = start_value(rank, i);
        memcpy(buffers[rank] + i * 8, &value, 8);
    }
    memset(buffers[rank] + shape->bytes, 0xee, 64);
    hy_exec_start(exec, &schedules[rank], 0xc00c1e);
}

static void drive(unsigned *seed, const char *name)
{
    int over = 0, idle = 0;
    bool done[WORLD_MOST] = {false};
    while (over < w.size) {
        int rank = rand_r(seed) % w.size;
        if (done[rank]) continue;
        uint32_t before = execs[rank].next;
        int rc = hy_exec_run(&execs[rank]);
        if (rc < 0) fail_msg("%s: rank %d: %s", name, rank, hayate_error());
        done[rank] = rc == HAYATE_OK;
        over += done[rank];
        idle = execs[rank].next == before && !done[rank] ? idle + 1 : 0;
        if (idle > 1000 * w.size) fail_msg("%s: stuck on %d ranks", name, w.size);
    }
}

static int64_t expected(const hy_shape *shape, int rank, uint64_t i)
{
    if (shape->coll == HY_COLL_BCAST) return start_value(shape->root, i);
    bool summed = shape->coll == HY_COLL_ALLREDUCE || rank == shape->root;
    return summed ? sum_at(i) : start_value(rank, i);
}

static void judge(const hy_algorithm *algorithm, const hy_shape *shape, int rank)
{
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < shape->bytes / 8 && algorithm->coll != HY_COLL_BARRIER; i++) {
        int64_t value, right = expected(shape, rank, i);
        memcpy(&value, buffers[rank] + i * 8, 8);
        wrong += value != right;
    }
    for (int i = 0; i < 64; i++) wrong += buffers[rank][shape->bytes + (uint64_t)i] != 0xee;
    if (wrong)
        fail_msg("%s %s: rank %d of %d, root %d, %llu bytes: %llu wrong",
                 hy_coll_name(algorithm->coll), algorithm->name, rank, shape->size, shape->root,
                 (unsigned long long)shape->bytes, (unsigned long long)wrong);
}

static void clean_up(int rank, bool heap)
{
    displace(rank, buffers[rank], heap);
    displace(rank, execs[rank].base[HY_TMP], heap);
    hy_exec_close(&execs[rank]);
    hy_schedule_release(&schedules[rank]);
}

static void run_once(const hy_algorithm *algorithm, const hy_way *way, const hy_shape *shape,
                     bool heap, unsigned *seed)
{
    for (int rank = 0; rank < w.size; rank++) get_ready(rank, algorithm, way, shape, heap);
    drive(seed, algorithm->name);
    for (int rank = 0; rank < w.size; rank++) judge(algorithm, shape, rank);
    for (int rank = 0; rank < w.size; rank++) clean_up(rank, heap);
    number++;
}

static void run_ways(const hy_algorithm *algorithm, const hy_shape *shape, bool heap,
                     unsigned *seed)
{
    hy_way way = {0};
    for (uint32_t i = 0; algorithm->applies(shape) && hy_way_at(i, &way); i++) {
        if (!(hy_way_possible(algorithm, shape) >> i & 1)) continue;
        way.segment = algorithm->traits & HY_TRAIT_SEGMENTS ? 10000 : 0;
        way.arity = 0;
        run_once(algorithm, &way, shape, heap, seed);
    }
}

/* The last rank had no room for cells, and all know that. */
static void take_cells_away(void)
{
    size_t size = (size_t)w.size;
    for (int rank = 0; rank < w.size; rank++) {
        hy_group *group = &w.groups[rank];
        group->each = calloc(size, sizeof *group->each);
        assert_non_null(group->each);
        for (size_t i = 0; i < size; i++) group->each[i] = group->own;
        group->each[size - 1].cells_offset = 0;
    }
    w.groups[size - 1].own.cells_offset = 0;
}

static void should_have_boxes_only_if_all_members_have_cells(void **state)
{
    (void)state;
    world_open(&w, 3, HEAP);
    take_cells_away();
    for (int rank = 0; rank < 3; rank++) {
        assert_int_equal(hy_exec_open(&execs[rank], &w.groups[rank]), HAYATE_OK);
        assert_null(execs[rank].cells.boxes);
        hy_exec_close(&execs[rank]);
    }
    world_close(&w);
}

enum cells { NO_CELLS, SOME_CELLS, ALL_CELLS };

/* One world for all, so that each run begins where the channels were left. */
static void run_everything(int size, bool heap, enum cells cells)
{
    by_cells = cells != NO_CELLS;
    number = 0;
    static const uint64_t elements[] = {0, 1, 6, 513, 5000};
    unsigned seed = (unsigned)size * 2 + heap;
    hy_nodes *nodes = nodes_of(size, 2);
    world_open(&w, size, HEAP);
    if (cells == SOME_CELLS) take_cells_away();
    for (int a = 0; hy_algorithms[a]; a++) {
        const hy_algorithm *algorithm = hy_algorithms[a];
        if (algorithm->coll > HY_COLL_ALLREDUCE) continue; /* these run wired only */
        for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
            int roots = hy_coll_has_root(algorithm->coll) ? size : 1;
            for (int root = 0; root < roots; root++) {
                hy_shape shape = {.coll = algorithm->coll, .size = size, .root = root, .unit = 8};
                if (algorithm->coll != HY_COLL_BARRIER) shape.bytes = elements[i] * 8;
                if (algorithm->traits & HY_TRAIT_PARTS) shape.nodes = nodes;
                else if (cells == ALL_CELLS && size > 1) shape.boxes = HY_SCHED_BOX;
                run_ways(algorithm, &shape, heap, &seed);
            }
        }
    }
    world_close(&w);
    hy_nodes_free(nodes);
}

static void should_run_every_algorithm_on_heap_buffers(void **state)
{
    (void)state;
    for (int size = 1; size <= WORLD_MOST; size++) run_everything(size, true, NO_CELLS);
}

static void should_run_every_algorithm_by_single_copy(void **state)
{
    (void)state;
    for (int size = 2; size <= WORLD_MOST; size += 2) run_everything(size, false, NO_CELLS);
}

static void should_run_every_algorithm_by_cells(void **state)
{
    (void)state;
    for (int size = 1; size <= WORLD_MOST; size++) run_everything(size, true, ALL_CELLS);
    for (int size = 2; size <= WORLD_MOST; size += 2) run_everything(size, false, ALL_CELLS);
    for (int size = 2; size <= WORLD_MOST; size += 3) run_everything(size, true, SOME_CELLS);
}

/* ---- ranks that are ahead of others ---- */

#define MANY 4000
#define KINDS 8
#define MOST_BYTES HY_SCHED_BOX

/* Rooted ones let some ranks be ahead; the lengths are in the line, behind it, and elsewhere. Those
 * that are fetched take one box, two or four. */
static const struct {
    hy_coll coll;
    const char *algorithm;
    int root;
    uint64_t bytes;
    hy_transfer transfer;
} kinds[KINDS] = {{HY_COLL_BCAST, "linear", 1, 40, HY_TRANSFER_PUT},
                  {HY_COLL_BCAST, "binomial", 0, 104, HY_TRANSFER_PUT},
                  {HY_COLL_REDUCE, "linear", 2, 1600, HY_TRANSFER_PUT},
                  {HY_COLL_ALLREDUCE, "recursive_doubling", 0, 48, HY_TRANSFER_PUT},
                  {HY_COLL_BCAST, "linear", 3, 1600, HY_TRANSFER_GET},
                  {HY_COLL_BCAST, "binomial", 1, 8000, HY_TRANSFER_GET},
                  {HY_COLL_REDUCE, "binomial", 0, MOST_BYTES, HY_TRANSFER_GET},
                  {HY_COLL_ALLREDUCE, "exchange", 0, 2048, HY_TRANSFER_GET}};

typedef struct runner {
    hy_exec *exec;
    hy_schedule schedules[KINDS];
    int64_t *buffer;
    int rank, run; /* the run under way */
} runner;

/* Many of one kind, so that its root can be as far ahead as it may. */
static int kind_of(int run)
{
    unsigned seed = (unsigned)run / 40 * 77 + 5;
    return rand_r(&seed) % KINDS;
}

static int64_t part_of(int run, int rank, uint64_t i)
{
    return run * 1000 + rank * 7 + (int64_t)i;
}

static void start_run(runner *r)
{
    int kind = kind_of(r->run);
    for (uint64_t i = 0; i < kinds[kind].bytes / 8; i++) r->buffer[i] = part_of(r->run, r->rank, i);
    hy_exec_start(r->exec, &r->schedules[kind], 0xc00c1e + (uint32_t)kind);
}

static void judge_run(const runner *r)
{
    int kind = kind_of(r->run), root = kinds[kind].root;
    bool sums = kinds[kind].coll != HY_COLL_BCAST;
    if (kinds[kind].coll == HY_COLL_REDUCE && r->rank != root) return;
    for (uint64_t i = 0; i < kinds[kind].bytes / 8; i++) {
        int64_t expected = sums ? 0 : part_of(r->run, root, i);
        for (int rank = 0; sums && rank < w.size; rank++) expected += part_of(r->run, rank, i);
        if (r->buffer[i] != expected)
            fail_msg("run %d, kind %d, rank %d: element %d", r->run, kind, r->rank, (int)i);
    }
}

static void prepare_runner(runner *r, int rank)
{
    *r = (runner){.exec = &execs[rank], .rank = rank};
    assert_int_equal(hy_exec_open(r->exec, &w.groups[rank]), HAYATE_OK);
    r->buffer = hy_job_alloc(w.jobs[rank], MOST_BYTES);
    r->exec->base[HY_OUT] = (uint8_t *)r->buffer;
    r->exec->base[HY_TMP] = hy_job_alloc(w.jobs[rank], 65536);
    r->exec->bytes[HY_OUT] = MOST_BYTES, r->exec->bytes[HY_TMP] = 65536;
    r->exec->fold.unit = 8;
    r->exec->fold.reduce = hy_reductions[FMPL_LONG_SUM].apply;
    for (int i = 0; i < KINDS; i++) {
        const hy_way way = {.transfer = kinds[i].transfer, .buffers = HY_BUFFERS_PREPARED};
        const hy_shape shape = {.coll = kinds[i].coll,
                                .rank = rank,
                                .size = w.size,
                                .root = kinds[i].root,
                                .bytes = kinds[i].bytes,
                                .unit = 8,
                                .boxes = HY_SCHED_BOX};
        const hy_algorithm *algorithm = hy_algorithm_find(kinds[i].coll, kinds[i].algorithm);
        assert_int_equal(hy_schedule_build(&r->schedules[i], algorithm, &shape, &way), HAYATE_OK);
        assert_int_equal(hy_places_find(&r->schedules[i], &r->exec->cells), HAYATE_OK);
        assert_non_null(r->schedules[i].places);
    }
    start_run(r);
}

/* As far as it comes. */
static int advance(runner *r)
{
    int ended = 0;
    while (r->run < MANY) {
        int rc = hy_exec_run(r->exec);
        if (rc < 0) fail_msg("run %d: rank %d: %s", r->run, r->rank, hayate_error());
        if (rc == HAYATE_IN_PROGRESS) break;
        judge_run(r);
        ended++;
        if (++r->run < MANY) start_run(r);
    }
    return ended;
}

static void should_not_overwrite_what_a_slower_member_has_not_read(void **state)
{
    static runner runners[4];
    unsigned seed = 11;
    int left = 4 * MANY, idle = 0, most = 0;
    (void)state;
    world_open(&w, 4, HEAP);
    for (int rank = 0; rank < 4; rank++) prepare_runner(&runners[rank], rank);
    while (left) {
        /* One of them is favoured for a while. */
        int rank = rand_r(&seed) % 3 ? left / 500 % 4 : rand_r(&seed) % 4;
        int ended = advance(&runners[rank]), ahead = 0;
        left -= ended;
        idle = ended ? 0 : idle + 1;
        if (idle > 1000) fail_msg("stuck");
        for (int i = 0; i < 4; i++)
            if (runners[rank].run - runners[i].run > ahead)
                ahead = runners[rank].run - runners[i].run;
        if (ahead > most) most = ahead;
    }
    assert_true(most >= HY_CELLS_DEPTH);
    for (int rank = 0; rank < 4; rank++) {
        hy_exec_close(&execs[rank]);
        for (int i = 0; i < KINDS; i++) hy_schedule_release(&runners[rank].schedules[i]);
    }
    world_close(&w);
}

/* ---- what must not be believed ---- */

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

static void should_refuse_cells_of_another_collective(void **state)
{
    const hy_descriptor good = {.offset = WORLD_SYSTEM, .len = 3000, .flags = 0xc00c1e};
    hy_descriptor bad = good;
    const uint32_t cookie = 0xc00c1e, root = cookie ^ 1 << 15;
    (void)state;
    assert_int_equal(receive_by_cell(cookie, cookie, 0, &fetch, &good, sizeof good), HAYATE_OK);
    assert_int_equal(receive_by_cell(cookie, cookie, 1, &fetch, &good, sizeof good),
                     HAYATE_IN_PROGRESS);
    assert_int_equal(receive_by_cell(root, root, 0, &fetch, &good, sizeof good),
                     HAYATE_ERR_MISMATCH);
    assert_int_equal(hayate_error_peer(), 0);
    assert_non_null(strstr(hayate_error(), "another root"));
    bad.offset = WORLD_SYSTEM + HEAP - 2999;
    assert_int_equal(receive_by_cell(cookie, cookie, 0, &fetch, &bad, sizeof bad),
                     HAYATE_ERR_CORRUPT);
}

static uint64_t head_of(int kind, uint64_t len)
{
    return 1 | (uint64_t)kind << 48 | len << 56;
}

static void should_refuse_messages_of_another_collective(void **state)
{
    (void)state;
    const uint32_t other[] = {0xbad, 40}, short_one[] = {0xc00c1e, 39};
    const hy_descriptor eager = {.len = 3000, .flags = 0xbad};
    uint64_t head = head_of(HY_KIND_INLINE, 48);
    assert_int_equal(receive(&payload, 40, head, other, sizeof other), HAYATE_ERR_MISMATCH);
    assert_int_equal(hayate_error_peer(), 0);
    assert_int_equal(receive(&payload, 40, head, short_one, sizeof short_one), HAYATE_ERR_MISMATCH);
    head = head_of(HY_KIND_EAGER, sizeof eager);
    assert_int_equal(receive(&payload, 3000, head, &eager, sizeof eager), HAYATE_ERR_MISMATCH);
    head = head_of(HY_KIND_LONG, sizeof eager);
    assert_int_equal(receive(&payload, 3000, head, &eager, sizeof eager), HAYATE_ERR_MISMATCH);
    head = head_of(HY_KIND_EXPOSE, sizeof eager);
    assert_int_equal(receive(&payload, 3000, head, &eager, sizeof eager), HAYATE_ERR_MISMATCH);
    assert_int_equal(receive(&payload, 40, head_of(255, 255), other, 8), HAYATE_ERR_MISMATCH);
}

static void should_never_read_outside_of_the_peers_memory(void **state)
{
    (void)state;
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
        assert_int_equal(receive(&payload, 3000, eager, &bad[i], sizeof *bad), HAYATE_ERR_CORRUPT);
        assert_int_equal(receive(&fetch, 3000, expose, &bad[i], sizeof *bad), HAYATE_ERR_CORRUPT);
    }
}

static void should_not_get_more_than_was_exposed(void **state)
{
    (void)state;
    const hy_descriptor bad[] = {
        {.offset = WORLD_SYSTEM, .len = 2999, .flags = 0xc00c1e},
        {.offset = WORLD_SYSTEM, .len = 0, .flags = 0xc00c1e},
    };
    uint64_t head = head_of(HY_KIND_EXPOSE, sizeof *bad);
    for (int i = 0; i < 2; i++)
        assert_int_equal(receive(&fetch, 3000, head, &bad[i], sizeof *bad), HAYATE_ERR_MISMATCH);
    const hy_descriptor good = {.offset = WORLD_SYSTEM, .len = 3000, .flags = 0xc00c1e};
    assert_int_equal(receive(&fetch, 3000, head, &good, sizeof good), HAYATE_OK);
}

static void should_say_why_memory_cannot_be_reached(void **state)
{
    (void)state;
    const hy_shape shape = {.coll = HY_COLL_BCAST, .size = 2, .bytes = 5000, .unit = 1};
    world_open(&w, 2, HEAP);
    for (int rank = 0; rank < 2; rank++)
        get_ready(rank, hy_algorithm_find(HY_COLL_BCAST, "linear"), &fetch, &shape, false);
    w.jobs[1]->eps[0].single = NULL;
    w.jobs[1]->eps[0].why_not_single = "because of the test";
    assert_int_equal(hy_exec_run(&execs[0]), HAYATE_IN_PROGRESS);
    assert_int_equal(hy_exec_run(&execs[1]), HAYATE_ERR_UNSUPPORTED);
    assert_string_equal(hayate_error(), "because of the test");
    for (int rank = 0; rank < 2; rank++) clean_up(rank, false);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_run_every_algorithm_on_heap_buffers),
        cmocka_unit_test(should_run_every_algorithm_by_single_copy),
        cmocka_unit_test(should_run_every_algorithm_by_cells),
        cmocka_unit_test(should_have_boxes_only_if_all_members_have_cells),
        cmocka_unit_test(should_not_overwrite_what_a_slower_member_has_not_read),
        cmocka_unit_test(should_refuse_cells_of_another_collective),
        cmocka_unit_test(should_refuse_messages_of_another_collective),
        cmocka_unit_test(should_never_read_outside_of_the_peers_memory),
        cmocka_unit_test(should_not_get_more_than_was_exposed),
        cmocka_unit_test(should_say_why_memory_cannot_be_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
