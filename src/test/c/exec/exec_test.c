/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* Every algorithm, also those that nobody would choose, run by the executor on up to eight ranks of
 * one process that take turns in a random order. */
#include "exec/exec_fixture.h"

#include "sched/maps_fixture.h"

static int64_t sum_at(uint64_t i)
{
    int64_t sum = 0;
    for (int rank = 0; rank < w.size; rank++) sum += start_value(rank, i);
    return sum;
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

TEST(should_have_boxes_only_if_all_members_have_cells)
{
    world_open(&w, 3, HEAP);
    take_cells_away();
    for (int rank = 0; rank < 3; rank++) {
        assert_ok(hy_exec_open(&execs[rank], &w.groups[rank]));
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

TEST(should_run_every_algorithm_on_heap_buffers)
{
    for (int size = 1; size <= WORLD_MOST; size++) run_everything(size, true, NO_CELLS);
}

TEST(should_run_every_algorithm_by_single_copy)
{
    for (int size = 2; size <= WORLD_MOST; size += 2) run_everything(size, false, NO_CELLS);
}

TEST(should_run_every_algorithm_by_cells)
{
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
    assert_ok(hy_exec_open(r->exec, &w.groups[rank]));
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
        assert_ok(hy_schedule_build(&r->schedules[i], algorithm, &shape, &way));
        assert_ok(hy_places_find(&r->schedules[i], &r->exec->cells));
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

TEST(should_not_overwrite_what_a_slower_member_has_not_read)
{
    static runner runners[4];
    unsigned seed = 11;
    int left = 4 * MANY, idle = 0, most = 0;
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

int main(void)
{
    return tests_run();
}
