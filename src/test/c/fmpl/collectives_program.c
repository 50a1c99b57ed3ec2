/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives on every communicator; correct for every number of ranks and every setting. */
#include "fmpl/reductions_scenarios.h"
#include "fmpl/started_scenarios.h"
#include "base/random_fixture.h"
#include "init/join.h"
#include "wire/group.h"

#define SPLIT_MOST 8 /* ranks */

/* ---- broadcast ---- */

static void broadcast(const club *c, uint8_t *memory, uint64_t bytes, int root, bool hardware)
{
    int ier = 1;
    uint64_t seed = bytes * 10 + (uint64_t)root;
    if (c->rank == root) fill(memory, bytes, seed);
    else memset(memory, 0xee, bytes);
    memory[bytes] = 0xee;
    if (hardware) fmpl_hbcast(memory, bytes, root, &ier);
    else fmpl_bcast(memory, bytes, root, c->comm, &ier);
    CHECK_OK(ier);
    CHECK(holds(memory, bytes, seed) && memory[bytes] == 0xee);
}

SCENARIO(should_broadcast_from_every_root)
{
    static const uint64_t sizes[] = {0,    1,    8,    47,    48,    49,     56,     57,
                                     4095, 4096, 4097, 10000, 65536, 300001, 1 << 20};
    for (int heap = 0; heap < 2; heap++) {
        uint8_t *memory = memory_of(heap, MIB);
        for (int i = 0; i < COMMS; i++) {
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                for (int root = 0; root < clubs[i].size; root++) {
                    broadcast(&clubs[i], memory, sizes[s], root, false);
                    if (i == 0) broadcast(&clubs[i], memory, sizes[s], root, true);
                }
            }
        }
        memory_free(heap, memory);
    }
}

/* ---- barrier ---- */

/* In rank 0's memory; how many there were before. */
static uint64_t count_arrivals(uint64_t place, uint64_t more)
{
    hy_ep *ep = hy_job_ep(hy_process_job(), 0);
    uint64_t before = 0;
    CHECK_OK(ep->ops->atomic(ep, place, HY_ATOMIC_ADD, more, 0, &before));
    return before;
}

SCENARIO(should_hold_all_until_the_last_has_come)
{
    int ier = 1;
    _Atomic uint64_t *mine = (_Atomic uint64_t *)(void *)memory_of(true, 64);
    hy_job *job = hy_process_job();
    uint64_t place = (uint64_t)((uint8_t *)mine - job->part);
    *mine = 0;
    CALL_OK(fmpl_bcast(&place, sizeof place, 0, FMPL_COMM_WORLD, &ier));
    unsigned seed = (unsigned)rank + 1;
    for (uint64_t round = 1; round <= 100; round++) {
        if (rand_r(&seed) % 8 == 0) pause_us((unsigned)rand_r(&seed) % 200);
        count_arrivals(place, 1);
        barrier();
        uint64_t arrivals = count_arrivals(place, 0);
        CHECK(arrivals >= round * (uint64_t)size);
        CHECK(arrivals < (round + 1) * (uint64_t)size + 1);
    }
    barrier();
    memory_free(true, (void *)mine);
}

/* ---- mixtures ---- */

/* The same random row of collectives on all members, while messages go around on the side. */
SCENARIO(should_run_any_row_of_collectives)
{
    for (unsigned s = 1; s <= 4; s++) {
        unsigned seed = s;
        for (int i = 0; i < 150; i++) {
            int which = rand_r(&seed) % COMMS, kind = rand_r(&seed) % 5, ier = 0;
            int root = rand_r(&seed), count = 1 + rand_r(&seed) % (kind == 4 ? 3000 : 20);
            const club *c = &clubs[which];
            if (c->size == 0) continue;
            int64_t *data = calloc((size_t)count, sizeof *data);
            for (int k = 0; k < count; k++) data[k] = c->rank + k;
            int64_t sum = c->size * (c->size - 1) / 2;
            size_t n = (size_t)count;
            root %= c->size;
            if (kind == 0) fmpl_barrier(c->comm, &ier);
            if (kind == 1) fmpl_bcast(data, n * sizeof *data, root, c->comm, &ier);
            if (kind == 2) fmpl_reduce(data, n, FMPL_LONG_SUM, root, c->comm, NULL, &ier);
            if (kind > 2) fmpl_allreduce(data, n, FMPL_LONG_SUM, c->comm, NULL, &ier);
            CHECK_OK(ier);
            bool summed = kind > 2 || (kind == 2 && c->rank == root);
            int64_t base = kind == 1 ? root : summed ? sum : c->rank, step = summed ? c->size : 1;
            for (int k = 0; k < count; k++) CHECK(data[k] == base + k * step);
            free(data);
        }
    }
}

