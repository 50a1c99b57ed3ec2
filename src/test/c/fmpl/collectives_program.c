/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives on every communicator; correct for every number of ranks and every setting. */
#include "fmpl/scenario.h"

#include <math.h>

#include "job/process_job.h"

#define MIB (UINT64_C(1) << 20)
#define COMMS 4

/* World, the even ranks, all but the last, and the last alone. NULL where this rank is none. */
typedef struct club {
    int comm, rank, size;
} club;
static club clubs[COMMS];

static bool belongs(int club_number, int who)
{
    if (club_number == 1) return who % 2 == 0;
    if (club_number == 2) return who < size - 1 || size == 1;
    return club_number == 0 || who == size - 1;
}

static void clubs_open(void)
{
    int ier = 1;
    clubs[0].comm = FMPL_COMM_WORLD;
    for (int i = 0; i < COMMS; i++) {
        int expected_rank = 0, expected_size = 0;
        for (int r = 0; r < size; r++) {
            expected_rank += r < rank && belongs(i, r);
            expected_size += belongs(i, r);
        }
        if (i > 0) {
            fmpl_comm_create(&clubs[i].comm, belongs(i, rank) ? 3 : 0, &ier);
            CHECK_OK(ier);
        }
        CHECK((clubs[i].comm == FMPL_COMM_NULL) == !belongs(i, rank));
        if (!belongs(i, rank)) continue;
        fmpl_comm_rank(clubs[i].comm, &clubs[i].rank, &ier);
        CHECK_OK(ier);
        fmpl_comm_size(clubs[i].comm, &clubs[i].size, &ier);
        CHECK_OK(ier);
        CHECK(clubs[i].rank == expected_rank && clubs[i].size == expected_size);
    }
}

static void clubs_close(void)
{
    for (int i = 1; i < COMMS; i++) {
        int ier = 1;
        fmpl_comm_free(&clubs[i].comm, &ier);
        CHECK_CODE(ier, belongs(i, rank) ? FMPL_SUCCESS : HAYATE_ERR_ARGUMENT);
        CHECK(clubs[i].comm == FMPL_COMM_NULL);
    }
}

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

static void should_broadcast_from_every_root(void)
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

/* ---- reductions against a reference ---- */

typedef struct number {
    double re, im;
} number;

static const char types[] = "isdczl"; /* in the order of the constants */

static size_t width_of(fmpl_op_t op)
{
    static const size_t widths[] = {4, 4, 8, 8, 16, 8};
    return widths[op / 3];
}

static void put(void *array, size_t i, fmpl_op_t op, number x)
{
    const float single[] = {(float)x.re, (float)x.im};
    const double two[] = {x.re, x.im};
    const int32_t integer = (int32_t)x.re;
    const int64_t wide = (int64_t)x.re;
    const void *from = &wide;
    char type = types[op / 3];
    if (type == 'i') from = &integer;
    if (type == 's' || type == 'c') from = single;
    if (type == 'd' || type == 'z') from = two;
    memcpy((uint8_t *)array + i * width_of(op), from, width_of(op));
}

/* Small whole numbers of both signs, so that sums are exact and absolute values often equal. */
static number value_of(int who, size_t i, fmpl_op_t op)
{
    uint64_t x = word_at((uint64_t)who * 131 + (uint64_t)op, i);
    bool complex = types[op / 3] == 'c' || types[op / 3] == 'z';
    return (number){(double)(x % 9) - 4, complex ? (double)(x / 9 % 9) - 4 : 0};
}

static bool replaces(number candidate, number best, bool largest)
{
    double x = fabs(candidate.re) + fabs(candidate.im), y = fabs(best.re) + fabs(best.im);
    if (x != y) return largest ? x > y : x < y;
    return candidate.re > best.re || (candidate.re == best.re && candidate.im > best.im);
}

static number expected_at(int club_number, size_t i, fmpl_op_t op)
{
    number result = {0, 0};
    bool first = true;
    for (int r = 0; r < size; r++) {
        if (!belongs(club_number, r)) continue;
        number x = value_of(r, i, op);
        if (op % 3 == 0) result = (number){result.re + x.re, result.im + x.im};
        else if (first || replaces(x, result, op % 3 == 1)) result = x;
        first = false;
    }
    return result;
}

