/* SPDX-License-Identifier: Apache-2.0 */
/* Persistent operations beyond their data: several at once, refusals, disagreement, uneven blocks,
 * who works on them, and what is left when they are closed. Run by pcoll_test.c on 1 to 5 ranks. */
#include <hayate/pcoll.h>

#include "fmpl/scenario.h"

#include "init/join.h"

#define WORLD FMPL_COMM_WORLD
#define N 1000

static void must(int line, int rc)
{
    if (rc) check_failed(line, "must succeed", rc);
}
#define MUST(call) must(__LINE__, (call))

static void refused(int line, int rc, int code, const char *word)
{
    if (rc != code) check_failed(line, "another code expected", rc);
    if (!strstr(hayate_error(), word)) check_failed(line, word, rc);
}
#define REFUSED(call, code, word) refused(__LINE__, (call), (code), (word))

static int64_t *numbers(uint64_t count)
{
    return (int64_t *)(void *)memory_of(true, count * sizeof(int64_t));
}

static pcoll_t sum_of(int64_t *memory, size_t count, const char *options)
{
    pcoll_t op = PCOLL_NULL;
    MUST(pcoll_allreduce_init(memory, count, FMPL_LONG_SUM, WORLD, options, &op));
    return op;
}

static int64_t sum_of_ranks(int64_t add)
{
    return (int64_t)size * (size - 1) / 2 + add * size;
}

/* ---- several at once ---- */

SCENARIO_AS("in_flight", should_keep_operations_in_flight_apart)
{
    enum { OPS = 5 };
    static const char *const options[OPS] = {NULL, "algorithm=linear", "progress=caller",
                                             "buffers=straight", "progress=thread"};
    int64_t *memory[OPS];
    pcoll_t ops[OPS];
    for (int i = 0; i < OPS; i++) {
        memory[i] = numbers(N);
        if (i == 1) MUST(pcoll_bcast_init(memory[i], N * 8, size - 1, WORLD, options[i], &ops[i]));
        else ops[i] = sum_of(memory[i], N, options[i]);
    }
    for (int run = 0; run < 40; run++) {
        for (int i = 0; i < OPS; i++) {
            for (int k = 0; k < N; k++) memory[i][k] = rank + run * 10 + i;
            MUST(pcoll_start(ops[i]));
        }
        for (int i = 0; i < OPS; i++) /* each rank in its own order */
            MUST(pcoll_wait(ops[(i * 2 + rank + run) % OPS]));
        for (int i = 0; i < OPS; i++) {
            int64_t want = i == 1 ? size - 1 + run * 10 + i : sum_of_ranks(run * 10 + i);
            CHECK(memory[i][0] == want && memory[i][N - 1] == want);
        }
    }
    for (int i = 0; i < OPS; i++) {
        MUST(pcoll_free(&ops[i]));
        memory_free(true, memory[i]);
    }
}

SCENARIO_AS("order", should_run_in_any_order_of_starts)
{
    int64_t *a = numbers(1), *b = numbers(1);
    pcoll_t first = sum_of(a, 1, NULL), second = sum_of(b, 1, NULL);
    pcoll_t order[2] = {rank % 2 ? second : first, rank % 2 ? first : second};
    *a = rank, *b = rank + 1;
    MUST(pcoll_start_all(2, order));
    MUST(pcoll_wait_all(2, order));
    CHECK(*a == sum_of_ranks(0) && *b == sum_of_ranks(1));
    MUST(pcoll_free(&first));
    MUST(pcoll_free(&second));
    memory_free(true, a);
    memory_free(true, b);
}

/* ---- states ---- */

SCENARIO_AS("states", should_refuse_what_does_not_fit_the_state)
{
    int64_t *memory = numbers(1);
    pcoll_t op = sum_of(memory, 1, NULL), none = PCOLL_NULL;
    int done = 7;
    MUST(pcoll_wait(op));
    MUST(pcoll_test(op, &done));
    CHECK(done == 1);
    *memory = rank;
    MUST(pcoll_start(op));
    REFUSED(pcoll_start(op), HAYATE_ERR_BUSY, "wait");
    /* alone it may be over already, but nobody has collected it */
    if (size > 1 && rank == 0) {
        int rc = pcoll_free(&op);
        CHECK(rc == HAYATE_ERR_BUSY || rc == HAYATE_OK);
        CHECK(rc == HAYATE_ERR_BUSY ? op != PCOLL_NULL : op == PCOLL_NULL);
        if (!op) return; /* it was over: nothing more to see */
    }
    do MUST(pcoll_test(op, &done));
    while (!done);
    CHECK(*memory == sum_of_ranks(0));
    MUST(pcoll_free(&op));
    CHECK(op == PCOLL_NULL);
    REFUSED(pcoll_free(&op), HAYATE_ERR_ARGUMENT, "null");
    REFUSED(pcoll_start(none), HAYATE_ERR_ARGUMENT, "null");
    REFUSED(pcoll_wait(none), HAYATE_ERR_ARGUMENT, "null");
    MUST(pcoll_wait_all(1, &none));
    memory_free(true, memory);
}

