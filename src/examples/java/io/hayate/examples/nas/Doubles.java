// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Span;
import java.nio.DoubleBuffer;

/** Doubles that messages go from and come into: to work on, and to send. */
record Doubles(DoubleBuffer values, Span span) {
    /** Of part of them, in elements. */
    Span part(int from, int count) {
        return span.slice((long) from * Double.BYTES, (long) count * Double.BYTES);
    }
}
