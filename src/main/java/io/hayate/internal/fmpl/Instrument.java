// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.Breakdown;
import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.Errors;
import java.lang.ref.Reference;

/** Measures the parts of the messages of one FMPL. */
public final class Instrument {
    private final FmplContext context;

    Instrument(FmplContext context) {
        this.context = context;
    }

    /** Switches the measurement on, which discards earlier samples, or off. */
    public void turn(boolean on) {
        context.requireOpen();
        Errors.check(SetupBinding.breakdownSet(context.handle(), on ? 1 : 0));
        Reference.reachabilityFence(context);
    }

    /** Returns the medians since it was switched on. */
    public Breakdown read() {
        context.requireOpen();
        double[] result = new double[7];
        Errors.check(SetupBinding.breakdownGet(context.handle(), result));
        Reference.reachabilityFence(context);
        return new Breakdown(result[0], result[1], result[2], result[3], result[4], result[5],
                (long) result[6]);
    }
}