typedef struct arrays {
    uint8_t *buffer, *before, *expected, *work;
} arrays;

static void arrays_fill(arrays *a, int club_number, size_t count, fmpl_op_t op)
{
    size_t bytes = count * width_of(op);
    for (size_t i = 0; i < count; i++) {
        put(a->before, i, op, value_of(rank, i, op));
        put(a->expected, i, op, expected_at(club_number, i, op));
    }
    memcpy(a->buffer, a->before, bytes);
    a->buffer[bytes] = 0xee;
}

static void reduce_all(arrays *a, int club_number, size_t count, fmpl_op_t op, bool with_work)
{
    int ier = 1;
    size_t bytes = count * width_of(op);
    const club *c = &clubs[club_number];
    void *work = with_work ? a->work : NULL;
    arrays_fill(a, club_number, count, op);
    fmpl_allreduce(a->buffer, count, op, c->comm, work, &ier);
    CHECK_OK(ier);
    CHECK(memcmp(a->buffer, a->expected, bytes) == 0 && a->buffer[bytes] == 0xee);
    for (int root = 0; root < c->size; root++) {
        memcpy(a->buffer, a->before, bytes);
        fmpl_reduce(a->buffer, count, op, root, c->comm, work, &ier);
        CHECK_OK(ier);
        CHECK(memcmp(a->buffer, c->rank == root ? a->expected : a->before, bytes) == 0);
        CHECK(a->buffer[bytes] == 0xee);
    }
}

static void should_reduce_every_type_by_every_operation(void)
{
    static const size_t counts[] = {0, 1, 3, 6, 7, 513, 2100};
    for (int kind = 0; kind < 4; kind++) {
        bool heap = kind & 1, work_heap = kind & 2;
        arrays a = {memory_of(heap, 40000), memory_of(false, 40000), memory_of(false, 40000),
                    memory_of(work_heap, 40000)};
        for (int i = 0; i < COMMS; i++) {
            for (fmpl_op_t op = 0; op < FMPL_OP_COUNT && clubs[i].size; op++) {
                size_t n = (size_t)(kind + op) % 7;
                reduce_all(&a, i, counts[n], op, kind > 1);
                reduce_all(&a, i, counts[(n + 3) % 7], op, kind % 2);
            }
        }
        memory_free(heap, a.buffer);
        memory_free(work_heap, a.work);
        free(a.before);
        free(a.expected);
    }
}

static void should_reduce_large_arrays(void)
{
    static const size_t counts[] = {8192, 32768, 131072};
    for (int heap = 0; heap < 2; heap++) {
        arrays a = {memory_of(heap, MIB), memory_of(false, MIB), memory_of(false, MIB),
                    memory_of(!heap, MIB)};
        for (int i = 0; i < 2; i++) {
            for (int n = 0; n < 3 && clubs[i].size; n++)
                reduce_all(&a, i, counts[n], n == 1 ? fmpl_smax : fmpl_dsum, n % 2);
        }
        memory_free(heap, a.buffer);
        memory_free(!heap, a.work);
        free(a.before);
        free(a.expected);
    }
}

static void should_take_the_element_of_largest_absolute_value(void)
{
    int ier = 1;
    int32_t whole[] = {rank == 0 ? -5 : 5, rank == 0 ? INT32_MIN : INT32_MAX, rank == 0 ? -7 : 3};
    double real[] = {rank == 0 ? -1.5 : 1.5, rank == 0 ? -9 : 2};
    fmpl_allreduce(whole, 3, fmpl_imax, FMPL_COMM_WORLD, NULL, &ier);
    CHECK_OK(ier);
    CHECK(size == 1 || whole[0] == 5);
    CHECK(whole[1] == INT32_MIN && whole[2] == -7);
    fmpl_allreduce(real, 2, fmpl_dmin, FMPL_COMM_WORLD, NULL, &ier);
    CHECK_OK(ier);
    CHECK(size == 1 || (real[0] == 1.5 && real[1] == 2));
    int32_t sum = INT32_MAX;
    fmpl_allreduce(&sum, 1, fmpl_isum, FMPL_COMM_WORLD, NULL, &ier);
    CHECK(sum == (int32_t)((uint32_t)INT32_MAX * (uint32_t)size));
}

