// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import com.sun.jna.Native;

/**
 * Measures the model and compares it with measurements, by JNA, named as in {@link SetupBinding}.
 * Tunes and trials are addresses; results below 0 are codes. {@link NativeLoader#load()} comes
 * first.
 */
public final class TuneBinding {
    static {
        Native.register(TuneBinding.class, NativeLoader.library());
    }

    /** Code of memory that is not there. */
    public static final int NO_MEMORY = -6;

    private TuneBinding() {
    }

    /** 1 when standard error is a terminal. */
    public static native int tuneTerminal();

    /** Where the tuning file is, or would be; empty: none is used; null: there is no place. */
    public static native String tunePath();

    /** "AMD EPYC 7B13, 2 CPUs, Linux 6.1". */
    public static native String tuneMachine();

    /** CPUs that all ranks share. */
    public static native int tuneCpus(long fmpl);

    /** 1 when choices are made by measured terms. */
    public static native int tuneMeasured(long fmpl);

    /** Collective over the job; 0 on ranks other than the two that measure. */
    public static native long tuneOpen(long fmpl);

    public static native void tuneClose(long tune);

    public static native int tuneSteps();

    /** Collective, in order. */
    public static native int tuneStep(long tune, int step, double seconds);

    /** Name of a term; null behind the last. */
    public static native String tuneTerm(int term);

    /** Why a term could not be measured; null when it could. */
    public static native String tuneRefused(long tune, int term);

    /**
     * Name and unit of a number of the model, with a tab between; null behind the last. result:
     * bytes, value, error, value in the file {@code before} or else the default.
     */
    public static native String tuneNumber(long tune, int index, String before, double[] result);

    /** Percent of the steps at the usual distance of the CPUs; result: its round trip, ns. */
    public static native double tuneSteady(long tune, double[] result);

    /** 0 when there is a tuning file that is in order. */
    public static native int tuneLoad(String path);

    public static native int tuneStore(long tune, String path);

    /** fresh 1: data are written before each run and read behind it. */
    public static native long trialOpen(long fmpl, String collective, long bytes, int fresh);

    public static native void trialClose(long trial);

    public static native int trialCount(long trial);

    /** Candidate chosen when the transfer is left open (0), put (1) or get (2); -1: none. */
    public static native int trialChosen(long trial, int transfer);

    /** Options that force a candidate; result: nanoseconds predicted. */
    public static native String trialCandidate(long trial, int index, double[] result);

    /** Collective: batches of runs. result: nanoseconds of a run, seconds of rank 0's clock. */
    public static native int trialRun(long trial, int index, int warm, int batches, int runs,
            double[] result);
}
