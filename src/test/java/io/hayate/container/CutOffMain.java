// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Ompl;
import io.hayate.Ompl.Comparison;
import io.hayate.PeerFailedException;
import io.hayate.Reduction;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ranks that communicate until a node is cut off: messages and flags go to and fro between each
 * rank and one of the last node, and all ranks add; each kind by a thread of its own. A rank
 * tells {@code RUNNING rank what}, {@code FAILED rank what peer time reason}, and at last, when it
 * was let go by {@code /tmp/over}, so that nobody leaves before all were told,
 * {@code CLOSED rank ms}.
 */
public final class CutOffMain {
    static final List<String> KINDS = List.of("messages", "sums", "flags");
    private static final int[] SIZES = {8, 3000, 100_000};
    private static final int ROUNDS_TO_RUN = 3;
    private static final int PACE_MS = 2;

    private final Hayate job;
    private final Fmpl fmpl;
    private final Ompl ompl;
    private final Span array = Span.of(new double[1000]);
    private final ByteBuffer large = ByteBuffer.allocateDirect(SIZES[SIZES.length - 1]);

    private CutOffMain(Hayate job, Fmpl fmpl, Ompl ompl) {
        this.job = job;
        this.fmpl = fmpl;
        this.ompl = ompl;
    }

    /** A round of one kind of communication. */
    private interface Round {
        void run(int number);
    }

    /** Entry of a rank: the kinds. */
    public static void main(String[] kinds) throws Exception {
        long closing;
        int rank;
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job);
                Ompl ompl = Ompl.open(job, 4096)) {
            rank = job.rank();
            new CutOffMain(job, fmpl, ompl).communicate(kinds);
            closing = System.nanoTime();
        }
        tell("CLOSED " + rank + " " + (System.nanoTime() - closing) / 1_000_000);
    }

    private void communicate(String... kinds) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (String kind : kinds) {
            threads.add(new Thread(() -> repeat(kind, round(kind)), kind));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        while (!Files.exists(Path.of("/tmp/over"))) {
            Thread.sleep(20);
        }
    }

    private Round round(String kind) {
        return switch (kind) {
            case "messages" -> number -> partners().forEach(this::exchange);
            case "sums" -> number -> fmpl.allreduce(array, Reduction.DOUBLE_SUM);
            case "flags" -> number -> partners().forEach(partner -> flag(partner, number));
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private void repeat(String kind, Round round) {
        try {
            for (int number = 1;; number++) {
                round.run(number);
                if (number == ROUNDS_TO_RUN) {
                    tell("RUNNING " + job.rank() + " " + kind);
                }
                Thread.sleep(PACE_MS);
            }
        } catch (PeerFailedException failed) {
            long now = System.nanoTime();
            tell("FAILED " + job.rank() + " " + kind + " " + failed.peer() + " " + now + " "
                    + failed.reason());
        } catch (Exception wrong) {
            tell("WRONG " + job.rank() + " " + kind + " " + wrong);
        }
    }

    private int firstOfLastNode() {
        return job.size() - Nodes.RANKS_EACH;
    }

    private boolean isOnLastNode() {
        return job.rank() >= firstOfLastNode();
    }

    private List<Integer> partners() {
        int place = job.rank() % Nodes.RANKS_EACH;
        if (!isOnLastNode()) {
            return List.of(firstOfLastNode() + place);
        }
        List<Integer> partners = new ArrayList<>();
        for (int rank = place; rank < firstOfLastNode(); rank += Nodes.RANKS_EACH) {
            partners.add(rank);
        }
        return partners;
    }

    private void exchange(int partner) {
        for (int bytes : SIZES) {
            Span span = bytes <= array.bytes() ? Span.of(new byte[bytes]) : Span.of(large);
            if (isOnLastNode()) {
                fmpl.recv(span, partner, 0);
                fmpl.send(span, partner, 0);
            } else {
                fmpl.send(span, partner, 0);
                fmpl.recv(span, partner, 0);
            }
        }
    }

    private void flag(int partner, int number) {
        if (isOnLastNode()) {
            ompl.waitUntil(flagOf(partner), Comparison.GE, number);
            ompl.putFlag(partner, flagOf(job.rank()), number);
        } else {
            ompl.putFlag(partner, flagOf(job.rank()), number);
            ompl.waitUntil(flagOf(partner), Comparison.GE, number);
        }
    }

    private static long flagOf(int rank) {
        return (long) rank * Ompl.FLAG_BYTES;
    }

    private static synchronized void tell(String line) {
        System.out.println(line);
    }
}
