// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import com.sun.jna.Native;

/**
 * Measures the tables of simulated jobs, by JNA, with names as in {@link SetupBinding}.
 * {@link NativeLoader#load()} must come first.
 */
public final class TablesBinding {
    /** Numbers in a result: the kind of the layout, and bytes. */
    public static final int NUMBERS = 6;
    /** Times in a result. */
    public static final int TIMES = 4;

    static {
        Native.register(TablesBinding.class, NativeLoader.library());
    }

    private TablesBinding() {
    }

    /**
     * Measures one job. layout: block, cyclic, ranges, random. numbers: {@link #NUMBERS} of them,
     * times: {@link #TIMES}, in the order of hy_tables_figures. Returns a code.
     */
    public static native int tablesMeasure(int layout, int ranks, int perNode, int partners,
            int mais, double seconds, long[] numbers, double[] times);
}
