// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.equal;

import io.hayate.Fmpl;
import io.hayate.Reduction;
import io.hayate.Span;
import java.util.concurrent.atomic.AtomicInteger;

/** Many threads in one rank. */
final class ThreadScenarios {
    @Scenario(ranks = 2)
    static void should_serve_threads_with_their_own_mais(Rank rank) throws Exception {
        Threads.together(4, Threads::platform, mai -> {
            int[] sizes = {8, 56, 2000, 5000, 70_000};
            for (int i = 0; i < 200; i++) {
                int size = sizes[i % sizes.length];
                try (Memory out = BufferKind.DIRECT.of(rank, size).fill(rank.me + mai + i);
                        Memory in = BufferKind.BYTES.of(rank, size).clear()) {
                    if (rank.me % 2 == 0) {
                        rank.fmpl.send(out.span(), rank.right(), mai);
                        rank.fmpl.recv(in.span(), rank.left(), mai);
                    } else {
                        var sent = rank.fmpl.isend(out.span(), rank.right(), mai);
                        rank.fmpl.recv(in.span(), rank.left(), mai);
                        sent.await();
                    }
                    in.verify(rank.left() + mai + i, size);
                }
            }
        });
    }

    /** On one carrier: if one held it, the thread whose message is sent first would never run. */
    @Scenario(ranks = 2, java = 21)
    static void should_block_hundreds_of_virtual_threads_on_one_carrier(Rank rank)
            throws Exception {
        int threads = 200;
        try (Fmpl fmpl = Fmpl.init(rank.job, threads)) {
            for (int size : new int[] {8, 3000, 90_000}) {
                if (rank.me == 0) {
                    rank.listen(1);
                    for (int mai = threads - 1; mai >= 0; mai--) {
                        fmpl.send(BufferKind.DIRECT.of(rank, size).fill(mai).span(), 1, mai);
                        rank.listen(1);
                    }
                } else if (rank.me == 1) {
                    AtomicInteger started = new AtomicInteger();
                    Threads.together(threads, Threads::virtual, mai -> {
                        Memory in = BufferKind.DIRECT.of(rank, size).clear();
                        if (started.incrementAndGet() == threads) {
                            rank.tell(0);
                        }
                        fmpl.recv(in.span(), 0, mai);
                        in.verify(mai, size);
                        rank.tell(0);
                    });
                }
            }
        }
    }

    /** Long sends, a wait for any of several requests, and collectives, all parked. */
    @Scenario(ranks = 2, java = 21)
    static void should_park_virtual_threads_in_every_operation(Rank rank) throws Exception {
        int size = 300_000;
        Threads.together(5, Threads::virtual, work -> {
            Memory out = BufferKind.DIRECT.of(rank, size).fill(rank.me);
            Memory in = BufferKind.DOUBLES.of(rank, size).clear();
            if (work == 0) {
                rank.fmpl.send(out.span(), rank.right(), 0);
            } else if (work == 1) {
                rank.fmpl.recv(in.span(), rank.left(), 0);
                in.verify(rank.left(), size);
            } else if (work == 2) {
                long[] one = new long[5000];
                one[4999] = 1;
                rank.fmpl.allreduce(Span.of(one), Reduction.LONG_SUM);
                equal(rank.size, one[4999], "sum");
            } else if (work == 3) {
                rank.fmpl.isend(out.span(), rank.right(), 1).await();
            } else {
                equal(0, rank.fmpl.waitAny(rank.fmpl.irecv(in.span(), rank.left(), 1)), "index");
                in.verify(rank.left(), size);
            }
        });
    }
}
