// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Span;
import java.nio.IntBuffer;

/** Memory of ints for computation and for messages. */
record Ints(IntBuffer values, Span span) {
    /** Of part of them, in elements. */
    Span part(int from, int count) {
        return span.slice((long) from * Integer.BYTES, (long) count * Integer.BYTES);
    }
}
