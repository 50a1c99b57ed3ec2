// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.Fmpl;
import io.hayate.Hayate;

/** Members of communicators disagree, again and again, in a job of processes. */
public final class DisagreementMain {
    /** "nodes": only what members on different nodes are told. */
    public static void main(String[] arguments) {
        int cases = 0;
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            for (Disagreement one : Disagreement.all(job.size())) {
                if (arguments.length == 0 || one.isToldBetweenNodes()) {
                    one.verify(job, fmpl, false);
                    cases++;
                }
            }
        }
        System.out.println("TOLD " + cases);
    }
}
