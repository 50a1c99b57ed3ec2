// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Reduction;
import io.hayate.Span;

/**
 * Ranks that exchange messages and run collectives. With an argument, rank 1 then waits for a
 * message that nobody sends, and the others for rank 1.
 */
public final class FlightMain {
    /** Entry of a rank. */
    public static void main(String[] arguments) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            double[] values = new double[1];
            double[] longer = new double[10_000];
            int next = (job.rank() + 1) % job.size();
            int before = (job.rank() + job.size() - 1) % job.size();
            fmpl.send(Span.of(values), next, 3);
            fmpl.recv(Span.of(values), before, 3);
            if (job.rank() == 0 && next == 1) {
                fmpl.send(Span.of(longer), next, 4);
            } else if (job.rank() == 1) {
                fmpl.recv(Span.of(longer), 0, 4);
            }
            fmpl.allreduce(Span.of(values), Reduction.DOUBLE_SUM);
            if (arguments.length > 0 && job.rank() == 1) {
                System.out.println("victim " + ProcessHandle.current().pid());
                fmpl.recv(Span.of(values), 0, 5);
            }
            fmpl.barrier();
        }
    }
}
