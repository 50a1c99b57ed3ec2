// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.ArgumentException;
import io.hayate.ClosedException;
import io.hayate.HayateException;
import io.hayate.Reduction;
import io.hayate.Request;
import io.hayate.Segments;
import io.hayate.Span;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** The implementation of {@link SegmentScenarios}. */
final class SegmentWork {
    static void carry(Rank rank) {
        try (Arena arena = Arena.ofShared()) {
            for (int size : MessageScenarios.SIZES) {
                int room = size / 8 * 8 + 24;
                for (MemorySegment memory : List.of(arena.allocate(room, 8),
                        MemorySegment.ofArray(new byte[room]),
                        MemorySegment.ofArray(new double[room / 8]),
                        MemorySegment.ofBuffer(ByteBuffer.allocateDirect(room)))) {
                    carry(rank, memory, size);
                }
            }
        }
    }

    private static void carry(Rank rank, MemorySegment memory, int size) {
        MemorySegment part = memory.asSlice(8, size);
        part.copyFrom(MemorySegment.ofArray(pattern(rank.me, size)));
        byte[] in = new byte[size];
        Request sent = rank.fmpl.isend(Segments.of(part), rank.right(), 1);
        equal(size, rank.fmpl.recv(Span.of(in), rank.left(), 1), "length");
        sent.await();
        check(java.util.Arrays.equals(pattern(rank.left(), size), in), size + " bytes sent");
        sent = rank.fmpl.isend(Span.of(pattern(rank.me + 7, size)), rank.right(), 1);
        equal(size, rank.fmpl.recv(Segments.of(part), rank.left(), 1), "length");
        sent.await();
        MemorySegment.ofArray(in).copyFrom(part);
        check(java.util.Arrays.equals(pattern(rank.left() + 7, size), in), size + " received");
    }

    private static byte[] pattern(int seed, int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (seed * 31 + i * 7 + (i >>> 8));
        }
        return bytes;
    }

    static void refuse(Rank rank) throws Exception {
        Arena arena = Arena.ofConfined();
        Span confined = Segments.of(arena.allocate(64));
        HayateException[] thrown = new HayateException[1];
        Thread other = new Thread(() -> {
            try {
                rank.fmpl.send(confined, rank.me, 0);
            } catch (HayateException expected) {
                thrown[0] = expected;
            }
        });
        other.start();
        other.join();
        check(thrown[0] instanceof ClosedException, "another thread's segment: " + thrown[0]);
        Span readOnly = Segments.of(arena.allocate(64).asReadOnly());
        expect(ArgumentException.class, "read-only", () -> rank.fmpl.recv(readOnly, rank.me, 0));
        expect(ArgumentException.class, "null", () -> Segments.of(null));
        arena.close();
        expect(ClosedException.class, "closed", () -> rank.fmpl.send(confined, rank.me, 0));
        expect(ClosedException.class, "slice of a closed one", () -> confined.slice(0, 1));
    }

    static void reduce(Rank rank) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(8 * 5000, 8);
            ByteBuffer view = memory.asByteBuffer().order(ByteOrder.nativeOrder());
            for (int i = 0; i < 5000; i++) {
                view.putDouble(8 * i, i + rank.me);
            }
            rank.fmpl.allreduce(Segments.of(memory), Reduction.DOUBLE_SUM);
            int sumOfRanks = rank.size * (rank.size - 1) / 2;
            for (int i = 0; i < 5000; i++) {
                check(view.getDouble(8 * i) == i * rank.size + sumOfRanks, "element " + i);
            }
        }
    }
}
