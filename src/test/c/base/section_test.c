/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* Sections against a plain model: a list of the bytes of a matrix in packed order. */
#include "base/test.h"

#include <stdlib.h>

#include "base/random_fixture.h"
#include "base/section.h"

#define MATRIX 8192
#define ROUNDS 20000

typedef struct model {
    hy_section section;
    uint64_t bytes;
    uint32_t at[MATRIX]; /* of byte i of the packed order */
} model;

static int64_t clamp(int64_t value, int64_t to)
{
    return value < 0 ? 0 : value < to ? value : to;
}

static void list(model *m)
{
    const hy_section *s = &m->section;
    m->bytes = 0;
    for (int64_t column = 0; column < s->columns; column++) {
        int64_t edge = clamp(column + s->diagonal, s->rows);
        int64_t first = s->shape == HY_SECTION_LOWER ? edge : 0;
        int64_t end = s->shape == HY_SECTION_UPPER ? edge : s->rows;
        for (int64_t i = first * s->element; i < end * s->element; i++)
            m->at[m->bytes++] = (uint32_t)((uint64_t)column * s->stride + (uint64_t)i);
    }
}

static uint32_t below(uint64_t *seed, uint64_t limit)
{
    return (uint32_t)random_below(seed, limit);
}

static void draw(uint64_t *seed, model *m)
{
    static const uint16_t elements[] = {1, 3, 4, 8, 16};
    hy_section *s = &m->section;
    *s = (hy_section){.rows = below(seed, 14),
                      .columns = below(seed, 14),
                      .element = elements[below(seed, 5)],
                      .shape = (uint8_t)below(seed, HY_SECTION_SHAPES),
                      .diagonal = (int32_t)below(seed, 40) - 20};
    s->stride = (uint64_t)s->rows * s->element + (below(seed, 3) ? below(seed, 50) : 0);
    list(m);
}

static void fill(uint64_t *seed, uint8_t *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) memory[i] = (uint8_t)random_draw(seed);
}

TEST(should_count_bytes_and_extent)
{
    static model m;
    uint64_t seed = 1;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t bytes, end = 0;
        draw(&seed, &m);
        assert_true(hy_section_check(&m.section, &bytes));
        assert_int_equal(bytes, m.bytes);
        for (uint64_t i = 0; i < m.bytes; i++)
            if (m.at[i] + 1 > end) end = m.at[i] + 1;
        assert_int_equal(hy_section_extent(&m.section), end);
        if (!hy_section_is_contiguous(&m.section)) continue;
        for (uint64_t i = 0; i < m.bytes; i++) assert_int_equal(m.at[i], i);
    }
}

TEST(should_pack_and_unpack_any_range)
{
    static model m;
    static uint8_t matrix[MATRIX], before[MATRIX], packed[MATRIX];
    uint64_t seed = 2;
    for (int round = 0; round < ROUNDS; round++) {
        draw(&seed, &m);
        uint64_t offset = below(&seed, m.bytes + 1), len = below(&seed, m.bytes - offset + 1);
        fill(&seed, matrix, sizeof matrix);
        hy_section_pack(&m.section, matrix, offset, packed, len);
        for (uint64_t i = 0; i < len; i++) assert_int_equal(packed[i], matrix[m.at[offset + i]]);
        fill(&seed, packed, len);
        memcpy(before, matrix, sizeof matrix);
        hy_section_unpack(&m.section, matrix, offset, packed, len);
        for (uint64_t i = 0; i < len; i++) before[m.at[offset + i]] = packed[i];
        assert_memory_equal(before, matrix, sizeof matrix);
    }
}

/* Memory without an address, like a Java array. */
static void array_read(void *handle, uint64_t offset, void *to, size_t len)
{
    memcpy(to, (uint8_t *)handle + offset, len);
}
static void array_write(void *handle, uint64_t offset, const void *from, size_t len)
{
    memcpy((uint8_t *)handle + offset, from, len);
}
static void *array_retain(void *handle)
{
    return handle;
}
static void array_release(void *handle)
{
    (void)handle;
}
static const hy_managed_ops array_ops = {
    .read = array_read, .write = array_write, .retain = array_retain, .release = array_release};

/* Another section with as many bytes. */
static void draw_partner(uint64_t *seed, const model *m, model *partner)
{
    do draw(seed, partner);
    while (partner->bytes < m->bytes);
}

