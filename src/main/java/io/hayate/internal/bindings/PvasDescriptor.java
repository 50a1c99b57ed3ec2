// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import java.io.FileDescriptor;

/**
 * Creates file descriptors for Java streams, by JNI, because Java has no public method for that.
 */
public final class PvasDescriptor {
    private PvasDescriptor() {
    }

    /** Creates a descriptor that is closed with the stream over it. */
    public static FileDescriptor of(int number) {
        FileDescriptor descriptor = new FileDescriptor();
        set(descriptor, number);
        return descriptor;
    }

    private static native void set(FileDescriptor descriptor, int number);
}
