// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import com.sun.jna.Native;

/**
 * The log of the native library, by JNA, named as in {@link SetupBinding}.
 * {@link NativeLoader#load()} comes first.
 */
final class LogBinding {
    static {
        Native.register(LogBinding.class, NativeLoader.library());
    }

    private LogBinding() {
    }

    /**
     * Where lines are to go: 1, to a logger; 0, to stderr; or a code.
     *
     * @param property value of the system property; null: it is unset
     */
    static native int logWanted(String property);

    /** From now on lines wait for {@link #logTake}. */
    static native void logAttach();

    /**
     * Waits for the next line; of one thread at a time. It counts as used at the next call.
     *
     * @param text gets it in UTF-8, closed by a 0
     * @return its level, from 0: error, warn, info, debug; below 0: there will be none
     */
    static native int logTake(byte[] text, int room);

    /**
     * The line that was taken goes to stderr.
     *
     * @param why is said before it; null: nothing
     */
    static native void logRefuse(String why);

    /** Further lines go to stderr, and {@link #logTake} ends. */
    static native void logDetach();
}
