// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Reduction;
import io.hayate.Request;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What runs inside: each rank sends messages of several kinds and sizes around the ring, and
 * compares every byte that it gets. Says {@code EXCHANGED rank of size, cma=N pipeline=N}, N being
 * numbers of messages.
 */
public final class ExchangeMain {
    private static final List<String> KINDS = List.of("heap", "direct", "bytes", "doubles");
    private static final int[] SIZES = {0, 8, 104, 4096, 4104, 65_544, 3 << 20};

    private final Hayate job;
    private final Fmpl fmpl;

    private ExchangeMain(Hayate job, Fmpl fmpl) {
        this.job = job;
        this.fmpl = fmpl;
    }

    /** Entry of a rank: bytes of its heap that are to be filled, 0 by default. */
    public static void main(String[] arguments) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            ExchangeMain exchange = new ExchangeMain(job, fmpl);
            KINDS.forEach(exchange::ring);
            exchange.sum();
            exchange.fillHeap(arguments.length > 0 ? Integer.parseInt(arguments[0]) : 0);
            Map<String, Long> counters = job.counters();
            fmpl.barrier();
            System.out.println("EXCHANGED " + job.rank() + " of " + job.size() + ", cma="
                    + counters.get("cma") + " pipeline=" + counters.get("pipeline"));
        }
    }

    private int right() {
        return (job.rank() + 1) % job.size();
    }

    private int left() {
        return (job.rank() + job.size() - 1) % job.size();
    }

    private void ring(String kind) {
        for (int bytes : SIZES) {
            byte[] mine = pattern(job.rank(), bytes);
            byte[] theirs = new byte[bytes];
            pass(kind, mine, theirs);
            if (!Arrays.equals(theirs, pattern(left(), bytes))) {
                throw new AssertionError(bytes + " bytes (" + kind + ") came differently");
            }
        }
    }

    private static byte[] pattern(int rank, int bytes) {
        byte[] image = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            image[i] = (byte) (i * 31 + (i >> 12) + rank * 7 + 1);
        }
        return image;
    }

    private void pass(String kind, byte[] mine, byte[] theirs) {
        switch (kind) {
            case "heap" -> passHeap(mine, theirs);
            case "direct" -> passDirect(mine, theirs);
            case "bytes" -> exchange(Span.of(mine), Span.of(theirs), theirs.length);
            default -> passDoubles(mine, theirs);
        }
    }

    private void exchange(Span out, Span in, long bytes) {
        Request sent = fmpl.isend(out, right(), 0);
        long got = fmpl.recv(in, left(), 0);
        sent.await();
        if (got != bytes) {
            throw new AssertionError("expected " + bytes + " bytes, got " + got);
        }
    }

    private void passHeap(byte[] mine, byte[] theirs) {
        try (HeapSpan out = job.allocate(mine.length + 8L);
                HeapSpan in = job.allocate(theirs.length + 8L)) {
            out.buffer().put(mine);
            exchange(out.slice(0, mine.length), in.slice(0, theirs.length), theirs.length);
            in.buffer().get(theirs);
        }
    }

    private void passDirect(byte[] mine, byte[] theirs) {
        ByteBuffer out = ByteBuffer.allocateDirect(mine.length).put(mine).flip();
        ByteBuffer in = ByteBuffer.allocateDirect(theirs.length);
        exchange(Span.of(out), Span.of(in), theirs.length);
        in.get(theirs);
    }

    private void passDoubles(byte[] mine, byte[] theirs) {
        double[] out = new double[mine.length / Double.BYTES];
        double[] in = new double[theirs.length / Double.BYTES];
        ByteBuffer.wrap(mine).order(ByteOrder.nativeOrder()).asDoubleBuffer().get(out);
        exchange(Span.of(out), Span.of(in), theirs.length);
        ByteBuffer.wrap(theirs).order(ByteOrder.nativeOrder()).asDoubleBuffer().put(in);
    }

    private void sum() {
        double[] values = {1, job.rank()};
        fmpl.allreduce(Span.of(values), Reduction.DOUBLE_SUM);
        int size = job.size();
        if (values[0] != size || values[1] != size * (size - 1) / 2) {
            throw new AssertionError("allreduce gave " + Arrays.toString(values));
        }
    }

    /** Every page of it, sent into as large a piece of the neighbour's. */
    private void fillHeap(int bytes) {
        if (bytes == 0) {
            return;
        }
        try (HeapSpan out = job.allocate(bytes); HeapSpan in = job.allocate(bytes)) {
            for (long at = 0; at + 8 <= bytes; at += 512) {
                out.putLong(at, at ^ job.rank());
            }
            exchange(out, in, bytes);
            for (long at = 0; at + 8 <= bytes; at += 512) {
                if (in.getLong(at) != (at ^ left())) {
                    throw new AssertionError("the heap's byte " + at + " came differently");
                }
            }
        }
    }
}