SCENARIO(should_make_and_free_communicators_again_and_again)
{
    for (int i = 0; i < 150; i++) {
        int comm = 7, ier = 1, members = 0, value = 1;
        bool join = (rank + i) % 3 != 0;
        for (int r = 0; r < size; r++) members += (r + i) % 3 != 0;
        CALL_OK(fmpl_comm_create(&comm, join, &ier));
        CHECK((comm != FMPL_COMM_NULL) == join);
        if (!join) continue;
        CALL_OK(fmpl_allreduce(&value, 1, FMPL_INT_SUM, comm, NULL, &ier));
        CHECK(value == members);
        CALL_OK(fmpl_comm_free(&comm, &ier));
    }
}

/* The root may free at once; slow members must still get what it sent. */
SCENARIO(should_leave_messages_readable_after_the_communicator_is_freed)
{
    for (int i = 0; i < 20; i++) {
        int comm = -1, ier = 1;
        uint8_t data[600], *other = NULL;
        CALL_OK(fmpl_comm_create(&comm, 1, &ier));
        if (rank == 0) fill(data, sizeof data, (uint64_t)i);
        else pause_us(2000);
        CALL_OK(fmpl_bcast(data, sizeof data, 0, comm, &ier));
        CALL_OK(fmpl_comm_free(&comm, &ier));
        if (rank == 0) {
            other = memory_of(true, 65536);
            memset(other, 0xff, 65536);
        }
        CHECK(holds(data, sizeof data, (uint64_t)i));
        barrier();
        if (other) memory_free(true, other);
    }
}

static int sum_of(int comm, int value)
{
    int ier = 1;
    CALL_OK(fmpl_allreduce(&value, 1, FMPL_INT_SUM, comm, NULL, &ier));
    return value;
}

/* Of `all` members with these colors and keys, the rank that member `who` gets; *members becomes
 * the size of its communicator, *bits who they are. */
static int place_of(int who, int all, const int *colors, const int *keys, int *members, int *bits)
{
    int place = 0;
    *members = *bits = 0;
    for (int other = 0; other < all; other++) {
        if (colors[other] != colors[who]) continue;
        *bits |= 1 << other;
        ++*members;
        place += keys[other] < keys[who] || (keys[other] == keys[who] && other < who);
    }
    return place;
}

/* A communicator of random members of `from`, whose parts are split again; the members of one
 * color free theirs while others are still in the last collective. */
static void split_randomly(int from, int me, int all, uint64_t *seed, int depth)
{
    int colors[SPLIT_MOST], keys[SPLIT_MOST], members, bits, comm = 7, ier = 1, rank_there,
                                                             size_there;
    for (int i = 0; i < all; i++) {
        colors[i] = (int)(random_draw(seed) % 3) - (depth > 0);
        keys[i] = (int)(random_draw(seed) % 3) - 1;
    }
    CALL_OK(fmpl_comm_split(from, colors[me], keys[me], &comm, &ier));
    CHECK((comm == FMPL_COMM_NULL) == (colors[me] < 0));
    if (comm == FMPL_COMM_NULL) return;
    int place = place_of(me, all, colors, keys, &members, &bits);
    fmpl_comm_rank(comm, &rank_there, &ier);
    fmpl_comm_size(comm, &size_there, &ier);
    CHECK(rank_there == place && size_there == members);
    CHECK(sum_of(comm, 1 << me) == bits);
    uint64_t theirs = *seed + (uint64_t)colors[me]; /* members of one color draw the same */
    if (depth < 2) split_randomly(comm, place, members, &theirs, depth + 1);
    uint8_t data[600];
    int root = (int)(random_draw(seed) % 5) % members;
    if (place == root) fill(data, sizeof data, (uint64_t)root);
    CALL_OK(fmpl_bcast(data, sizeof data, root, comm, &ier));
    CHECK(holds(data, sizeof data, (uint64_t)root));
    CALL_OK(fmpl_comm_free(&comm, &ier));
}

