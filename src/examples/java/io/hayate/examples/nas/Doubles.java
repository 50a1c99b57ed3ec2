// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Span;
import java.nio.DoubleBuffer;

/** Memory of doubles for computation and for messages. */
record Doubles(DoubleBuffer values, Span span) {
    /** Of part of them, in elements. */
    Span part(int from, int count) {
        return span.slice((long) from * Double.BYTES, (long) count * Double.BYTES);
    }
}
