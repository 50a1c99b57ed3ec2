/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the runs of a section by arithmetic: the number of elements before a column is a formula,
 * which a binary search inverts. Runs are often as short as one element, so that the copy of a run
 * must not cost a call. */
#include "base/section.h"

#include <stdlib.h>

/* ---- arithmetic ---- */

static uint64_t clamp(int64_t value, uint64_t to)
{
    return value < 0 ? 0 : (uint64_t)value < to ? (uint64_t)value : to;
}

static uint64_t first_row(const hy_section *s, uint64_t column)
{
    return s->shape == HY_SECTION_LOWER ? clamp((int64_t)column + s->diagonal, s->rows) : 0;
}

static uint64_t end_row(const hy_section *s, uint64_t column)
{
    return s->shape == HY_SECTION_UPPER ? clamp((int64_t)column + s->diagonal, s->rows) : s->rows;
}

/* The sum of clamp(c + diagonal) for all columns c before `column`: it grows by one a column
 * between the columns `from` and `full`, and stays at `rows` then. */
static uint64_t clamped_before(const hy_section *s, uint64_t column)
{
    uint64_t from = clamp(-(int64_t)s->diagonal, column);
    uint64_t full = clamp((int64_t)s->rows - s->diagonal, column);
    if (full < from) full = from;
    uint64_t first = clamp((int64_t)from + s->diagonal, s->rows);
    uint64_t steps = full - from;
    uint64_t rising = steps ? steps * (2 * first + steps - 1) / 2 : 0;
    return rising + (column - full) * s->rows;
}

static uint64_t elements_before(const hy_section *s, uint64_t column)
{
    switch (s->shape) {
    case HY_SECTION_UPPER: return clamped_before(s, column);
    case HY_SECTION_LOWER: return column * s->rows - clamped_before(s, column);
    default: return column * s->rows;
    }
}

bool hy_section_check(const hy_section *s, uint64_t *bytes)
{
    uint64_t column, all, elements;
    if (s->rows > INT32_MAX || s->columns > INT32_MAX || s->element == 0 ||
        s->shape >= HY_SECTION_SHAPES)
        return false;
    column = (uint64_t)s->rows * s->element;
    if (s->columns > 1 && s->stride < column) return false;
    if (__builtin_mul_overflow((uint64_t)s->columns, s->stride, &all) || all > INT64_MAX ||
        __builtin_add_overflow(all, column, &all) || all > INT64_MAX)
        return false;
    elements = elements_before(s, s->columns);
    *bytes = elements * s->element;
    return true;
}

uint64_t hy_section_extent(const hy_section *s)
{
    uint64_t columns = s->columns;
    if (s->shape == HY_SECTION_LOWER) columns = clamp((int64_t)s->rows - s->diagonal, columns);
    if (columns == 0 || s->rows == 0) return 0;
    uint64_t rows = end_row(s, columns - 1);
    return rows ? (columns - 1) * s->stride + rows * s->element : 0;
}

bool hy_section_is_contiguous(const hy_section *s)
{
    if (s->shape != HY_SECTION_RECT) return false;
    return s->columns <= 1 || s->stride == (uint64_t)s->rows * s->element;
}

uint64_t hy_section_runs(const hy_section *s, uint64_t bytes)
{
    uint64_t column = (uint64_t)s->rows * s->element;
    if (column == 0 || s->columns == 0) return 0;
    uint64_t runs = bytes / column + 1; /* of a trapezoid: at most twice as many */
    if (s->shape != HY_SECTION_RECT) runs *= 2;
    return runs < s->columns ? runs : s->columns;
}

/* ---- cursors ---- */

/* A cursor in contiguous memory has no section. */
static void enter_column(hy_section_cursor *cursor, uint64_t skipped)
{
    const hy_section *s = cursor->section;
    uint64_t first = first_row(s, cursor->column), end = end_row(s, cursor->column);
    cursor->at = cursor->column * s->stride + first * s->element + skipped;
    cursor->left = first < end ? (end - first) * s->element - skipped : 0;
}

