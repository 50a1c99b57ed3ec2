// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import com.sun.jna.Native;

/**
 * The table of settings, by JNA, named as in {@link SetupBinding}. {@link NativeLoader#load()}
 * comes first.
 */
public final class SettingsBinding {
    static {
        Native.register(SettingsBinding.class, NativeLoader.library());
    }

    /** Fields of {@link #text}. */
    public static final int NAME = 0;
    /** Of Java. */
    public static final int PROPERTY = 1;
    /** "choice", "number", "bytes", "range", "name", "file", "directories", "options"; "rank" is
     *  what a launcher tells, "retired" what is no setting any more. */
    public static final int TYPE = 2;
    public static final int DEFAULT = 3;
    /** What a value may be. */
    public static final int ACCEPTED = 4;
    /** Whoever reads it, where that is not each rank. */
    public static final int READER = 5;
    public static final int MEANING = 6;

    private static final int ROOM = 4096;

    private SettingsBinding() {
    }

    public static native int settingCount();

    static native void settingField(int index, int field, byte[] text, int room);

    /** Whether the property is stronger than the variable: 1 or 0. */
    public static native int settingPropertyFirst(int index);

    /** What is wrong with a value; null: nothing. */
    public static native String settingProblem(int index, String value);

    static native void settingUnknown(String name, byte[] text, int room);

    /** Warns on the log of those in the environment, at most once in a process. */
    public static native void settingsWarn();

    static native int libraryFile(String name, byte[] text, int room);

    /** A field of a row; "" when it has none. */
    public static String text(int index, int field) {
        byte[] text = new byte[ROOM];
        settingField(index, field, text, text.length);
        return Native.toString(text, "UTF-8");
    }

    /** A sentence about a variable HAYATE_... that is no setting; "" for all others. */
    public static String unknown(String name) {
        byte[] text = new byte[ROOM];
        settingUnknown(name, text, text.length);
        return Native.toString(text, "UTF-8");
    }

    /**
     * The file that a library is loaded from, by HAYATE_LIBRARIES or by its name alone.
     *
     * @throws IllegalStateException HAYATE_LIBRARIES is wrong
     */
    static String file(String library) {
        byte[] text = new byte[ROOM];
        if (libraryFile(library, text, text.length) < 0) {
            throw new IllegalStateException(ErrorBinding.text());
        }
        return Native.toString(text, System.getProperty("sun.jnu.encoding", "UTF-8"));
    }
}
