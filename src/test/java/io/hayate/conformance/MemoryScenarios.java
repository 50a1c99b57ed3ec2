// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.BusyException;
import io.hayate.Fmpl;
import io.hayate.HeapSpan;
import io.hayate.MemoryExhaustedException;
import io.hayate.Request;
import io.hayate.SendBufferState;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Lifetime and size of memory. Needs a heap of 4 GiB, of which little is touched. */
final class MemoryScenarios {
    private static final long GIB = 1L << 30;

    /** Nobody but the runtime knows the buffers any more while their messages wait. */
    @Scenario(ranks = 2)
    static void should_keep_buffers_of_dropped_requests_alive(Rank rank) {
        int messages = 30;
        int size = 400_000;
        if (rank.me == 0) {
            for (int mai = 0; mai < messages; mai++) {
                rank.fmpl.isend(copyOf(rank, mai, size), 1, mai);
            }
            churn();
            rank.tell(1);
            rank.listen(1);
        } else if (rank.me == 1) {
            rank.listen(0);
            for (int mai = 0; mai < messages; mai++) {
                Memory in = BufferKind.DIRECT.of(rank, size).clear();
                rank.fmpl.recv(in.span(), 0, mai);
                in.verify(mai, size);
            }
            rank.tell(0);
        }
    }

    private static Span copyOf(Rank rank, int seed, int size) {
        BufferKind kind = seed % 2 == 0 ? BufferKind.DIRECT : BufferKind.LONGS;
        return kind.of(rank, size).fill(seed).span();
    }

    /** Frees what is unreachable and writes over its place. */
    private static void churn() {
        for (int i = 0; i < 5; i++) {
            System.gc();
            for (int j = 0; j < 40; j++) {
                ByteBuffer memory = Rank.direct(400_016);
                for (int at = 0; at < memory.limit(); at += 512) {
                    memory.put(at, (byte) -1);
                }
            }
        }
    }

