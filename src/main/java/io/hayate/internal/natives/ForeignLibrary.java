// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import io.hayate.internal.errors.ErrorBinding;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Loads libraries of others, and calls them for the first time. Some take the signal handlers that
 * the JVM needs: {@code base/handlers.h} says what is done about that.
 */
public final class ForeignLibrary {
    static {
        Native.register(ForeignLibrary.class, NativeLoader.library());
    }

    /** RTLD_NOW: a symbol that is missing is an error here and not the end of the process later. */
    private static final int OPEN_FLAGS = 2;
    private static final int ROOM = 4096;

    private ForeignLibrary() {
    }

    private static native int libraryFile(String name, byte[] text, int room);

    private static native void handlersKeep();

    private static native void handlersPutBack();

    /**
     * Loads a library from the directories of HAYATE_LIBRARIES, or from where the system looks.
     *
     * @throws IllegalStateException if HAYATE_LIBRARIES is invalid
     * @throws LinkageError if the library cannot be loaded
     */
    public static NativeLibrary open(String name) {
        byte[] text = new byte[ROOM];
        if (libraryFile(name, text, text.length) < 0) {
            throw new IllegalStateException(ErrorBinding.text());
        }
        return openFile(Native.toString(text, System.getProperty("sun.jnu.encoding", "UTF-8")));
    }

    /** Loads a file. */
    public static NativeLibrary openFile(String file) {
        return keepingHandlers(() -> NativeLibrary.getInstance(file,
                Map.of(Library.OPTION_OPEN_FLAGS, OPEN_FLAGS)));
    }

    /** Makes the first calls of a library. */
    public static <T> T keepingHandlers(Supplier<T> calls) {
        handlersKeep();
        try {
            return calls.get();
        } finally {
            handlersPutBack();
        }
    }
}
