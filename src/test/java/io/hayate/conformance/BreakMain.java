// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.PeerFailedException;
import io.hayate.Reduction;
import io.hayate.Span;

/**
 * Two ranks that exchange messages of all kinds until their connection breaks. Each says
 * {@code FAILED rank peer reason}, unless it went on for so long that it says {@code NOTHING}.
 */
public final class BreakMain {
    private static final int ROUNDS = 2000;

    /** Entry of a rank. */
    public static void main(String[] arguments) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            try {
                for (int round = 0; round < ROUNDS; round++) {
                    exchange(fmpl, job.rank());
                }
                System.out.println("NOTHING " + job.rank());
            } catch (PeerFailedException failed) {
                System.out.println("FAILED " + job.rank() + " " + failed.peer() + " "
                        + failed.reason());
            }
        }
    }

    private static void exchange(Fmpl fmpl, int rank) {
        for (int bytes : new int[] {8, 200, 3000, 100_000}) {
            pass(fmpl, rank, Span.of(new byte[bytes]));
            pass(fmpl, rank, Span.of(Rank.direct(bytes)));
        }
        fmpl.allreduce(Span.of(new double[1000]), Reduction.DOUBLE_SUM);
        fmpl.barrier();
    }

    private static void pass(Fmpl fmpl, int rank, Span memory) {
        if (rank == 0) {
            fmpl.send(memory, 1, 0);
            fmpl.recv(memory, 1, 0);
        } else {
            fmpl.irecv(memory, 0, 0).await();
            fmpl.send(memory, 0, 0);
        }
    }
}
