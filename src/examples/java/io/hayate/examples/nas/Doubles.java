// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.nio.DoubleBuffer;

/** Memory of doubles for computation and for messages. */
record Doubles(DoubleBuffer values, Part all) {
    /** Some of them. */
    Part part(int from, int count) {
        return all.slice(from, count);
    }
}
