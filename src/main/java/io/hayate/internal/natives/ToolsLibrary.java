// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import com.sun.jna.NativeLibrary;

/**
 * The library of the command line, libhayate-tools.so, which jobs do not load: explanations, the
 * model of {@code hayate tune}, jobs from outside, and files of flight recorders. It has its own
 * copy of what it uses of libhayate.so, and so its own errors.
 */
public final class ToolsLibrary {
    private static NativeLibrary library;

    private ToolsLibrary() {
    }

    /**
     * Loads the library at the first call that succeeds, and libhayate.so before it.
     *
     * @throws io.hayate.NativeLoadException if that fails; lists every reason
     */
    public static void load() {
        library();
    }

    public static synchronized NativeLibrary library() {
        if (library == null) {
            library = NativeLoader.openAnother("libhayate-tools.so");
        }
        return library;
    }

    /** Returns the reason of this thread's last code from a binding of this library. */
    public static String error() {
        return library().getFunction("hayate_error").invokeString(new Object[0], false);
    }
}