static void enter_next(hy_section_cursor *cursor)
{
    do {
        cursor->column++;
        cursor->left = 0;
        if (cursor->column >= cursor->section->columns) return;
        enter_column(cursor, 0);
    } while (cursor->left == 0);
}

static inline void section_skip(hy_section_cursor *cursor, uint64_t bytes)
{
    cursor->at += bytes;
    cursor->left -= bytes;
    if (cursor->left == 0 && cursor->section) enter_next(cursor);
}

void hy_section_skip(hy_section_cursor *cursor, uint64_t bytes)
{
    section_skip(cursor, bytes);
}

/* The column that contains this element: the last one with at most `element` elements before it. */
static uint64_t column_of(const hy_section *s, uint64_t element)
{
    uint64_t low = 0, high = s->columns;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (elements_before(s, middle) <= element) low = middle;
        else high = middle;
    }
    return low;
}

hy_section_cursor hy_section_seek(const hy_section *s, uint64_t offset)
{
    hy_section_cursor cursor = {.section = s};
    if (s->columns == 0 || s->rows == 0) return cursor;
    uint64_t element = offset ? offset / s->element : 0;
    cursor.column = s->shape == HY_SECTION_RECT ? element / s->rows : column_of(s, element);
    if (cursor.column >= s->columns) return cursor;
    enter_column(&cursor, offset - elements_before(s, cursor.column) * s->element);
    if (cursor.left == 0) enter_next(&cursor);
    return cursor;
}

/* ---- copies ---- */

/* A short run: a loop is faster than a call. The last step may copy some bytes again. */
static inline void copy_run(uint8_t *to, const uint8_t *from, uint64_t run)
{
    if (run - 16 > 128 - 16) {
        if (run == 8) memcpy(to, from, 8);
        else memcpy(to, from, run);
        return;
    }
    for (uint64_t i = 0; i < run - 16; i += 16) memcpy(to + i, from + i, 16);
    memcpy(to + run - 16, from + run - 16, 16);
}

/* Runs of one element: a loop with a copy of constant size. */
#define COPY_ELEMENTS(bytes) \
    case bytes: \
        for (uint64_t i = 0; i < runs; i++) \
            memcpy(to + i * to_stride, from + i * from_stride, bytes); \
        return

static void copy_runs(uint8_t *to, uint64_t to_stride, const uint8_t *from, uint64_t from_stride,
                      uint64_t run, uint64_t runs)
{
    switch (run) {
        COPY_ELEMENTS(4);
        COPY_ELEMENTS(8);
        COPY_ELEMENTS(16);
    default:
        for (uint64_t i = 0; i < runs; i++)
            copy_run(to + i * to_stride, from + i * from_stride, run);
    }
}

/* Whether all its runs have one length, but for the first and the last one of a copy. */
static bool is_regular(const hy_section_cursor *cursor)
{
    return !cursor->section || cursor->section->shape == HY_SECTION_RECT;
}

/* How many runs of this length follow each other at a constant distance; in contiguous memory as
 * many as are to be copied. */
static uint64_t equal_runs(const hy_section_cursor *cursor, uint64_t run)
{
    const hy_section *s = cursor->section;
    if (!s) return UINT64_MAX;
    return run == (uint64_t)s->rows * s->element ? s->columns - cursor->column : 1;
}

static uint64_t distance(const hy_section_cursor *cursor, uint64_t run)
{
    return cursor->section ? cursor->section->stride : run;
}

