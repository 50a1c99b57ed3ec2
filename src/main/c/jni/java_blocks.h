/* SPDX-License-Identifier: Apache-2.0 */
/* Lengths and offsets of blocks as Java passes them: all in one array. */
#ifndef HY_JNI_JAVA_BLOCKS_H
#define HY_JNI_JAVA_BLOCKS_H

#include <jni.h>
#include <stdint.h>

#include "io_hayate_internal_bindings_PcollBinding.h"

#define HY_JAVA_BLOCKS 5 /* kinds of numbers, in the order of their bits */

_Static_assert(sizeof(jlong) == sizeof(int64_t), "Java's long");
_Static_assert(io_hayate_internal_bindings_PcollBinding_UNEVEN == 1 &&
                   io_hayate_internal_bindings_PcollBinding_IN_SIZES == 2 &&
                   io_hayate_internal_bindings_PcollBinding_IN_OFFSETS == 4 &&
                   io_hayate_internal_bindings_PcollBinding_OUT_SIZES == 8 &&
                   io_hayate_internal_bindings_PcollBinding_OUT_OFFSETS == 16 &&
                   io_hayate_internal_bindings_PcollBinding_IN_COUNTS == 32 &&
                   io_hayate_internal_bindings_PcollBinding_APART == 2 << HY_JAVA_BLOCKS,
               "one bit for each kind");

/* `which` tells what `blocks` contains: as many numbers of each kind as there are members. Sets
 * *places[kind] for the kinds that are there. */
static inline void hy_java_blocks(const int64_t **const places[HY_JAVA_BLOCKS], jint which,
                                  const jlong *blocks, jsize length)
{
    unsigned kinds = (unsigned)which >> 1 & ((1u << HY_JAVA_BLOCKS) - 1);
    int given = __builtin_popcount(kinds);
    for (int i = 0; i < HY_JAVA_BLOCKS; i++) {
        if (!(kinds >> i & 1)) continue;
        *places[i] = (const int64_t *)(const void *)blocks;
        blocks += length / given;
    }
}

#endif
