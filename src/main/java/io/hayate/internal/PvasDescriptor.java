// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import java.io.FileDescriptor;

/** Descriptors that Java's streams can have, by JNI: there is no other way to make one. */
public final class PvasDescriptor {
    private PvasDescriptor() {
    }

    /** Whoever closes a stream over it closes the descriptor. */
    public static FileDescriptor of(int number) {
        FileDescriptor descriptor = new FileDescriptor();
        set(descriptor, number);
        return descriptor;
    }

    private static native void set(FileDescriptor descriptor, int number);
}
