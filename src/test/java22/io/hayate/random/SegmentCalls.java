// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Ompl;
import io.hayate.Pvas;
import io.hayate.PvasMemory;
import io.hayate.PvasSegments;
import io.hayate.PvasTask;
import io.hayate.PvasTasks;
import io.hayate.Request;
import io.hayate.Segments;
import io.hayate.Span;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Memory segments of every kind, alive and dead, of this thread and of others. An arena is closed
 * by the thread that has operations on it, as the documentation wants; what others try with its
 * segments has to be refused or to work.
 */
final class SegmentCalls extends CallTable {
    private static final int MAIS = 8;
    private static final int LONGEST = 20_000;

    /** One that exports memory, and serves all rounds. */
    private static PvasTask exporter;

    private final Hayate job = Hayate.initThreads(1).get(0);
    private final Fmpl fmpl = Fmpl.init(job, MAIS);
    private final Ompl ompl = Ompl.open(job, 1 << 20);
    private final HeapSpan heap = job.allocate(100_000);
    private final PvasMemory memory;
    /** Of the thread that makes this. */
    private final Span foreign = Segments.of(Arena.ofConfined().allocate(100));
    /** Of arenas that are closed. */
    private final ConcurrentLinkedQueue<Span> strange = new ConcurrentLinkedQueue<>();

    SegmentCalls(long seed) {
        synchronized (SegmentCalls.class) {
            if (exporter == null) {
                exporter = Pvas.create(1, 0).spawn(PvasTasks.java("values"));
            }
        }
        memory = exporter.memory("values");
        call("message", this::message);
        call("global space", this::space);
        call("array", this::array);
        call("strange", this::strange);
        call("misuse", this::misuse);
        call("task", this::task);
        call("heap as a segment", this::heapAsSegment);
    }

    private static Arena arena(Chance chance) {
        return chance.oneIn(2) ? Arena.ofConfined() : Arena.ofShared();
    }

    private static byte pattern(Chance chance) {
        return (byte) (1 + chance.below(100));
    }

    private static void check(MemorySegment segment, byte pattern) {
        byte[] bytes = new byte[(int) segment.byteSize()];
        MemorySegment.ofArray(bytes).copyFrom(segment);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != pattern) {
                throw new AssertionError("byte " + i + " of " + segment + " is " + bytes[i]);
            }
        }
    }

    /** To oneself, on the thread's own mai, out of an arena and into one. */
    private void message(Chance chance) {
        Span dead;
        try (Arena arena = arena(chance)) {
            long bytes = chance.below(LONGEST);
            byte pattern = pattern(chance);
            MemorySegment out = arena.allocate(bytes + 8).asSlice(8).fill(pattern);
            MemorySegment in = arena.allocate(bytes);
            Span from = chance.oneIn(2) ? Segments.of(out.asReadOnly())
                    : Span.of(out.asByteBuffer());
            Request received = fmpl.irecv(Segments.of(in), 0, chance.thread);
            fmpl.send(from, 0, chance.thread);
            received.await();
            check(in, pattern);
            dead = Segments.of(in).slice(0, bytes / 2);
        }
        strange.add(dead);
    }

    private void space(Chance chance) {
        try (Arena arena = arena(chance)) {
            int bytes = chance.below(LONGEST);
            long at = (long) chance.thread * LONGEST;
            byte pattern = pattern(chance);
            MemorySegment segment = arena.allocate(bytes).fill(pattern);
            ompl.put(Segments.of(segment), 0, at);
            segment.fill((byte) 0);
            ompl.get(Segments.of(segment), 0, at);
            check(segment, pattern);
            ompl.flush();
        }
    }

    /** Of arrays of every type. */
    private void array(Chance chance) {
        MemorySegment segment = switch (chance.below(7)) {
            case 0 -> MemorySegment.ofArray(new byte[100]);
            case 1 -> MemorySegment.ofArray(new short[50]);
            case 2 -> MemorySegment.ofArray(new char[50]);
            case 3 -> MemorySegment.ofArray(new int[25]);
            case 4 -> MemorySegment.ofArray(new long[20]);
            case 5 -> MemorySegment.ofArray(new float[25]);
            default -> MemorySegment.ofArray(new double[20]);
        };
        long from = chance.below(20);
        MemorySegment part = segment.asSlice(from, chance.below(80));
        byte pattern = pattern(chance);
        byte[] out = new byte[(int) part.byteSize()];
        java.util.Arrays.fill(out, pattern);
        Request received = fmpl.irecv(Segments.of(part), 0, chance.thread);
        fmpl.send(Span.of(out), 0, chance.thread);
        received.await();
        check(part, pattern);
        check(segment.asSlice(0, from), (byte) 0);
    }

    /** What others have left: its arena is closed, or theirs. */
    private void strange(Chance chance) {
        Span dead = strange.poll();
        Span span = dead == null ? foreign : dead;
        switch (chance.below(5)) {
            case 0 -> span.slice(0, chance.below(10));
            case 1 -> fmpl.isend(span, 0, MAIS - 1);
            case 2 -> fmpl.irecv(span, 0, MAIS - 1);
            case 3 -> ompl.put(span, 0, 0);
            default -> fmpl.bcast(span, 0);
        }
        throw new AssertionError("memory of an arena was used that is closed, or not ours");
    }

    private void misuse(Chance chance) {
        switch (chance.below(5)) {
            case 0 -> Segments.of(null);
            case 1 -> Segments.of(MemorySegment.NULL);
            case 2 -> Segments.of(MemorySegment.ofArray(new int[3]).asReadOnly());
            case 3 -> fmpl.irecv(Segments.of(MemorySegment.ofBuffer(
                    ByteBuffer.allocateDirect(8)).asReadOnly()), 0, MAIS - 1);
            default -> PvasSegments.of(null);
        }
    }

    private void task(Chance chance) {
        PvasMemory own = exporter.memory("values");
        MemorySegment segment = PvasSegments.of(chance.oneIn(2) ? own : memory);
        long index = chance.below(1000);
        ByteBuffer words = segment.asByteBuffer().order(ByteOrder.nativeOrder());
        long word = words.getLong((int) (8 * index));
        own.close();
        if (word != index * index + 1) {
            throw new AssertionError("word " + index + " is " + word);
        }
        if (chance.oneIn(100)) {
            memory.close();
        }
    }

    private void heapAsSegment(Chance chance) {
        int at = 10_000 * chance.thread;
        MemorySegment segment = MemorySegment.ofBuffer(heap.buffer(at, 1000));
        byte pattern = pattern(chance);
        segment.fill(pattern);
        MemorySegment in = MemorySegment.ofArray(new byte[1000]);
        Request received = fmpl.irecv(Segments.of(in), 0, chance.thread);
        fmpl.send(Segments.of(segment), 0, chance.thread);
        received.await();
        check(in, pattern);
    }

    /** Of segments, not of the library: one that died meanwhile. */
    @Override
    boolean permits(Throwable thrown) {
        return thrown instanceof IllegalStateException;
    }

    @Override
    void close() {
        memory.close();
        ompl.close();
        fmpl.close();
        heap.close();
        job.close();
    }
}