/* ---- arguments ---- */

SCENARIO_AS("arguments", should_refuse_bad_arguments)
{
    static int64_t memory[64];
    pcoll_t op = PCOLL_NULL;
    char *bytes = (char *)memory;
    const size_t sizes[8] = {8, 8, 8, 8, 8, 8, 8, 8};
    const size_t same[8] = {0};
    REFUSED(pcoll_bcast_init(NULL, 8, 0, WORLD, NULL, &op), HAYATE_ERR_ARGUMENT, "null");
    REFUSED(pcoll_bcast_init(memory, 8, size, WORLD, NULL, &op), HAYATE_ERR_ARGUMENT, "root");
    REFUSED(pcoll_bcast_init(memory, 8, 0, 99, NULL, &op), HAYATE_ERR_ARGUMENT, "communicator");
    REFUSED(pcoll_bcast_init(memory, SIZE_MAX, 0, WORLD, NULL, &op), HAYATE_ERR_ARGUMENT, "0 or");
    REFUSED(pcoll_bcast_init(memory, 8, 0, WORLD, NULL, NULL), HAYATE_ERR_ARGUMENT, "pointer");
    REFUSED(pcoll_allreduce_init(bytes + 1, 1, FMPL_LONG_SUM, WORLD, NULL, &op),
            HAYATE_ERR_ARGUMENT, "aligned");
    REFUSED(pcoll_allreduce_init(memory, 1, 12345, WORLD, NULL, &op), HAYATE_ERR_ARGUMENT,
            "reduction");
    REFUSED(pcoll_alltoall_init(memory, memory, 8, WORLD, NULL, &op), HAYATE_ERR_ARGUMENT,
            "overlap");
    REFUSED(pcoll_allgather_init(bytes + 4, 8, bytes, WORLD, NULL, &op), HAYATE_ERR_ARGUMENT,
            "overlap");
    REFUSED(pcoll_alltoallv_init(memory, NULL, NULL, memory + 32, sizes, NULL, WORLD, NULL, &op),
            HAYATE_ERR_ARGUMENT, "null");
    if (size > 1)
        REFUSED(pcoll_allgatherv_init(memory, memory + 32, sizes, same, WORLD, NULL, &op),
                HAYATE_ERR_ARGUMENT, "overlap");
    REFUSED(pcoll_barrier_init(WORLD, "algorithm=fastest", &op), HAYATE_ERR_ARGUMENT, "flat");
    REFUSED(pcoll_barrier_init(WORLD, "speed=high", &op), HAYATE_ERR_ARGUMENT, "speed");
    REFUSED(pcoll_allreduce_init(memory, 1, FMPL_LONG_SUM, WORLD, "segment=-3", &op),
            HAYATE_ERR_ARGUMENT, "segment");
    CHECK(op == PCOLL_NULL);
}

SCENARIO_AS("fit", should_refuse_an_algorithm_that_does_not_fit)
{
    static int64_t in[64], out[64];
    pcoll_t op = PCOLL_NULL;
    if (size == 1 || size == 2 || size == 4 || size == 8) return;
    REFUSED(pcoll_allgather_init(in, 8, out, WORLD, "algorithm=recursive_doubling", &op),
            HAYATE_ERR_ARGUMENT, "power of two");
}

/* ---- disagreement ---- */

