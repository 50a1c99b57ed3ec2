// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Native;
import io.hayate.internal.natives.ToolsLibrary;

/**
 * Makes the cost model of what {@link MeasureBinding} has measured, by JNA, with names as in
 * {@link SetupBinding}. A tune is an address; results below 0 are codes.
 * {@link ToolsLibrary#load()} must come first.
 */
public final class TuneBinding {
    static {
        Native.register(TuneBinding.class, ToolsLibrary.library());
    }

    private TuneBinding() {
    }

    /** Returns 1 if standard error is a terminal. */
    public static native int tuneTerminal();

    /**
     * Returns the path of the tuning file, whether it exists or not; empty: none is used; null:
     * there is no directory for it.
     */
    public static native String tunePath();

    /** Describes the machine, such as "AMD EPYC 7B13, 2 CPUs, Linux 6.1". */
    public static native String tuneMachine();

    /** Starts with the model that the job uses: {@link MeasureBinding#measureModel}. */
    public static native long tuneOpen(long model);

    public static native void tuneClose(long tune);

    public static native int tuneSteps();

    /** Adds what {@link MeasureBinding#measureStep} has measured; returns a code. */
    public static native int tuneAdd(long tune, int step, double nanos, double before,
            double after);

    /** Returns the name of a term; null after the last. */
    public static native String tuneTerm(int term);

    /**
     * Returns the name and unit of a number of the model, separated by a tab; null after the last.
     * result: bytes, value, error, value in the file {@code before} or else the default.
     */
    public static native String tuneNumber(long tune, int index, String before, double[] result);

    /**
     * Returns the percentage of steps at the usual distance of the CPUs; result: its round trip in
     * ns.
     */
    public static native double tuneSteady(long tune, double[] result);

    /** Returns 0 if there is a valid tuning file. */
    public static native int tuneLoad(String path);

    public static native int tuneStore(long tune, String path);
}
