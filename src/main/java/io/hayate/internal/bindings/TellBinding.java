// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

/**
 * Tells in shared memory what a parked virtual thread waits for, for {@code hayate stat --waits}.
 * {@code told} is 0 at first, then the result of the call before; {@code thread} is the number of
 * the thread. While the table is full, the result is 0.
 */
public final class TellBinding {
    private TellBinding() {
    }

    public static native int request(long fmpl, long request, int told, long thread);

    /** One of several requests. */
    public static native int requests(long fmpl, int count, int told, long thread);

    public static native int collective(long fmpl, int comm, int told, long thread);

    /** A non-blocking collective. */
    public static native int started(long fmpl, int comm, int told, long thread);

    public static native int persistent(long operation, int told, long thread);

    public static native int word(long ompl, long at, int how, long value, int told, long thread);

    /** The wait is over. */
    public static native void over(long job, int told);
}
