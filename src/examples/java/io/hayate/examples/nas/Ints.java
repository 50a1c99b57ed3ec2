// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.nio.IntBuffer;

/** Memory of ints for computation and for messages. */
record Ints(IntBuffer values, Part all) {
    /** Some of them. */
    Part part(int from, int count) {
        return all.slice(from, count);
    }
}
