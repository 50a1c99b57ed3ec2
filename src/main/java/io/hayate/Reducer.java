// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.nio.ByteBuffer;

/**
 * A user's reduction, {@code inout[i] = inout[i] op in[i]}. It must be associative and commutative,
 * and give the same on every rank. See {@link Reduction#of(Fmpl, int, Reducer)}.
 */
@FunctionalInterface
public interface Reducer {
    /**
     * Reduces some of the elements; called as often as needed, on the thread that is in the
     * collective, or, of a {@link PersistentOperation}, on any thread that works on it. What it
     * throws becomes the cause of a {@link CallbackException} once the collective is over. It must
     * not call the communicator that it works for.
     *
     * @param inout elements from position 0 to the limit, in native order, to be replaced by the
     *     results
     * @param in as many other elements
     * @param count how many; both buffers are theirs only during the call
     */
    void reduce(ByteBuffer inout, ByteBuffer in, long count);
}
