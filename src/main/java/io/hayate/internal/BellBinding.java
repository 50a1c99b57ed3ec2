// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

/** The sleep of the one thread that wakes virtual threads; all calls but open are its own. */
public final class BellBinding {
    private BellBinding() {
    }

    /** A handle, or a code. */
    public static native long open(long job);

    /** The first after a rest announces the sleeper and returns; each further one sleeps. */
    public static native void turn(long handle);

    /** Nobody is to be woken for now. */
    public static native void rest(long handle);

    public static native void close(long handle);
}