SCENARIO(should_split_again_and_again)
{
    uint64_t seed = 20261123;
    for (int i = 0; i < 60; i++) split_randomly(FMPL_COMM_WORLD, rank, size, &seed, 0);
}

/* Ranks that are no members take no part: they do nothing until the end. */
SCENARIO(should_split_without_the_other_ranks)
{
    for (int i = 1; i < COMMS; i++) {
        int part, ier = 1;
        if (clubs[i].comm == FMPL_COMM_NULL) continue;
        CALL_OK(fmpl_comm_split(clubs[i].comm, 5, -rank, &part, &ier));
        CHECK(sum_of(part, 1) == clubs[i].size);
        fmpl_comm_rank(part, &ier, NULL);
        CHECK(ier == clubs[i].size - 1 - clubs[i].rank);
        fmpl_comm_free(&part, &ier);
    }
}

SCENARIO(should_have_more_communicators_than_a_word_has_bits)
{
    enum { MANY = 150 };
    int comms[MANY], ier = 1;
    for (int i = 0; i < MANY; i++) CALL_OK(fmpl_comm_split(FMPL_COMM_WORLD, 0, 0, &comms[i], &ier));
    for (int i = 0; i < MANY; i += 7) CHECK(sum_of(comms[i], i) == size * i);
    for (int i = 0; i < MANY; i++) CALL_OK(fmpl_comm_free(&comms[i], &ier));
}

SCENARIO(should_refuse_bad_collective_arguments)
{
    static const int comms[] = {-1, 63, 1000, INT32_MAX, INT32_MIN};
    uint8_t bytes[64] = {0};
    int ier, unused;
    for (int i = 0; i < 5; i++) {
        CALL_CODE(fmpl_barrier(comms[i], &ier), HAYATE_ERR_ARGUMENT);
        CALL_CODE(fmpl_bcast(bytes, 1, 0, comms[i], &ier), HAYATE_ERR_ARGUMENT);
        CALL_CODE(fmpl_comm_rank(comms[i], &unused, &ier), HAYATE_ERR_ARGUMENT);
        CALL_CODE(fmpl_comm_split(comms[i], 0, 0, &unused, &ier), HAYATE_ERR_ARGUMENT);
        CHECK(unused == FMPL_COMM_NULL);
    }
    static const int ops[] = {-1, FMPL_OP_COUNT, FMPL_OP_COUNT + 64, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 5; i++) {
        CALL_CODE(fmpl_allreduce(bytes, 1, ops[i], FMPL_COMM_WORLD, NULL, &ier),
                  HAYATE_ERR_ARGUMENT);
    }
    CALL_CODE(fmpl_bcast(bytes, 1, size, FMPL_COMM_WORLD, &ier), HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_reduce(bytes, 1, FMPL_INT_SUM, -1, FMPL_COMM_WORLD, NULL, &ier),
              HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_hbcast(NULL, 1, 0, &ier), HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_allreduce(bytes, SIZE_MAX / 4, FMPL_DOUBLE_SUM, FMPL_COMM_WORLD, NULL, &ier),
              HAYATE_ERR_ARGUMENT);
    uint8_t *odd = memory_of(true, 64) + 1;
    CALL_CODE(fmpl_allreduce(odd, 1, FMPL_DOUBLE_SUM, FMPL_COMM_WORLD, NULL, &ier),
              HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_allreduce(odd - 1, 1, FMPL_DOUBLE_SUM, FMPL_COMM_WORLD, odd, &ier),
              HAYATE_ERR_ARGUMENT);
    memory_free(true, odd - 1);
    unused = FMPL_COMM_WORLD;
    CALL_CODE(fmpl_comm_free(&unused, &ier), HAYATE_ERR_ARGUMENT);
}

