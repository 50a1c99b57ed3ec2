// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Span;
import java.nio.charset.StandardCharsets;

/** Each rank sends its name to rank 0, which prints them in rank order. */
public final class HelloRanks {
    private static final int NAMES = 0; // the matching-area index both sides agree on

    private HelloRanks() {}

    public static void main(String[] args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            if (job.rank() == 0) {
                greet(job, fmpl);
            } else {
                String name = "rank " + job.rank() + ", process " + ProcessHandle.current().pid();
                fmpl.send(Span.of(name.getBytes(StandardCharsets.UTF_8)), 0, NAMES);
            }
            fmpl.barrier(); // rank 0 has all names before anybody leaves
        }
    }

    private static void greet(Hayate job, Fmpl fmpl) {
        byte[] name = new byte[100];
        System.out.println("Hello from rank 0 of " + job.size());
        for (int rank = 1; rank < job.size(); rank++) {
            int length = (int) fmpl.recv(Span.of(name), rank, NAMES);
            String text = new String(name, 0, length, StandardCharsets.UTF_8);
            System.out.println("Hello from " + text);
        }
    }
}
