// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.mpi;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Span;

/** Each pair of ranks exchanges a message, one pair after the other; -v prints them. */
public final class Connectivity {
    private Connectivity() { }

    public static void main(String[] args) {
        boolean verbose = args.length > 0 && args[0].equals("-v");
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            for (int first = 0; first < job.size(); first++) {
                for (int second = first + 1; second < job.size(); second++) {
                    if (job.rank() == first || job.rank() == second) {
                        greet(fmpl, job.rank(), first + second - job.rank());
                    }
                    if (verbose && job.rank() == first) {
                        System.out.println("ranks " + first + " and " + second
                                + " reach each other");
                    }
                }
            }
            fmpl.barrier();
            if (job.rank() == 0) {
                System.out.println("all " + job.size() + " ranks reach each other");
            }
        }
    }

    private static void greet(Fmpl fmpl, int rank, int peer) {
        int[] got = new int[1];
        fmpl.sendrecv(Span.of(new int[] {rank}), peer, 0, Span.of(got), peer, 0);
        if (got[0] != peer) {
            throw new IllegalStateException("rank " + peer + " sent " + got[0]);
        }
    }
}
