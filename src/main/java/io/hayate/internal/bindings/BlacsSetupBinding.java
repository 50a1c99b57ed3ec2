// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Native;
import io.hayate.internal.natives.NativeLoader;

/**
 * The set-up calls of the BLACS, by JNA, with names as in {@link SetupBinding}. Results below 0 are
 * codes. {@link NativeLoader#load()} must come first.
 */
public final class BlacsSetupBinding {
    static {
        Native.register(BlacsSetupBinding.class, NativeLoader.library());
    }

    /** The number of {@link #blacsSet} for sums that add in the same order in every run. */
    public static final int REPEATABLE = 15;

    private BlacsSetupBinding() {
    }

    /** Opens the BLACS of the process on a job. Collective over the job. */
    public static native int blacsOpen(long job);

    /** Ends all contexts, but stays in the job. */
    public static native int blacsClose();

    /**
     * Creates a context, and returns its number or NOT_A_MEMBER. Collective over the processes of
     * the context outer, or all if that is -1. The process of row i and column j is
     * map[i + j * rows].
     */
    public static native int blacsGrid(int outer, int[] map, int rows, int columns);

    public static native int blacsGridExit(int context);

    /** place becomes: rows, columns, row, column; all -1 if there is no such context. */
    public static native void blacsGridInfo(int context, int[] place);

    public static native int blacsSet(int context, int what, int value);

    /** Returns 1 if a collective of a scope has failed after it had begun, else 0. */
    public static native int blacsIsBroken(int context, int scope);
}
