// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.mpi;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Span;

/** A number goes round all ranks; rank 0 counts it down, and each rank stops at 0. */
public final class Ring {
    private static final int ROUNDS = 10;
    private static final int TOKEN = 0; // the mai

    private Ring() { }

    public static void main(String[] args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            int next = (job.rank() + 1) % job.size();
            int previous = (job.rank() + job.size() - 1) % job.size();
            int[] token = {ROUNDS};
            if (job.rank() == 0) {
                System.out.println("rank 0 sends " + token[0] + " round " + job.size() + " ranks");
                fmpl.send(Span.of(token), next, TOKEN);
            }
            do {
                fmpl.recv(Span.of(token), previous, TOKEN);
                if (job.rank() == 0) {
                    token[0]--;
                }
                fmpl.send(Span.of(token), next, TOKEN);
            } while (token[0] > 0);
            if (job.rank() == 0) {
                fmpl.recv(Span.of(token), previous, TOKEN); // the 0 that the last rank has sent
            }
            System.out.println("rank " + job.rank() + " ends");
            fmpl.barrier();
        }
    }
}