/* Both of two ranks find out, and so they do at every later use; other communicators go on. */
SCENARIO(should_detect_that_members_disagree)
{
    for (int kind = 0; kind < 6 && size == 2; kind++) {
        int comm, part = 7, ier = 1;
        int64_t data[1000] = {0};
        size_t count = kind == 0 && rank ? 2 : kind == 1 && rank ? 1000 : 1;
        CALL_OK(fmpl_comm_create(&comm, 1, &ier));
        if (kind > 3 && rank == kind % 2) fmpl_comm_split(comm, 0, 0, &part, &ier);
        else if (kind >= 3 && rank) fmpl_barrier(comm, &ier);
        else
            fmpl_allreduce(data, count, kind == 2 && rank ? FMPL_LONG_ABS_MAX : FMPL_LONG_SUM, comm,
                           NULL, &ier);
        CHECK_CODE(ier, HAYATE_ERR_MISMATCH);
        CHECK(hayate_error_peer() == 1 - rank);
        CALL_CODE(fmpl_barrier(comm, &ier), HAYATE_ERR_MISMATCH);
        barrier();
        CALL_OK(fmpl_comm_free(&comm, &ier));
    }
}

/* In the first of three calls rank 0 sends another block than rank 1 expects: whether this rank
 * says of how many bytes. */
static bool names_the_bytes(size_t sent, size_t expected)
{
    uint8_t in[64], out[64];
    const size_t usual[] = {16, 16}, more[] = {16, sent}, less[] = {expected, 16};
    int comm, freed, ier;
    char text[80];
    CALL_OK(fmpl_comm_create(&comm, 1, &ier));
    for (int call = 1; call < 4 && !ier; call++) {
        memset(in, call, sizeof in);
        fmpl_alltoallv(in, rank || call > 1 ? usual : more, NULL, out,
                       rank && call == 1 ? less : usual, NULL, comm, &ier);
        CHECK(ier || out[0] == call || (rank && call == 1 && !expected));
    }
    CHECK(!ier || ier == HAYATE_ERR_MISMATCH);
    snprintf(text, sizeof text, "rank %d %s %zu bytes %s this rank, which %s %zu bytes", 1 - rank,
             rank ? "sends" : "expects", rank ? sent : expected, rank ? "to" : "from",
             rank ? "expects" : "sends", rank ? expected : sent);
    bool named = ier && (strstr(hayate_error(), text) ||
                         strstr(hayate_error(), "rank 0 has sent more bytes in an earlier call"));
    CHECK(!named || hayate_error_peer() == 1 - rank);
    barrier();
    fmpl_comm_free(&comm, &freed);
    return named;
}

static bool names_other_blocks(void)
{
    uint8_t in[16] = {0}, out[64];
    const size_t mine[] = {8, rank ? 16 : 8};
    int comm, freed, ier = 1;
    CALL_OK(fmpl_comm_create(&comm, 1, &ier));
    fmpl_allgatherv(in, out, mine, NULL, comm, &ier);
    bool named = ier == HAYATE_ERR_MISMATCH &&
                 strstr(hayate_error(), "other sizes or offsets of blocks than this rank");
    barrier();
    fmpl_comm_free(&comm, &freed);
    return named;
}

/* At once or in the next call, and never by data of another call. */
SCENARIO(should_name_the_bytes_of_blocks_that_differ)
{
    static const size_t wrong[][2] = {{24, 16}, {16, 24}, {0, 16}, {16, 0}};
    for (size_t i = 0; size == 2 && i < sizeof wrong / sizeof *wrong; i++)
        CHECK(sum_of(FMPL_COMM_WORLD, names_the_bytes(wrong[i][0], wrong[i][1])) > 0);
    if (size == 2) CHECK(sum_of(FMPL_COMM_WORLD, names_other_blocks()) > 0);
}