static void skip_runs(hy_section_cursor *cursor, uint64_t run, uint64_t runs)
{
    if (!cursor->section) {
        section_skip(cursor, runs * run);
        return;
    }
    cursor->column += runs - 1;
    cursor->at += (runs - 1) * cursor->section->stride;
    section_skip(cursor, run);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Rectangles: many runs at once. */
static void copy_regular(uint8_t *to_base, hy_section_cursor to, const uint8_t *from_base,
                         hy_section_cursor from, uint64_t len)
{
    while (len) {
        uint64_t run = least(len, least(to.left, from.left));
        uint64_t runs = least(len / run, least(equal_runs(&to, run), equal_runs(&from, run)));
        copy_runs(to_base + to.at, distance(&to, run), from_base + from.at, distance(&from, run),
                  run, runs);
        skip_runs(&to, run, runs);
        skip_runs(&from, run, runs);
        len -= run * runs;
    }
}

static void copy(uint8_t *to_base, hy_section_cursor to, const uint8_t *from_base,
                 hy_section_cursor from, uint64_t len)
{
    if (is_regular(&to) && is_regular(&from)) {
        copy_regular(to_base, to, from_base, from, len);
        return;
    }
    while (len) {
        uint64_t run = least(len, least(to.left, from.left));
        copy_run(to_base + to.at, from_base + from.at, run);
        section_skip(&to, run);
        section_skip(&from, run);
        len -= run;
    }
}

static hy_section_cursor contiguous(uint64_t offset, uint64_t len)
{
    return (hy_section_cursor){.at = offset, .left = len};
}

/* A trapezoid and contiguous memory, from the beginning of a column: a loop whose steps do not wait
 * for each other, as those of a cursor do. */
static inline void copy_columns(const hy_section *s, uint64_t column, uint8_t *base,
                                uint8_t *packed, uint64_t len, bool pack)
{
    for (; len; column++) {
        uint64_t first = first_row(s, column), end = end_row(s, column);
        if (first >= end) continue;
        uint64_t run = least((end - first) * s->element, len);
        uint8_t *at = base + column * s->stride + first * s->element;
        if (pack) copy_run(packed, at, run);
        else copy_run(at, packed, run);
        packed += run;
        len -= run;
    }
}

/* Packs or unpacks. */
static inline void copy_packed(const hy_section *s, uint8_t *base, uint64_t offset, uint8_t *packed,
                               uint64_t len, bool pack)
{
    hy_section_cursor cursor = hy_section_seek(s, offset), other = contiguous(0, len);
    if (is_regular(&cursor)) {
        if (pack) copy_regular(packed, other, base, cursor, len);
        else copy_regular(base, cursor, packed, other, len);
        return;
    }
    uint64_t rest = least(cursor.left, len);
    if (pack) copy_run(packed, base + cursor.at, rest);
    else copy_run(base + cursor.at, packed, rest);
    copy_columns(s, cursor.column + 1, base, packed + rest, len - rest, pack);
}

void hy_section_pack(const hy_section *section, const uint8_t *base, uint64_t offset, void *to,
                     uint64_t len)
{
    copy_packed(section, (uint8_t *)(uintptr_t)base, offset, to, len, true);
}

void hy_section_unpack(const hy_section *section, uint8_t *base, uint64_t offset, const void *from,
                       uint64_t len)
{
    copy_packed(section, base, offset, (uint8_t *)(uintptr_t)from, len, false);
}

/* Managed memory has no address: it goes through a block that stays in the first cache. */
#define BLOCK 4096

void hy_section_put(const hy_section *to, uint8_t *base, const hy_buffer *from, uint64_t offset,
                    uint64_t len)
{
    const hy_strided *strided = hy_buffer_strided(from);
    if (strided) {
        copy(base, hy_section_seek(to, offset), strided->inner.address,
             hy_section_seek(&strided->section, offset), len);
        return;
    }
    if (from->address) {
        hy_section_unpack(to, base, offset, from->address + offset, len);
        return;
    }
    uint8_t block[BLOCK];
    for (uint64_t done = 0, n; done < len; done += n) {
        n = least(len - done, BLOCK);
        hy_buffer_read(from, offset + done, block, n);
        hy_section_unpack(to, base, offset + done, block, n);
    }
}

void hy_section_get(const hy_section *from, const uint8_t *base, const hy_buffer *to,
                    uint64_t offset, uint64_t len)
{
    const hy_strided *strided = hy_buffer_strided(to);
    if (strided) {
        copy(strided->inner.address, hy_section_seek(&strided->section, offset), base,
             hy_section_seek(from, offset), len);
        return;
    }
    if (to->address) {
        hy_section_pack(from, base, offset, to->address + offset, len);
        return;
    }
    uint8_t block[BLOCK];
    for (uint64_t done = 0, n; done < len; done += n) {
        n = least(len - done, BLOCK);
        hy_section_pack(from, base, offset + done, block, n);
        hy_buffer_write(to, offset + done, block, n);
    }
}

/* ---- a section as a buffer ---- */

/* Bytes that are copied while managed memory is pinned. */
#define PINNED (32 << 10)

static void read_runs(const hy_strided *strided, uint64_t offset, uint8_t *to, uint64_t len)
{
    hy_section_cursor cursor = hy_section_seek(&strided->section, offset);
    for (uint64_t run; len; to += run, len -= run) {
        run = least(len, cursor.left);
        hy_buffer_read(&strided->inner, cursor.at, to, run);
        hy_section_skip(&cursor, run);
    }
}

static void write_runs(const hy_strided *strided, uint64_t offset, const uint8_t *from,
                       uint64_t len)
{
    hy_section_cursor cursor = hy_section_seek(&strided->section, offset);
    for (uint64_t run; len; from += run, len -= run) {
        run = least(len, cursor.left);
        hy_buffer_write(&strided->inner, cursor.at, from, run);
        hy_section_skip(&cursor, run);
    }
}

static void strided_read(void *handle, uint64_t offset, void *to, size_t len)
{
    const hy_strided *strided = handle;
    const hy_buffer *inner = &strided->inner;
    if (inner->address) {
        hy_section_pack(&strided->section, inner->address, offset, to, len);
        return;
    }
    for (uint64_t done = 0, n; done < len; done += n) {
        n = least(len - done, PINNED);
        uint8_t *base = inner->managed->pin ? inner->managed->pin(inner->handle) : NULL;
        if (!base) {
            read_runs(strided, offset + done, (uint8_t *)to + done, n);
            continue;
        }
        hy_section_pack(&strided->section, base, offset + done, (uint8_t *)to + done, n);
        inner->managed->unpin(inner->handle, base, false);
    }
}

static void strided_write(void *handle, uint64_t offset, const void *from, size_t len)
{
    const hy_strided *strided = handle;
    const hy_buffer *inner = &strided->inner;
    if (inner->address) {
        hy_section_unpack(&strided->section, inner->address, offset, from, len);
        return;
    }
    for (uint64_t done = 0, n; done < len; done += n) {
        n = least(len - done, PINNED);
        uint8_t *base = inner->managed->pin ? inner->managed->pin(inner->handle) : NULL;
        if (!base) {
            write_runs(strided, offset + done, (const uint8_t *)from + done, n);
            continue;
        }
        hy_section_unpack(&strided->section, base, offset + done, (const uint8_t *)from + done, n);
        inner->managed->unpin(inner->handle, base, true);
    }
}

static void *strided_retain(void *handle)
{
    hy_strided *copied = malloc(sizeof *copied);
    if (!copied) return NULL;
    *copied = *(const hy_strided *)handle;
    hy_buffer *inner = &copied->inner;
    if (!inner->managed) return copied;
    inner->handle = inner->managed->retain(inner->handle);
    if (inner->handle) return copied;
    free(copied);
    return NULL;
}

static void strided_release(void *handle)
{
    hy_strided *strided = handle;
    if (strided->inner.managed) strided->inner.managed->release(strided->inner.handle);
    free(strided);
}

const hy_managed_ops hy_strided_ops = {
    .read = strided_read,
    .write = strided_write,
    .retain = strided_retain,
    .release = strided_release,
};

hy_buffer hy_strided_buffer(hy_strided *strided)
{
    if (hy_section_is_contiguous(&strided->section)) return strided->inner;
    return (hy_buffer){.managed = &hy_strided_ops, .handle = strided};
}
