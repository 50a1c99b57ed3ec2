// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Native;
import io.hayate.internal.natives.NativeLoader;

/**
 * Measures terms of the cost model between two ranks, by JNA, with names as in
 * {@link SetupBinding}. A measurement is an address; results below 0 are codes.
 * {@link NativeLoader#load()} must come first.
 */
public final class MeasureBinding {
    static {
        Native.register(MeasureBinding.class, NativeLoader.library());
    }

    /** The code of a term that cannot be measured here. */
    public static final int UNSUPPORTED = -9;
    /** Numbers in a result of {@link #measureStep}. */
    public static final int NUMBERS = 3;

    private MeasureBinding() {
    }

    /** Returns the number of CPUs that all ranks share. */
    public static native int measureCpus(long fmpl);

    /** Returns the address of the model of the choices. */
    public static native long measureModel(long fmpl);

    /**
     * Starts a measurement; collective over the job; returns 0 on ranks other than the two that
     * measure.
     */
    public static native long measureOpen(long fmpl);

    public static native void measureClose(long measure);

    /**
     * Measures a term; collective. result: its value, and the round trips before and after it in
     * ns; NaN: there is none.
     */
    public static native int measureStep(long measure, int term, double seconds, double[] result);
}
