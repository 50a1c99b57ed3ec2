// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Native;
import io.hayate.internal.natives.NativeLoader;

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
    /** The system property of Java. */
    public static final int PROPERTY = 1;
    /**
     * "choice", "number", "bytes", "range", "name", "file", "directories", "options"; "rank" is set
     * by a launcher.
     */
    public static final int TYPE = 2;
    public static final int DEFAULT = 3;
    /** The valid values. */
    public static final int ACCEPTED = 4;
    /** The program that reads it, if not every rank does. */
    public static final int READER = 5;
    public static final int MEANING = 6;

    private static final int ROOM = 4096;

    private SettingsBinding() {
    }

    public static native int settingCount();

    static native void settingField(int index, int field, byte[] text, int room);

    /** Returns whether the property takes precedence over the variable: 1 or 0. */
    public static native int settingPropertyFirst(int index);

    /** Returns what is wrong with a value; null: nothing. */
    public static native String settingProblem(int index, String value);

    static native void settingUnknown(String name, byte[] text, int room);

    /** Logs warnings about variables in the environment, at most once in a process. */
    public static native void settingsWarn();

    /** Returns a field of a row; "" if it has none. */
    public static String text(int index, int field) {
        byte[] text = new byte[ROOM];
        settingField(index, field, text, text.length);
        return Native.toString(text, "UTF-8");
    }

    /** Returns a sentence about a variable HAYATE_... that is not a setting; "" for all others. */
    public static String unknown(String name) {
        byte[] text = new byte[ROOM];
        settingUnknown(name, text, text.length);
        return Native.toString(text, "UTF-8");
    }
}