TEST(should_copy_between_sections_and_any_buffer)
{
    static model mine, theirs;
    static uint8_t own[MATRIX], peer[MATRIX], expected[MATRIX];
    uint64_t seed = 3;
    for (int round = 0; round < ROUNDS; round++) {
        draw(&seed, &mine);
        draw_partner(&seed, &mine, &theirs);
        bool managed = below(&seed, 2), put = below(&seed, 2);
        hy_strided strided = {.section = mine.section};
        if (managed) strided.inner = (hy_buffer){.managed = &array_ops, .handle = own};
        else strided.inner.address = own;
        const hy_buffer buffer = hy_strided_buffer(&strided);
        uint64_t offset = below(&seed, mine.bytes + 1), len = below(&seed, mine.bytes - offset + 1);
        fill(&seed, own, sizeof own);
        fill(&seed, peer, sizeof peer);
        memcpy(expected, put ? peer : own, sizeof own);
        for (uint64_t i = offset; i < offset + len; i++) {
            if (put) expected[theirs.at[i]] = own[mine.at[i]];
            else expected[mine.at[i]] = peer[theirs.at[i]];
        }
        if (put) hy_section_put(&theirs.section, peer, &buffer, offset, len);
        else hy_section_get(&theirs.section, peer, &buffer, offset, len);
        assert_memory_equal(expected, put ? peer : own, sizeof own);
    }
}

TEST(should_read_and_write_a_retained_section)
{
    static uint8_t matrix[64], packed[64];
    hy_strided strided = {.inner = {.managed = &array_ops, .handle = matrix},
                          .section = {.rows = 2, .columns = 4, .stride = 16, .element = 4}};
    for (int i = 0; i < 64; i++) matrix[i] = (uint8_t)i;
    hy_buffer buffer = hy_strided_buffer(&strided);
    assert_null(buffer.address);
    assert_null(hy_buffer_strided(&buffer));
    buffer.handle = buffer.managed->retain(buffer.handle);
    strided.section.stride = 8; /* the retained one is a copy */
    hy_buffer_read(&buffer, 0, packed, 32);
    for (int i = 0; i < 32; i++) assert_int_equal(packed[i], i / 8 * 16 + i % 8);
    buffer.managed->release(buffer.handle);
    strided.inner = (hy_buffer){.address = matrix};
    assert_ptr_equal(hy_strided_buffer(&strided).address, matrix); /* without gaps now */
}

TEST(should_refuse_sections_that_overflow_or_overlap)
{
    uint64_t bytes;
    const hy_section good = {.rows = 3, .columns = 2, .stride = 24, .element = 8};
    assert_true(hy_section_check(&good, &bytes));
    hy_section bad = good;
    bad.stride = 23;
    assert_false(hy_section_check(&bad, &bytes));
    bad = good, bad.element = 0;
    assert_false(hy_section_check(&bad, &bytes));
    bad = good, bad.shape = HY_SECTION_SHAPES;
    assert_false(hy_section_check(&bad, &bytes));
    bad = good, bad.rows = UINT32_MAX;
    assert_false(hy_section_check(&bad, &bytes));
    bad = good, bad.columns = UINT32_MAX;
    assert_false(hy_section_check(&bad, &bytes));
    bad = good, bad.stride = UINT64_MAX / 2;
    assert_false(hy_section_check(&bad, &bytes));
}

/* The largest numbers that pass, as a peer could send them. */
TEST(should_not_overflow_with_the_largest_sections)
{
    uint64_t bytes, seed = 4;
    for (int round = 0; round < ROUNDS; round++) {
        hy_section s = {.rows = INT32_MAX - below(&seed, 3),
                        .columns = INT32_MAX - below(&seed, 3),
                        .element = 1,
                        .shape = (uint8_t)below(&seed, HY_SECTION_SHAPES),
                        .diagonal = (int32_t)(uint32_t)random_draw(&seed)};
        s.stride = s.rows;
        assert_true(hy_section_check(&s, &bytes));
        assert_true(bytes <= (uint64_t)s.rows * s.columns);
        assert_true(hy_section_extent(&s) <= (uint64_t)s.rows * s.columns);
        if (bytes == 0) continue;
        hy_section_cursor cursor = hy_section_seek(&s, random_draw(&seed) % bytes);
        assert_true(cursor.left > 0);
        assert_true(cursor.at + cursor.left <= hy_section_extent(&s));
    }
}

int main(void)
{
    return tests_run();
}
