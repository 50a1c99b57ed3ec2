// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.errors;

import java.lang.annotation.Native;

/**
 * The result of a native operation in one long: above 0 it continues as that request; from -63 to
 * -1 it failed with that code; from {@link #COMPLETE} down it is complete.
 */
public final class Outcome {
    /** Complete with 0 bytes; the value for n bytes is lower by n. */
    @Native public static final long COMPLETE = -64;

    private Outcome() {
    }

    public static boolean goesOn(long outcome) {
        return outcome > 0;
    }

    public static boolean isComplete(long outcome) {
        return outcome <= COMPLETE;
    }

    public static long bytes(long outcome) {
        return COMPLETE - outcome;
    }
}
