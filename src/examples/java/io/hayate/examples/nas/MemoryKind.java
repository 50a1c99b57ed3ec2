// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** The kind of memory of the data that ranks exchange. */
enum MemoryKind {
    /** The symmetric heap: others reach it by plain loads and stores. */
    HEAP,
    /** Direct buffers outside of the heap: long messages go by HAYATE_RENDEZVOUS. */
    DIRECT,
    /** Java arrays, which the collector moves: long messages always go by blocks. */
    ARRAY
}