/* The order of the additions must not differ between the ranks. */
static void should_give_all_the_same_bits(void)
{
    static const size_t counts[] = {1, 5, 600, 1024, 40000};
    for (int n = 0; n < 5; n++) {
        size_t bytes = counts[n] * sizeof(double);
        double *mine = (double *)(void *)memory_of(n % 2, bytes), *first = malloc(bytes);
        int ier = 1;
        for (size_t i = 0; i < counts[n]; i++) mine[i] = 1.0 / (double)(3 + i + (size_t)rank * 7);
        fmpl_allreduce(mine, counts[n], fmpl_dsum, FMPL_COMM_WORLD, NULL, &ier);
        CHECK_OK(ier);
        memcpy(first, mine, bytes);
        fmpl_bcast(first, bytes, 0, FMPL_COMM_WORLD, &ier);
        CHECK_OK(ier);
        CHECK(memcmp(first, mine, bytes) == 0);
        memory_free(n % 2, mine);
        free(first);
    }
}

/* ---- user functions ---- */

typedef struct record {
    double sum;
    int64_t most;
    char tag[5];
} record;

static void merge(void *inout, const void *in, size_t count, void *context)
{
    *(uint64_t *)context += count;
    for (size_t i = 0; i < count; i++) {
        record a, b; /* elements need not be aligned */
        memcpy(&a, (uint8_t *)inout + i * sizeof a, sizeof a);
        memcpy(&b, (const uint8_t *)in + i * sizeof b, sizeof b);
        a.sum += b.sum;
        if (b.most > a.most) a.most = b.most;
        for (int k = 0; k < 5; k++) a.tag[k] = (char)(a.tag[k] | b.tag[k]);
        memcpy((uint8_t *)inout + i * sizeof a, &a, sizeof a);
    }
}

static void should_reduce_by_a_function_of_the_user(void)
{
    static const size_t counts[] = {1, 2, 170, 171, 3000};
    uint64_t calls = 0;
    fmpl_op_t op;
    int ier = 1;
    fmpl_function_create(merge, sizeof(record), &calls, &op, &ier);
    CHECK_OK(ier);
    for (int n = 0; n < 10; n++) {
        size_t count = counts[n / 2];
        record *list = (record *)(void *)memory_of(n % 2, count * sizeof *list);
        memset(list, 0, count * sizeof *list);
        for (size_t i = 0; i < count; i++) {
            list[i] = (record){rank + (double)i, rank, {0}};
            list[i].tag[rank % 5] = 'x';
        }
        fmpl_allreduce(list, count, op, FMPL_COMM_WORLD, NULL, &ier);
        CHECK_OK(ier);
        for (size_t i = 0; i < count; i++) {
            CHECK(list[i].sum == size * (size - 1) / 2.0 + (double)(i * (size_t)size));
            CHECK(list[i].most == size - 1);
            for (int k = 0; k < 5; k++) CHECK((list[i].tag[k] == 'x') == (k < size));
        }
        memory_free(n % 2, list);
    }
    CHECK(rank > 0 || size == 1 || calls > 0);
    fmpl_function_free(op, &ier);
    CHECK_OK(ier);
    fmpl_function_free(op, &ier);
    CHECK_CODE(ier, HAYATE_ERR_ARGUMENT);
}

static void should_limit_functions(void)
{
    fmpl_op_t ops[65];
    uint64_t calls = 0;
    int ier = 1, made = 0;
    for (ier = 0; made < 65 && ier == 0; made += ier == 0)
        fmpl_function_create(merge, 1 + (size_t)made, &calls, &ops[made], &ier);
    CHECK_CODE(ier, HAYATE_ERR_NO_MEMORY);
    CHECK(made == 64);
    while (made-- > 0) {
        fmpl_function_free(ops[made], &ier);
        CHECK_OK(ier);
    }
    static const size_t units[] = {0, 4097, SIZE_MAX};
    for (int i = 0; i < 3; i++) {
        fmpl_function_create(merge, units[i], NULL, ops, &ier);
        CHECK_CODE(ier, HAYATE_ERR_ARGUMENT);
    }
    fmpl_function_create(NULL, 8, NULL, ops, &ier);
    CHECK_CODE(ier, HAYATE_ERR_ARGUMENT);
    fmpl_function_free(fmpl_dsum, &ier);
    CHECK_CODE(ier, HAYATE_ERR_ARGUMENT);
}

