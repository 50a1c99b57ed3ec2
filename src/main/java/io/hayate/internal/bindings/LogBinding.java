// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Native;
import io.hayate.internal.natives.NativeLoader;

/**
 * The log of the native library, by JNA, named as in {@link SetupBinding}.
 * {@link NativeLoader#load()} comes first.
 */
public final class LogBinding {
    static {
        Native.register(LogBinding.class, NativeLoader.library());
    }

    private LogBinding() {
    }

    /**
     * Returns the destination of the log: 1, a logger; 0, stderr; or a code.
     *
     * @param property value of the system property; null: unset
     */
    static native int logWanted(String property);

    /** From now on lines are queued for {@link #logTake}. */
    static native void logAttach();

    /**
     * Waits for the next line; only one thread at a time may call. The next call confirms that the
     * line was used.
     *
     * @param text receives the line in UTF-8, with a final 0
     * @return its level, from 0: error, warn, info, debug; below 0: no more lines will come
     */
    static native int logTake(byte[] text, int room);

    /**
     * Writes the line that was taken to stderr.
     *
     * @param why a text to write before it; null: none
     */
    static native void logRefuse(String why);

    /** Writes a line with the level warn. */
    public static native void logWarn(String text);

    /** Sends further lines to stderr, and ends {@link #logTake}. */
    static native void logDetach();
}
