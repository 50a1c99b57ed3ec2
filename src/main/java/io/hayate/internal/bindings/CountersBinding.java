// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Native;
import io.hayate.internal.natives.NativeLoader;

/**
 * The counters of a rank of this process, by JNA, with names as in {@link SetupBinding}.
 * {@link NativeLoader#load()} must come first.
 */
public final class CountersBinding {
    static {
        Native.register(CountersBinding.class, NativeLoader.library());
    }

    private CountersBinding() {
    }

    /** Stores the {@link #countersCount()} counters of a rank of this process. */
    public static native void countersOwn(long job, long[] result);

    public static native int countersCount();

    /** Returns the name of a counter; null if it is not in use. */
    public static native String countersName(int index);
}
