/* SPDX-License-Identifier: Apache-2.0 */
/* A buffer of the caller: native memory, or memory without a fixed address (a Java array). */
#ifndef HY_BASE_BUFFER_H
#define HY_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/copy.h"
#include "base/line.h"

/* Memory without a fixed address: these functions copy it block by block. They must not fail,
 * and may be called from any thread that steps the operation. */
typedef struct hy_managed_ops {
    void (*read)(void *handle, uint64_t offset, void *to, size_t len);
    void (*write)(void *handle, uint64_t offset, const void *from, size_t len);
    void *(*retain)(void *handle); /* a handle that remains valid after the call; NULL: NO_MEMORY */
    void (*release)(void *handle); /* releases a retained handle */
    /* Holds the memory at an address for the time of a copy, in which the caller must do nothing
     * else; NULL: it cannot, and there may be an error that ends the call. Both functions are NULL
     * if it never can. `changed`: the caller has written. */
    uint8_t *(*pin)(void *handle);
    void (*unpin)(void *handle, uint8_t *address, bool changed);
    /* Whether both are in the same memory, and how many bytes b is behind a. NULL: they never
     * are. */
    bool (*distance)(void *a, void *b, int64_t *bytes);
} hy_managed_ops;

typedef struct hy_buffer {
    uint8_t *address;              /* native memory, or NULL */
    const hy_managed_ops *managed; /* otherwise these functions, with */
    void *handle;
} hy_buffer;

static inline void hy_buffer_read(const hy_buffer *buffer, uint64_t offset, void *to, size_t len)
{
    if (hy_likely(buffer->address != NULL)) hy_copy(to, buffer->address + offset, len);
    else if (len) buffer->managed->read(buffer->handle, offset, to, len);
}
static inline void hy_buffer_write(const hy_buffer *buffer, uint64_t offset, const void *from,
                                   size_t len)
{
    if (hy_likely(buffer->address != NULL)) hy_copy(buffer->address + offset, from, len);
    else if (len) buffer->managed->write(buffer->handle, offset, from, len);
}
/* For two buffers that may be in the same memory: how far b is behind a. */
static inline bool hy_buffer_distance(const hy_buffer *a, const hy_buffer *b, int64_t *bytes)
{
    if (a->managed != b->managed) return false;
    if (a->managed)
        return a->managed->distance && a->managed->distance(a->handle, b->handle, bytes);
    *bytes = (int64_t)((uintptr_t)b->address - (uintptr_t)a->address);
    return a->address && b->address;
}

#endif
