// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Ompl;
import io.hayate.Request;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory above 2 GiB, of which few pages are touched: around the edges of the buffers that make up
 * a span. Each thread has cells of its own there, of which one lies across each edge.
 */
final class LargeCalls extends CallTable {
    private static final long GIB = 1L << 30;
    private static final long SPAN = 2 * GIB + 4096;
    private static final int CELL = 64;

    private final Hayate job = Hayate.initThreads(1).get(0);
    private final Fmpl fmpl = Fmpl.init(job);
    private final HeapSpan span = job.allocate(SPAN);
    private final Ompl ompl = Ompl.open(job, SPAN);

    LargeCalls(long seed) {
        call("put and get", this::putAndGet);
        call("buffer", this::buffer);
        call("slice", this::slice);
        call("message", this::message);
        call("global space", this::space);
        call("word", this::word);
        call("misuse", this::misuse);
        call("misuse the space", this::misuseSpace);
        call("allocate", this::allocate);
    }

    /** Where a cell of the thread begins. */
    private static long cell(Chance chance) {
        return (1 + chance.below(2)) * GIB - 3 * CELL - CELL / 2 + (long) chance.thread * CELL;
    }

    private static void same(long expected, long actual, long at) {
        if (expected != actual) {
            throw new AssertionError("at " + at + ": " + actual + ", expected " + expected);
        }
    }

    private void putAndGet(Chance chance) {
        long at = cell(chance) + chance.below(CELL - 7);
        long value = chance.random.nextLong();
        switch (chance.below(5)) {
            case 0 -> {
                span.putLong(at, value);
                same(value, span.getLong(at), at);
            }
            case 1 -> {
                span.putInt(at, (int) value);
                same((int) value, span.getInt(at), at);
            }
            case 2 -> {
                span.putByte(at, (byte) value);
                same((byte) value, span.getByte(at), at);
            }
            case 3 -> {
                span.putFloat(at, (int) value & 0xffff);
                same((int) value & 0xffff, (long) span.getFloat(at), at);
            }
            default -> {
                span.putDouble(at, (int) value);
                same((int) value, (long) span.getDouble(at), at);
            }
        }
    }

    private void buffer(Chance chance) {
        long at = cell(chance);
        long value = chance.random.nextLong();
        span.putLong(at + 28, value);
        ByteBuffer whole = span.buffer(at, CELL);
        same(value, whole.getLong(28), at + 28);
        whole.putLong(29, ~value);
        same(~value, span.getLong(at + 29), at + 29);
    }

    private void slice(Chance chance) {
        long at = cell(chance);
        long value = chance.random.nextLong();
        span.putLong(at + 20, value);
        byte[] in = new byte[8];
        Span part = span.slice(at, CELL).slice(20, 8);
        Request received = fmpl.irecv(Span.of(in), 0, chance.thread);
        fmpl.send(part, 0, chance.thread);
        received.await();
        same(value, ByteBuffer.wrap(in).order(ByteOrder.nativeOrder()).getLong(), at + 20);
    }

    /** From a cell into another one of this thread. */
    private void message(Chance chance) {
        long from = GIB - 3 * CELL - CELL / 2 + (long) chance.thread * CELL;
        long to = from + GIB;
        long value = chance.random.nextLong();
        span.putLong(from + 28, value);
        Request received = fmpl.irecv(span, to, CELL, 0, chance.thread);
        fmpl.send(span, from, CELL, 0, chance.thread);
        same(CELL, received.await(), to);
        same(value, span.getLong(to + 28), to + 28);
    }

    private void space(Chance chance) {
        long at = cell(chance);
        byte[] out = new byte[CELL];
        chance.random.nextBytes(out);
        byte[] in = new byte[CELL];
        ompl.put(Span.of(out), 0, at);
        ompl.get(Span.of(in), 0, at);
        if (!java.util.Arrays.equals(out, in)) {
            throw new AssertionError("the cell at " + at + " of the global space");
        }
    }

    private void word(Chance chance) {
        long at = cell(chance) + 32;
        long value = chance.random.nextLong();
        ompl.swap(0, at, value);
        same(value, ompl.fetchAdd(0, at, 5), at);
        same(value + 5, ompl.load(at), at);
    }

    private void misuse(Chance chance) {
        switch (chance.below(6)) {
            case 0 -> span.getLong(chance.offset(SPAN));
            case 1 -> span.putLong(SPAN - chance.below(8), 1);
            case 2 -> span.buffer();
            case 3 -> span.buffer(chance.offset(SPAN), chance.index(4096));
            case 4 -> span.slice(chance.offset(SPAN), chance.offset(SPAN));
            default -> fmpl.send(span, chance.offset(SPAN), chance.below(100), 0,
                    chance.of(-1, 63, 64));
        }
    }

    private void misuseSpace(Chance chance) {
        Span some = Span.of(new byte[8]);
        switch (chance.below(4)) {
            case 0 -> ompl.get(some, chance.index(1), chance.offset(SPAN));
            case 1 -> ompl.put(some, chance.index(1), SPAN - chance.below(8));
            case 2 -> ompl.load(chance.offset(SPAN));
            default -> ompl.memory().close();
        }
    }

    private void allocate(Chance chance) {
        HeapSpan some = job.allocate(chance.oneIn(2) ? chance.below(100_000)
                : chance.offset(2 * SPAN));
        some.putByte(some.bytes() - 1, (byte) 1);
        some.close();
    }

    /** The messages to oneself that wait for a receive on this lane would fill its slots. */
    @Override
    void close() {
        ompl.close();
        fmpl.close();
        span.close();
        job.close();
    }
}
