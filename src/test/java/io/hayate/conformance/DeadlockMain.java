// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Span;

/** Ranks each of which receives from the next one before it sends. */
public final class DeadlockMain {
    /** Entry of a rank. */
    public static void main(String[] arguments) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            Span span = Span.of(new double[1000]);
            fmpl.recv(span, (job.rank() + 1) % job.size(), 0);
            fmpl.send(span, (job.rank() + job.size() - 1) % job.size(), 0);
        }
    }
}
