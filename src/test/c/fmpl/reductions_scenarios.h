/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of all types against a reference, and by functions of the user. */
#ifndef HY_TEST_REDUCTIONS_SCENARIOS_H
#define HY_TEST_REDUCTIONS_SCENARIOS_H

#include <math.h>

#include "fmpl/clubs_fixture.h"

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

#endif