    @Scenario(ranks = 2)
    static void should_pass_messages_while_the_collector_moves_arrays(Rank rank) throws Exception {
        Thread collector = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                System.gc();
                LockSupport.parkNanos(1_000_000);
            }
        });
        collector.start();
        try {
            for (int i = 0; i < 60; i++) {
                int size = new int[] {40, 4000, 150_000}[i % 3];
                try (Memory out = BufferKind.DOUBLES.of(rank, size).fill(i);
                        Memory in = BufferKind.INTS.of(rank, size).clear()) {
                    Request early = rank.fmpl.irecv(in.span(), rank.left(), 1);
                    rank.fmpl.send(out.span(), rank.right(), 1);
                    early.await();
                    in.verify(i, size);
                }
            }
        } finally {
            collector.interrupt();
            collector.join();
        }
    }

    @Scenario
    static void should_send_from_beyond_two_gigabytes(Rank rank) {
        try (HeapSpan large = rank.job.allocate(3 * GIB)) {
            equal(3 * GIB, large.bytes(), "length");
            long end = 3 * GIB - 100_000;
            large.putDouble(3 * GIB - 8, rank.me + 0.5);
            large.putLong(2 * GIB + 4, rank.me);
            Request sent = rank.fmpl.isend(large, end, 100_000, rank.right(), 1);
            equal(100_000, rank.fmpl.recv(large, 0, 100_000, rank.left(), 1), "length");
            sent.await();
            check(large.getDouble(99_992) == rank.left() + 0.5, "the last element");
            Span tail = large.slice(2 * GIB, 12);
            sent = rank.fmpl.isend(tail, 4, 8, rank.right(), 1);
            rank.fmpl.recv(large, 2 * GIB + 16, 8, rank.left(), 1);
            sent.await();
            equal(rank.left(), large.getLong(2 * GIB + 16), "beyond 2 GiB");
            equal(rank.left(), large.buffer(2 * GIB + 16, 8).getLong(0), "in a buffer");
        }
    }

    @Scenario
    static void should_say_when_the_heap_is_exhausted(Rank rank) {
        long before = rank.job.heapFree();
        try (HeapSpan most = rank.job.allocate(before - (64 << 20))) {
            MemoryExhaustedException thrown = expect(MemoryExhaustedException.class, "too much",
                    () -> rank.job.allocate(128 << 20));
            equal(-6, thrown.code(), "code");
            most.putByte(most.bytes() - 1, (byte) 1);
            rank.fmpl.barrier();
        }
        expect(MemoryExhaustedException.class, "all", () -> rank.job.allocate(Long.MAX_VALUE));
        rank.job.allocate(before - (64 << 20)).close();
        // more, if eager buffers went back on the way
        check(rank.job.heapFree() >= before, "free bytes");
    }

    /** Sixteen messages at once on one entry; three more that are not received yet. */
    @Scenario(ranks = 2)
    static void should_give_unused_eager_buffers_back(Rank rank) {
        int peer = 1 - rank.me;
        if (rank.me > 1) {
            return;
        }
        pass(rank, peer, 16);
        for (int seed = 0; seed < 3; seed++) {
            sendShort(rank, peer, seed);
        }
        meet(rank, peer); // what the peer sent acknowledges all that it received before
        long free = rank.job.heapFree();
        long given = rank.fmpl.trim();
        check(given >= 13 * 4096, given + " bytes given back");
        equal(free + given, rank.job.heapFree(), "free bytes");
        try (HeapSpan rest = rank.job.allocate(1 << 20)) {
            rest.buffer(0, 1 << 20).put(new byte[1 << 20]);
        }
        for (int seed = 0; seed < 3; seed++) {
            receiveShort(rank, peer, seed);
        }
        pass(rank, peer, 16);
    }

    private static void pass(Rank rank, int peer, int messages) {
        for (int seed = 0; seed < messages; seed++) {
            sendShort(rank, peer, seed);
        }
        meet(rank, peer);
        for (int seed = 0; seed < messages; seed++) {
            receiveShort(rank, peer, seed);
        }
    }

    private static void meet(Rank rank, int peer) {
        rank.tell(peer);
        rank.listen(peer);
    }

    private static void sendShort(Rank rank, int peer, int seed) {
        try (Memory out = BufferKind.DIRECT.of(rank, 3000).fill(seed)) {
            rank.fmpl.send(out.span(), peer, 9);
        }
    }

    private static void receiveShort(Rank rank, int peer, int seed) {
        try (Memory in = BufferKind.DIRECT.of(rank, 3000).clear()) {
            equal(3000, rank.fmpl.recv(in.span(), peer, 9), "length");
            in.verify(seed, 3000);
        }
    }

    @Scenario(ranks = 2)
    static void should_put_sends_aside_in_the_send_buffer(Rank rank) {
        if (rank.me == 0) {
            HeapSpan buffer = rank.job.allocate(1 << 20);
            rank.fmpl.setSendBuffer(buffer, Duration.ofMillis(5));
            for (int mai = 0; mai < 3; mai++) {
                Memory out = BufferKind.values()[mai + 1].of(rank, 200_000).fill(mai);
                rank.fmpl.send(out.span(), 1, mai);
                out.fill(99);
            }
            equal(3, rank.fmpl.checkSendBuffer().waiting(), "put aside");
            expect(BusyException.class, "taking it back",
                    () -> rank.fmpl.setSendBuffer(null, null));
            expect(BusyException.class, "closing it", buffer::close);
            rank.tell(1);
            int sent = 0;
            for (SendBufferState state; sent < 3; sent += state.sent()) {
                state = rank.fmpl.checkSendBuffer();
            }
            equal(3, sent, "sent");
            rank.fmpl.setSendBuffer(null, null);
            buffer.close();
        } else if (rank.me == 1) {
            rank.listen(0);
            for (int mai = 0; mai < 3; mai++) {
                Memory in = BufferKind.HEAP.of(rank, 200_000).clear();
                equal(200_000, rank.fmpl.recv(in.span(), 0, mai), "length");
                in.verify(mai, 200_000);
            }
        }
    }

    @Scenario
    static void should_open_on_areas_of_the_program(Rank rank) {
        int count = 3;
        HeapSpan match = rank.job.allocate((long) count * rank.size * Fmpl.MATCH_BYTES);
        HeapSpan flags = rank.job.allocate((long) count * rank.size * Fmpl.FLAG_BYTES);
        try (Fmpl fmpl = Fmpl.init(rank.job, match, flags, count)) {
            int[] in = new int[1];
            Request early = fmpl.irecv(Span.of(in), rank.left(), 2);
            fmpl.send(Span.of(new int[] {rank.me}), rank.right(), 2);
            early.await();
            equal(rank.left(), in[0], "message");
            expect(BusyException.class, "closing an area", match::close);
            fmpl.barrier();
        }
    }

    /** Without memory leaking away: a heap of 4 GiB would be full after some thousand. */
    @Scenario
    static void should_open_and_close_for_ever(Rank rank) {
        for (int i = 0; i < 150; i++) {
            try (Fmpl fmpl = Fmpl.init(rank.job, 2)) {
                Request sent = fmpl.isend(Span.of(new byte[5000]), rank.right(), 1);
                fmpl.recv(Span.of(new byte[5000]), rank.left(), 1);
                sent.await();
                fmpl.barrier();
            }
            if (i % 50 == 49) {
                System.gc();
            }
        }
    }

    @Scenario
    static void should_refuse_to_give_back_memory_in_use(Rank rank) {
        HeapSpan span = rank.job.allocate(1000);
        Request receive = rank.fmpl.irecv(span.slice(8, 100), rank.left(), 5);
        expect(BusyException.class, "closing it", span::close);
        span.putLong(0, 1); // still open
        check(receive.cancel(), "not cancelled");
        span.close();
        span.close();
    }
}
