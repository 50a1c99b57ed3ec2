// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.nio.ByteBuffer;

/**
 * A custom reduction: {@code inout[i] = inout[i] op in[i]}. The operation must be associative and
 * commutative, and must give the same result on every rank. See
 * {@link Reduction#of(Fmpl, int, Reducer)}.
 */
@FunctionalInterface
public interface Reducer {
    /**
     * Reduces some of the elements. A collective calls it as often as needed, on the thread that
     * runs the collective; a {@link PersistentOperation} calls it on any thread that makes progress
     * on it. An exception that it throws becomes the cause of a {@link CallbackException} when the
     * collective has completed. It must not use the communicator of the collective.
     *
     * @param inout elements from position 0 to the limit, in native byte order; the method replaces
     *     them by the results
     * @param in the same number of other elements
     * @param count the number of elements; both buffers are valid only during the call
     */
    void reduce(ByteBuffer inout, ByteBuffer in, long count);
}
