// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.FmplAnchor;
import io.hayate.internal.SetupDoor;
import java.lang.ref.Reference;

/** What takes the messages of one FMPL apart. */
final class Instrument {
    private final FmplAnchor anchor;

    Instrument(FmplAnchor anchor) {
        this.anchor = anchor;
    }

    void turn(boolean on) {
        Errors.check(SetupDoor.breakdownSet(anchor.fmpl(), on ? 1 : 0));
        Reference.reachabilityFence(anchor);
    }

    Breakdown read() {
        double[] result = new double[7];
        Errors.check(SetupDoor.breakdownGet(anchor.fmpl(), result));
        Reference.reachabilityFence(anchor);
        return new Breakdown(result[0], result[1], result[2], result[3], result[4], result[5],
                (long) result[6]);
    }
}