/* ---- barrier ---- */

/* In rank 0's memory; how many there were before. */
static uint64_t count_arrivals(uint64_t place, uint64_t more)
{
    hy_ep *ep = &hy_process_job()->eps[0];
    uint64_t before = 0;
    CHECK_OK(ep->ops->atomic(ep, place, HY_ATOMIC_ADD, more, 0, &before));
    return before;
}

static void should_hold_all_until_the_last_has_come(void)
{
    int ier = 1;
    _Atomic uint64_t *mine = (_Atomic uint64_t *)(void *)memory_of(true, 64);
    hy_job *job = hy_process_job();
    uint64_t place = (uint64_t)((uint8_t *)mine - job->part);
    *mine = 0;
    fmpl_bcast(&place, sizeof place, 0, FMPL_COMM_WORLD, &ier);
    CHECK_OK(ier);
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
static void should_run_any_row_of_collectives(void)
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
            if (kind == 2) fmpl_reduce(data, n, fmpl_lsum, root, c->comm, NULL, &ier);
            if (kind > 2) fmpl_allreduce(data, n, fmpl_lsum, c->comm, NULL, &ier);
            CHECK_OK(ier);
            bool summed = kind > 2 || (kind == 2 && c->rank == root);
            int64_t base = kind == 1 ? root : summed ? sum : c->rank, step = summed ? c->size : 1;
            for (int k = 0; k < count; k++) CHECK(data[k] == base + k * step);
            free(data);
        }
    }
}

static void should_make_and_free_communicators_again_and_again(void)
{
    for (int i = 0; i < 150; i++) {
        int comm = 7, ier = 1, members = 0, value = 1;
        bool join = (rank + i) % 3 != 0;
        for (int r = 0; r < size; r++) members += (r + i) % 3 != 0;
        fmpl_comm_create(&comm, join, &ier);
        CHECK_OK(ier);
        CHECK((comm != FMPL_COMM_NULL) == join);
        if (!join) continue;
        fmpl_allreduce(&value, 1, fmpl_isum, comm, NULL, &ier);
        CHECK_OK(ier);
        CHECK(value == members);
        fmpl_comm_free(&comm, &ier);
        CHECK_OK(ier);
    }
}

/* The root may free at once; slow members must still get what it sent. */
static void should_leave_messages_readable_after_the_communicator_is_freed(void)
{
    for (int i = 0; i < 20; i++) {
        int comm = -1, ier = 1;
        uint8_t data[600], *other = NULL;
        fmpl_comm_create(&comm, 1, &ier);
        CHECK_OK(ier);
        if (rank == 0) fill(data, sizeof data, (uint64_t)i);
        else pause_us(2000);
        fmpl_bcast(data, sizeof data, 0, comm, &ier);
        CHECK_OK(ier);
        fmpl_comm_free(&comm, &ier);
        CHECK_OK(ier);
        if (rank == 0) {
            other = memory_of(true, 65536);
            memset(other, 0xff, 65536);
        }
        CHECK(holds(data, sizeof data, (uint64_t)i));
        barrier();
        if (other) memory_free(true, other);
    }
}

static void should_limit_communicators(void)
{
    int comms[64], ier = 1;
    for (int i = COMMS - 1; i < 64; i++) {
        fmpl_comm_create(&comms[i], 1, &ier);
        if (ier) break;
    }
    CHECK(ier == HAYATE_ERR_NO_MEMORY || size > 1);
    for (int i = COMMS - 1; i < 64; i++) {
        fmpl_comm_free(&comms[i], &ier);
        if (ier) break;
    }
}