/* Also where one member's element is all there is: on one rank, in the first blocks of scans. */
SCENARIO(should_give_logical_results_of_one_element)
{
    static const int ops[] = {FMPL_INT_LAND, FMPL_INT_LOR, FMPL_INT_LXOR};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        int ier = 1, all[2] = {5, 0}, in[2] = {-7, 0}, out[2] = {99, 99};
        int odd = rank % 2, odds = size % 2;
        CALL_OK(fmpl_allreduce(all, 2, ops[i], FMPL_COMM_WORLD, NULL, &ier));
        CHECK(all[0] == (ops[i] == FMPL_INT_LXOR ? odds : 1) && all[1] == 0);
        CALL_OK(fmpl_scan(in, out, 2, ops[i], FMPL_COMM_WORLD, &ier));
        CHECK(out[0] == (ops[i] == FMPL_INT_LXOR ? !odd : 1) && out[1] == 0);
        CALL_OK(fmpl_exscan(in, out, 2, ops[i], FMPL_COMM_WORLD, &ier));
        CHECK(rank == 0 || (out[0] == (ops[i] == FMPL_INT_LXOR ? odd : 1) && out[1] == 0));
        CHECK(in[0] == -7);
    }
}

/* What the calls of one communicator return in the end: `calls` broadcasts, of which rank 1 passes
 * another root, then the end of the communicator. */
static int disagree_on_root(size_t bytes, int calls)
{
    static int64_t data[2000];
    int comm, found = HAYATE_OK, ier = 1;
    CALL_OK(fmpl_comm_create(&comm, 1, &ier));
    for (int i = 0; i < calls && !found; i++) fmpl_bcast(data, bytes, rank == 1, comm, &found);
    barrier();
    fmpl_comm_free(&comm, &ier);
    CHECK(comm == FMPL_COMM_NULL);
    return found ? found : ier;
}

static bool all_are_near(void)
{
    for (int i = 0; i < size; i++)
        if (hy_ep_is_far(hy_job_ep(hy_process_job(), i))) return false;
    return true;
}

/* Even if both roots send and nobody waits for the other one: among the ranks of a node. */
SCENARIO(should_tell_of_another_root_by_the_end_of_a_communicator)
{
    static const size_t sizes[] = {1, 8, 80, 500, 2000, 8000, 16000};
    for (size_t i = 0; all_are_near() && size > 1 && i < 3 * sizeof sizes / sizeof *sizes; i++) {
        int rc = disagree_on_root(sizes[i / 3], (int)(i % 3) * 20 + 1);
        CHECK(rc == HAYATE_OK || rc == HAYATE_ERR_MISMATCH);
        CHECK(sum_of(FMPL_COMM_WORLD, rc != HAYATE_OK) > 0);
    }
}

/* ---- input and output ---- */

#define BLOCK(memory, index) ((memory) + (size_t)(index)*3)

/* Three words from one rank to another. */
static void put_block(int64_t *at, int from, int to)
{
    for (int i = 0; i < 3; i++) at[i] = 1000 * from + 10 * to + i;
}

static void check_block(const int64_t *at, int from, int to)
{
    for (int i = 0; i < 3; i++) CHECK(at[i] == 1000 * from + 10 * to + i);
}

SCENARIO(should_move_blocks_of_equal_length)
{
    int64_t own[3], in[3 * MOST_RANKS] = {0}, out[3 * MOST_RANKS] = {0};
    int ier, root = size - 1;
    for (int i = 0; i < size; i++) put_block(BLOCK(in, i), rank, i);
    put_block(own, rank, 0);
    CALL_OK(fmpl_gather(own, 24, rank == root ? out : NULL, root, FMPL_COMM_WORLD, &ier));
    for (int i = 0; rank == root && i < size; i++) check_block(BLOCK(out, i), i, 0);
    CALL_OK(fmpl_scatter(rank == root ? in : NULL, own, 24, root, FMPL_COMM_WORLD, &ier));
    check_block(own, root, rank);
    put_block(own, rank, 0);
    CALL_OK(fmpl_allgather(own, 24, out, FMPL_COMM_WORLD, &ier));
    for (int i = 0; i < size; i++) check_block(BLOCK(out, i), i, 0);
    CALL_OK(fmpl_alltoall(in, out, 24, FMPL_COMM_WORLD, &ier));
    for (int i = 0; i < size; i++) check_block(BLOCK(out, i), i, rank);
}