SCENARIO_AS("disagree", should_name_who_disagrees_and_about_what)
{
    static int64_t in[64], out[64];
    pcoll_t op = PCOLL_NULL;
    const bool odd = rank == size - 1;
    if (size == 1) return;
    REFUSED(pcoll_bcast_init(out, 8, odd, WORLD, NULL, &op), HAYATE_ERR_MISMATCH, "root");
    REFUSED(pcoll_bcast_init(out, odd ? 16 : 8, 0, WORLD, NULL, &op), HAYATE_ERR_MISMATCH, "size");
    REFUSED(pcoll_allreduce_init(out, 1, odd ? FMPL_LONG_ABS_MAX : FMPL_LONG_SUM, WORLD, NULL, &op),
            HAYATE_ERR_MISMATCH, "reduction");
    REFUSED(odd ? pcoll_barrier_init(WORLD, NULL, &op)
                : pcoll_bcast_init(out, 8, 0, WORLD, NULL, &op),
            HAYATE_ERR_MISMATCH, "barrier");
    REFUSED(pcoll_bcast_init(out, 8, 0, WORLD, odd ? "algorithm=linear" : NULL, &op),
            HAYATE_ERR_MISMATCH, "options");
    size_t sizes[8] = {8, 8, 8, 8, 8, 8, 8, 8};
    sizes[0] = odd ? 16 : 8;
    REFUSED(pcoll_allgatherv_init(in, out, sizes, NULL, WORLD, NULL, &op), HAYATE_ERR_MISMATCH,
            odd ? "rank 0 sends 8 bytes to this rank, which expects 16 bytes"
                : "other sizes or offsets of blocks");
    CHECK(op == PCOLL_NULL);
    CHECK(hayate_error_peer() >= 0 && hayate_error_peer() != rank);
    MUST(pcoll_barrier_init(WORLD, NULL, &op)); /* nothing is left of all that */
    MUST(pcoll_start(op));
    MUST(pcoll_wait(op));
    MUST(pcoll_free(&op));
}

SCENARIO_AS("length", should_name_who_sends_another_length)
{
    static uint8_t in[64], out[256];
    size_t sizes[8] = {8, 8, 8, 8, 8, 8, 8, 8};
    pcoll_t op = PCOLL_NULL;
    if (size == 1) return;
    int rc = pcoll_gatherv_init(in, rank == 1 ? 12 : 8, out, sizes, NULL, 0, WORLD, NULL, &op);
    if (rank == 0) REFUSED(rc, HAYATE_ERR_MISMATCH, "rank 1 sends 12 bytes to this rank");
    else REFUSED(rc, HAYATE_ERR_MISMATCH, "rank 0 could not prepare");
}

/* ---- uneven blocks ---- */

static size_t length_of(int from, int to)
{
    return (size_t)((from * 3 + to * 5) % 4) * 24; /* some are empty */
}

static uint64_t seed_of(int from, int to, int run)
{
    return (uint64_t)(from * 100 + to * 10 + run * 1000);
}

/* Blocks with gaps: sizes and offsets of what `from` sends to everybody, or gets. */
static size_t lay(size_t *sizes, size_t *offsets, bool sends)
{
    size_t at = 8;
    for (int peer = 0; peer < size; peer++) {
        sizes[peer] = sends ? length_of(rank, peer) : length_of(peer, rank);
        offsets[peer] = at;
        at += sizes[peer] + 8;
    }
    return at;
}

SCENARIO_AS("alltoallv", should_exchange_blocks_of_any_length)
{
    static const char *const options[] = {NULL, "algorithm=pairwise transfer=get buffers=straight",
                                          "transfer=put buffers=straight",
                                          "transfer=put buffers=prepared"};
    static uint8_t in[2000], out[2000];
    size_t in_sizes[8], in_offsets[8], out_sizes[8], out_offsets[8];
    lay(in_sizes, in_offsets, true);
    size_t end = lay(out_sizes, out_offsets, false);
    for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
        pcoll_t op = PCOLL_NULL;
        MUST(pcoll_alltoallv_init(in, in_sizes, in_offsets, out, out_sizes, out_offsets, WORLD,
                                  options[o], &op));
        for (int run = 0; run < 6; run++) {
            memset(out, 0xee, sizeof out);
            for (int peer = 0; peer < size; peer++)
                fill(in + in_offsets[peer], in_sizes[peer], seed_of(rank, peer, run));
            MUST(pcoll_start(op));
            MUST(pcoll_wait(op));
            for (int peer = 0; peer < size; peer++) {
                CHECK(holds(out + out_offsets[peer], out_sizes[peer], seed_of(peer, rank, run)));
                CHECK(all_are(out + out_offsets[peer] - 8, 8, 0xee)); /* the gaps stay */
            }
            CHECK(all_are(out + end - 8, 64, 0xee));
        }
        MUST(pcoll_free(&op));
    }
}

