// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import com.sun.jna.Native;

/**
 * Measures the cost model and compares it with measurements, by JNA, with names as in
 * {@link SetupBinding}. Tunes and trials are addresses; results below 0 are codes.
 * {@link NativeLoader#load()} must come first.
 */
public final class TuneBinding {
    static {
        Native.register(TuneBinding.class, NativeLoader.library());
    }

    /** The code of a lack of memory. */
    public static final int NO_MEMORY = -6;

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

    /** Returns the number of CPUs that all ranks share. */
    public static native int tuneCpus(long fmpl);

    /**
     * Starts a measurement; collective over the job; returns 0 on ranks other than the two that
     * measure.
     */
    public static native long tuneOpen(long fmpl);

    public static native void tuneClose(long tune);

    public static native int tuneSteps();

    /** Collective, in order. */
    public static native int tuneStep(long tune, int step, double seconds);

    /** Returns the name of a term; null after the last. */
    public static native String tuneTerm(int term);

    /** Returns why a term could not be measured; null if it was measured. */
    public static native String tuneRefused(long tune, int term);

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

    /** fresh 1: data are written before each run and read after it. */
    public static native long trialOpen(long fmpl, String collective, long bytes, int fresh);

    public static native void trialClose(long trial);

    public static native int trialCount(long trial);

    /**
     * Returns the candidate that is chosen if the transfer is open (0), put (1) or get (2); -1:
     * none.
     */
    public static native int trialChosen(long trial, int transfer);

    /** From now on the chosen ones are those that are chosen by measurement; collective. */
    public static native int trialMeasure(long trial);

    /** Returns options that force a candidate; result: predicted nanoseconds. */
    public static native String trialCandidate(long trial, int index, double[] result);

    /**
     * Times batches of runs; collective. result: nanoseconds of a run, seconds of rank 0's clock.
     */
    public static native int trialRun(long trial, int index, int warm, int batches, int runs,
            double[] result);
}