/* Every other block is empty; the others are in reverse order. */
SCENARIO(should_move_blocks_of_unequal_length)
{
    int64_t own[3], in[3 * MOST_RANKS] = {0}, out[3 * MOST_RANKS] = {0};
    size_t sizes[MOST_RANKS] = {0}, offsets[MOST_RANKS] = {0}, mine[MOST_RANKS] = {0};
    int ier;
    if (getenv("HAYATE_COLL")) return; /* an algorithm that is forced may need equal blocks */
    for (int i = 0; i < size; i++) {
        sizes[i] = i % 2 ? 0 : 24;
        offsets[i] = (size_t)(size - 1 - i) * 24;
        mine[i] = rank % 2 ? 0 : 24;
        put_block(BLOCK(in, size - 1 - i), rank, i);
    }
    put_block(own, rank, 0);
    CALL_OK(fmpl_gatherv(own, sizes[rank], out, sizes, offsets, 0, FMPL_COMM_WORLD, &ier));
    for (int i = 0; rank == 0 && i < size; i += 2) check_block(BLOCK(out, size - 1 - i), i, 0);
    CALL_OK(fmpl_allgatherv(own, out, sizes, offsets, FMPL_COMM_WORLD, &ier));
    for (int i = 0; i < size; i += 2) check_block(BLOCK(out, size - 1 - i), i, 0);
    CALL_OK(fmpl_alltoallv(in, sizes, offsets, out, mine, NULL, FMPL_COMM_WORLD, &ier));
    for (int i = 0; rank % 2 == 0 && i < size; i++) check_block(BLOCK(out, i), i, rank);
    CALL_OK(fmpl_scatterv(in, sizes, offsets, own, sizes[rank], 0, FMPL_COMM_WORLD, &ier));
    if (rank % 2 == 0) check_block(own, 0, rank);
}

SCENARIO(should_reduce_to_blocks_and_prefixes)
{
    int64_t in[MOST_RANKS], sum = -1, below = -1;
    size_t counts[MOST_RANKS] = {0};
    int ier;
    for (int i = 0; i < size; i++) in[i] = i, counts[i] = 1;
    CALL_OK(fmpl_reduce_scatter(in, &sum, 1, FMPL_LONG_SUM, FMPL_COMM_WORLD, &ier));
    CHECK(sum == (int64_t)rank * size);
    CALL_OK(fmpl_reduce_scatterv(in, &sum, counts, FMPL_LONG_SUM, FMPL_COMM_WORLD, &ier));
    CHECK(sum == (int64_t)rank * size);
    in[0] = rank + 1;
    CALL_OK(fmpl_scan(in, &sum, 1, FMPL_LONG_SUM, FMPL_COMM_WORLD, &ier));
    CHECK(sum == (int64_t)(rank + 1) * (rank + 2) / 2);
    CALL_OK(fmpl_exscan(in, &below, 1, FMPL_LONG_SUM, FMPL_COMM_WORLD, &ier));
    CHECK(below == (rank ? (int64_t)rank * (rank + 1) / 2 : -1));
    CALL_CODE(fmpl_scan(in, in, 1, FMPL_LONG_SUM, FMPL_COMM_WORLD, &ier), HAYATE_ERR_ARGUMENT);
}

int main(int argc, char **argv)
{
    if (getenv("HAYATE_TEST_LARGE_GROUPS")) hy_group_opened_most = 1;
    start_ranks(1);
    clubs_open();
    int rc = scenarios_run(argc, argv);
    clubs_close();
    end_ranks();
    return rc;
}