SCENARIO_AS("rootedv", should_gather_and_scatter_blocks_of_any_length)
{
    static uint8_t root_side[2000], mine[200];
    const int root = size - 1;
    size_t sizes[8], own = length_of(rank, 1);
    for (int peer = 0; peer < size; peer++) sizes[peer] = length_of(peer, 1);
    for (int scatter = 0; scatter < 2; scatter++) {
        pcoll_t op = PCOLL_NULL;
        MUST(scatter
                 ? pcoll_scatterv_init(root_side, sizes, NULL, mine, own, root, WORLD, NULL, &op)
                 : pcoll_gatherv_init(mine, own, root_side, sizes, NULL, root, WORLD, NULL, &op));
        for (int run = 0; run < 6; run++) {
            uint8_t *at = root_side;
            memset(scatter ? mine : root_side, 0xee, scatter ? sizeof mine : sizeof root_side);
            if (!scatter) fill(mine, own, seed_of(rank, 0, run));
            for (int peer = 0; scatter && peer < size; at += sizes[peer++])
                fill(at, sizes[peer], seed_of(peer, 0, run));
            MUST(pcoll_start(op));
            MUST(pcoll_wait(op));
            if (scatter) CHECK(holds(mine, own, seed_of(rank, 0, run)));
            at = root_side;
            for (int peer = 0; rank == root && peer < size; at += sizes[peer++])
                CHECK(holds(at, sizes[peer], seed_of(peer, 0, run)));
        }
        MUST(pcoll_free(&op));
    }
}

SCENARIO_AS("allv", should_gather_all_and_reduce_blocks_of_any_length)
{
    static uint8_t mine[200], all[2000];
    static int64_t in[64], out[64];
    size_t sizes[8], counts[8], at = 0;
    pcoll_t gather = PCOLL_NULL, reduce = PCOLL_NULL;
    for (int peer = 0; peer < size; peer++) {
        sizes[peer] = length_of(peer, 2);
        counts[peer] = sizes[peer] / 8;
    }
    MUST(pcoll_allgatherv_init(mine, all, sizes, NULL, WORLD, NULL, &gather));
    MUST(pcoll_reduce_scatterv_init(in, out, counts, FMPL_LONG_SUM, WORLD, NULL, &reduce));
    for (int run = 0; run < 6; run++) {
        fill(mine, sizes[rank], seed_of(rank, 3, run));
        for (int i = 0; i < 64; i++) in[i] = rank + i * 10 + run;
        MUST(pcoll_start(gather));
        MUST(pcoll_start(reduce));
        MUST(pcoll_wait(reduce));
        MUST(pcoll_wait(gather));
        at = 0;
        for (int peer = 0; peer < size; at += sizes[peer++]) {
            CHECK(holds(all + at, sizes[peer], seed_of(peer, 3, run)));
            for (size_t i = 0; peer == rank && i < counts[peer]; i++)
                CHECK(out[i] == sum_of_ranks((int64_t)(at / 8 + i) * 10 + run));
        }
    }
    MUST(pcoll_free(&gather));
    MUST(pcoll_free(&reduce));
}

SCENARIO_AS("in_place", should_work_in_place_where_the_own_block_is_in_its_place)
{
    int64_t *memory = numbers((uint64_t)size * 4);
    pcoll_t op = PCOLL_NULL;
    MUST(pcoll_allgather_init(memory + rank * 4, 32, memory, WORLD, NULL, &op));
    for (int run = 0; run < 6; run++) {
        for (int i = 0; i < 4; i++) memory[rank * 4 + i] = rank * 100 + i + run;
        MUST(pcoll_start(op));
        MUST(pcoll_wait(op));
        for (int i = 0; i < size * 4; i++) CHECK(memory[i] == i / 4 * 100 + i % 4 + run);
    }
    MUST(pcoll_free(&op));
    memory_free(true, memory);
}

/* ---- who works on it ---- */

/* Rank 0 does nothing about it: its share of what the others need is done by somebody else. */
static void others_finish_while_rank_0(const char *options, bool receives)
{
    int64_t *memory = numbers(N * 50);
    pcoll_t op = sum_of(memory, N * 50, options);
    int ier = 1;
    uint8_t word = 0;
    for (int run = 0; run < 3; run++) {
        for (int i = 0; i < N * 50; i++) memory[i] = rank + run;
        MUST(pcoll_start(op));
        if (rank == 0) {
            for (int peer = 1; peer < size; peer++) {
                if (receives) fmpl_recv(&word, 1, peer, 0, &ier);
                else {
                    fmpl_request_t request = 0;
                    int done = 0;
                    CALL_OK(fmpl_irecv(&word, 1, peer, 0, &request, &ier));
                    /* no call of the library that would work on the collective */
                    for (uint64_t end = hy_now_ns() + 20000000; hy_now_ns() < end;) sched_yield();
                    while (!done) fmpl_test(&request, &done, &ier);
                }
                CHECK_OK(ier);
            }
        }
        MUST(pcoll_wait(op));
        CHECK(memory[0] == sum_of_ranks(run) && memory[N * 50 - 1] == sum_of_ranks(run));
        if (rank > 0) fmpl_send(&word, 1, 0, 0, &ier);
    }
    MUST(pcoll_free(&op));
    memory_free(true, memory);
}

