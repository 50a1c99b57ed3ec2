// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

/**
 * The bell on which the thread that wakes virtual threads sleeps; only this thread makes calls
 * other than open.
 */
public final class BellBinding {
    private BellBinding() {
    }

    /** Returns a handle, or a code. */
    public static native long open(long job);

    /** The first call after a rest announces the sleeper and returns; each further call sleeps. */
    public static native void turn(long handle);

    /** No thread waits for the present. */
    public static native void rest(long handle);

    public static native void close(long handle);
}
