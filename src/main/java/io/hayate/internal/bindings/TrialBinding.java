// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Native;
import io.hayate.internal.natives.NativeLoader;

/**
 * Times the candidates for a collective, by JNA, with names as in {@link SetupBinding}. A trial is
 * an address; results below 0 are codes. {@link NativeLoader#load()} must come first.
 */
public final class TrialBinding {
    static {
        Native.register(TrialBinding.class, NativeLoader.library());
    }

    /** The code of a lack of memory. */
    public static final int NO_MEMORY = -6;

    private TrialBinding() {
    }

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
