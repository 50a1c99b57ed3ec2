/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A section of a matrix: runs of bytes at a constant distance. Its bytes have a *packed order*,
 * column by column, in which messages carry them.
 *
 * Column j (from 0) begins j * stride bytes behind the section's address, and consists of these
 * rows:
 *
 *    RECT    all
 *    UPPER   those before  clamp(j + diagonal)    clamp: to 0 .. rows
 *    LOWER   those from    clamp(j + diagonal)
 *
 * A section may come from another process: hy_section_check() accepts only those for which all
 * functions below stay inside of hy_section_extent() bytes.
 */
#ifndef HY_BASE_SECTION_H
#define HY_BASE_SECTION_H

#include "base/buffer.h"

enum hy_section_shape { HY_SECTION_RECT, HY_SECTION_UPPER, HY_SECTION_LOWER, HY_SECTION_SHAPES };

typedef struct hy_section {
    uint32_t rows, columns; /* at most INT32_MAX */
    uint64_t stride;        /* bytes from a column to the next; at least those of a whole column */
    uint16_t element;       /* bytes, at least 1 */
    uint8_t shape, unused;
    int32_t diagonal; /* of UPPER and LOWER */
} hy_section;

_Static_assert(sizeof(hy_section) == 24, "fits into the announcement of a long message");

/* Whether it is valid; *bytes becomes its packed length. */
bool hy_section_check(const hy_section *section, uint64_t *bytes);

/* Bytes from its address to the end of its last run; 0 if it is empty. Only after a check. */
uint64_t hy_section_extent(const hy_section *section);

/* Whether its runs follow each other without gaps, so that it is one range of memory that begins
 * at its address. */
bool hy_section_is_contiguous(const hy_section *section);

/* The number of runs of a part of the packed order, roughly. */
uint64_t hy_section_runs(const hy_section *section, uint64_t bytes);

/* Copy `len` bytes from byte `offset` of the packed order; the range is inside the section. */
void hy_section_pack(const hy_section *section, const uint8_t *base, uint64_t offset, void *to,
                     uint64_t len);
void hy_section_unpack(const hy_section *section, uint8_t *base, uint64_t offset, const void *from,
                       uint64_t len);

/* ---- walking over runs ---- */

typedef struct hy_section_cursor {
    const hy_section *section;
    uint64_t column;
    uint64_t at, left; /* rest of the run: bytes behind the section's address; 0 at the end */
} hy_section_cursor;

/* To byte `offset` of the packed order. */
hy_section_cursor hy_section_seek(const hy_section *section, uint64_t offset);
/* Goes `bytes` on, at most `left`. */
void hy_section_skip(hy_section_cursor *cursor, uint64_t bytes);

/* ---- a section as a buffer ---- */

/* A section of native or of managed memory. It lives as long as the buffer made of it; a retained
 * handle is a copy. */
typedef struct hy_strided {
    hy_buffer inner; /* where the section begins */
    hy_section section;
} hy_strided;

/* The buffer of a valid section: its bytes in packed order. It is an ordinary one if the section is
 * contiguous. */
hy_buffer hy_strided_buffer(hy_strided *strided);

extern const hy_managed_ops hy_strided_ops;

/* The section behind a buffer, if its memory is native; else NULL. */
static inline const hy_strided *hy_buffer_strided(const hy_buffer *buffer)
{
    if (hy_likely(buffer->managed != &hy_strided_ops)) return NULL;
    const hy_strided *strided = buffer->handle;
    return strided->inner.address ? strided : NULL;
}

/* Between a buffer and a section at `base` in this process: `len` bytes from byte `offset` of both
 * packed orders. */
void hy_section_put(const hy_section *to, uint8_t *base, const hy_buffer *from, uint64_t offset,
                    uint64_t len);
void hy_section_get(const hy_section *from, const uint8_t *base, const hy_buffer *to,
                    uint64_t offset, uint64_t len);

#endif