SCENARIO_AS("calls", should_go_on_while_another_call_waits)
{
    others_finish_while_rank_0("progress=calls algorithm=recursive_doubling", true);
    others_finish_while_rank_0("progress=calls buffers=straight", true);
}

SCENARIO_AS("thread", should_go_on_by_the_thread)
{
    others_finish_while_rank_0("progress=thread", false);
    others_finish_while_rank_0("progress=thread algorithm=recursive_doubling", true);
}

SCENARIO_AS("progress", should_go_on_by_progress)
{
    int64_t *memory = numbers(N);
    pcoll_t op = sum_of(memory, N, "progress=calls");
    int done = 0;
    for (int i = 0; i < N; i++) memory[i] = rank;
    MUST(pcoll_start(op));
    for (int i = 0; i < 1000; i++) MUST(pcoll_progress());
    do MUST(pcoll_test(op, &done));
    while (!done);
    CHECK(memory[N / 2] == sum_of_ranks(0));
    MUST(pcoll_free(&op));
    memory_free(true, memory);
}

/* The last rank does not take part in what rank 0 collects. */
SCENARIO_AS("abandoned", should_tell_who_closes_without_its_part)
{
    if (size == 1) return;
    int64_t *memory = numbers(N);
    pcoll_t op = PCOLL_NULL;
    MUST(pcoll_reduce_init(memory, N, FMPL_LONG_SUM, 0, WORLD, "algorithm=linear", &op));
    if (rank < size - 1) MUST(pcoll_start(op));
    if (rank > 0 && rank < size - 1) (void)pcoll_wait(op); /* rank 0 may give up before it ends */
    if (rank == 0) {
        REFUSED(pcoll_wait(op), HAYATE_ERR_PEER_FAILED, "has closed its side of the operation");
        CHECK(hayate_error_peer() == size - 1);
    }
    MUST(pcoll_free(&op));
    barrier();
    memory_free(true, memory);
}

/* ---- what is left ---- */

static uint64_t heap_used(void)
{
    hy_job *job = hy_process_job();
    pcoll_t op = PCOLL_NULL;
    barrier(); /* all have closed theirs: the next preparation sweeps */
    MUST(pcoll_barrier_init(WORLD, NULL, &op));
    MUST(pcoll_free(&op));
    pthread_mutex_lock(&job->lock);
    uint64_t used = job->heap.used;
    pthread_mutex_unlock(&job->lock);
    return used;
}

static void open_and_close(int64_t *memory)
{
    pcoll_t ops[3];
    ops[0] = sum_of(memory, N, NULL);
    ops[1] = sum_of(memory + N, N, "buffers=prepared transfer=get");
    MUST(pcoll_bcast_init(memory + 2 * N, N, 0, WORLD, "algorithm=binomial", &ops[2]));
    MUST(pcoll_start_all(3, ops));
    MUST(pcoll_wait_all(3, ops));
    for (int i = 0; i < 3; i++) MUST(pcoll_free(&ops[i]));
}

SCENARIO_AS("left", should_leave_nothing_behind)
{
    int64_t *memory = numbers(3 * N);
    uint64_t after_few = 0;
    for (int i = 0; i < 100; i++) {
        open_and_close(memory);
        if (i == 20) after_few = heap_used();
    }
    CHECK(heap_used() <= after_few + 4096);
    memory_free(true, memory);
}

SCENARIO_AS("comm", should_keep_a_communicator_that_operations_use)
{
    int comm = FMPL_COMM_NULL, ier = 1;
    pcoll_t op = PCOLL_NULL;
    CALL_OK(fmpl_comm_create(&comm, 1, &ier));
    MUST(pcoll_barrier_init(comm, NULL, &op));
    CALL_CODE(fmpl_comm_free(&comm, &ier), HAYATE_ERR_BUSY);
    MUST(pcoll_start(op));
    MUST(pcoll_wait(op));
    MUST(pcoll_free(&op));
    CALL_OK(fmpl_comm_free(&comm, &ier));
    int gone = 5;
    REFUSED(pcoll_barrier_init(gone, NULL, &op), HAYATE_ERR_ARGUMENT, "communicator");
}

int main(int argc, char **argv)
{
    return ranks_run_scenarios(2, argc, argv);
}