static void should_refuse_bad_collective_arguments(void)
{
    static const int comms[] = {-1, 63, 64, INT32_MAX, INT32_MIN};
    uint8_t bytes[64] = {0};
    int ier, unused;
    for (int i = 0; i < 5; i++) {
        fmpl_barrier(comms[i], &ier);
        CHECK_CODE(ier, HAYATE_ERR_ARGUMENT);
        fmpl_bcast(bytes, 1, 0, comms[i], &ier);
        CHECK_CODE(ier, HAYATE_ERR_ARGUMENT);
        fmpl_comm_rank(comms[i], &unused, &ier);
        CHECK_CODE(ier, HAYATE_ERR_ARGUMENT);
    }
    static const int ops[] = {-1, FMPL_OP_COUNT, FMPL_OP_COUNT + 64, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 5; i++) {
        fmpl_allreduce(bytes, 1, ops[i], FMPL_COMM_WORLD, NULL, &ier);
        CHECK_CODE(ier, HAYATE_ERR_ARGUMENT);
    }
    fmpl_bcast(bytes, 1, size, FMPL_COMM_WORLD, &ier);
    CHECK_CODE(ier, HAYATE_ERR_ARGUMENT);
    fmpl_reduce(bytes, 1, fmpl_isum, -1, FMPL_COMM_WORLD, NULL, &ier);
    CHECK_CODE(ier, HAYATE_ERR_ARGUMENT);
    fmpl_hbcast(NULL, 1, 0, &ier);
    CHECK_CODE(ier, HAYATE_ERR_ARGUMENT);
    fmpl_allreduce(bytes, SIZE_MAX / 4, fmpl_dsum, FMPL_COMM_WORLD, NULL, &ier);
    CHECK_CODE(ier, HAYATE_ERR_ARGUMENT);
    uint8_t *odd = memory_of(true, 64) + 1;
    fmpl_allreduce(odd, 1, fmpl_dsum, FMPL_COMM_WORLD, NULL, &ier);
    CHECK_CODE(ier, HAYATE_ERR_ARGUMENT);
    fmpl_allreduce(odd - 1, 1, fmpl_dsum, FMPL_COMM_WORLD, odd, &ier);
    CHECK_CODE(ier, HAYATE_ERR_ARGUMENT);
    memory_free(true, odd - 1);
    unused = FMPL_COMM_WORLD;
    fmpl_comm_free(&unused, &ier);
    CHECK_CODE(ier, HAYATE_ERR_ARGUMENT);
}

/* Both of two ranks find out, and so they do at every later use; other communicators go on. */
static void should_detect_that_members_disagree(void)
{
    for (int kind = 0; kind < 4 && size == 2; kind++) {
        int comm, ier = 1;
        int64_t data[1000] = {0};
        size_t count = kind == 0 && rank ? 2 : kind == 1 && rank ? 1000 : 1;
        fmpl_comm_create(&comm, 1, &ier);
        CHECK_OK(ier);
        if (kind == 3 && rank) fmpl_barrier(comm, &ier);
        else
            fmpl_allreduce(data, count, kind == 2 && rank ? fmpl_lmax : fmpl_lsum, comm, NULL,
                           &ier);
        CHECK_CODE(ier, HAYATE_ERR_MISMATCH);
        CHECK(hayate_error_peer() == 1 - rank);
        fmpl_barrier(comm, &ier);
        CHECK_CODE(ier, HAYATE_ERR_MISMATCH);
        barrier();
        fmpl_comm_free(&comm, &ier);
        CHECK_OK(ier);
    }
}

#define ROW(name) \
    { \
#name, name \
    }

int main(int argc, char **argv)
{
    static const scenario scenarios[] = {
        ROW(should_broadcast_from_every_root),
        ROW(should_reduce_every_type_by_every_operation),
        ROW(should_reduce_large_arrays),
        ROW(should_take_the_element_of_largest_absolute_value),
        ROW(should_give_all_the_same_bits),
        ROW(should_reduce_by_a_function_of_the_user),
        ROW(should_limit_functions),
        ROW(should_hold_all_until_the_last_has_come),
        ROW(should_run_any_row_of_collectives),
        ROW(should_make_and_free_communicators_again_and_again),
        ROW(should_leave_messages_readable_after_the_communicator_is_freed),
        ROW(should_limit_communicators),
        ROW(should_refuse_bad_collective_arguments),
        ROW(should_detect_that_members_disagree),
    };
    start_ranks(1);
    clubs_open();
    int rc = run_scenarios(scenarios, sizeof scenarios / sizeof *scenarios, argc, argv);
    clubs_close();
    end_ranks();
    return rc;
}
