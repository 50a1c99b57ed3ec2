// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.errors;

/** The last error of the calling thread, and errors of the system. */
public final class ErrorBinding {
    private ErrorBinding() {
    }

    public static native String text();

    public static native int peer();

    /** Of a message that is longer than its receive, else 0. */
    public static native long length();

    /** Returns what the C library says of an errno, in the language and encoding of the process. */
    public static native byte[] ofSystem(int errno);
}
