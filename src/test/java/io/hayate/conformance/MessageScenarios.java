// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.Request;
import io.hayate.Span;
import io.hayate.TruncationException;
import java.nio.ByteBuffer;

/** Sending and receiving. */
final class MessageScenarios {
    /** Around every limit: line, eager, pipeline block, a buffer of blocks. */
    static final int[] SIZES = {0, 1, 8, 56, 57, 4096, 4097, 32760, 32768, 32776, 131080};

    @Scenario
    static void should_carry_every_size_between_every_kind_of_buffer(Rank rank) {
        for (BufferKind from : BufferKind.values()) {
            for (BufferKind to : BufferKind.values()) {
                for (int size : SIZES) {
                    if (rank.takesNextCase()) {
                        pass(rank, from, to, size);
                    }
                }
            }
        }
    }

    @Scenario
    static void should_carry_megabytes(Rank rank) {
        for (BufferKind kind : BufferKind.values()) {
            if (rank.takesNextCase()) {
                pass(rank, kind, BufferKind.HEAP, 1 << 20);
                pass(rank, BufferKind.DIRECT, kind, (1 << 20) + 3);
            }
        }
        pass(rank, BufferKind.HEAP, BufferKind.HEAP, 8 << 20);
        pass(rank, BufferKind.DIRECT, BufferKind.DIRECT, 8 << 20);
        pass(rank, BufferKind.DOUBLES, BufferKind.DOUBLES, 2 << 20);
    }

    /** Round the ring, all at once. */
    private static void pass(Rank rank, BufferKind from, BufferKind to, int size) {
        try (Memory out = from.of(rank, size).fill(rank.me + size);
                Memory in = to.of(rank, size).clear()) {
            Request sent = rank.fmpl.isend(out.span(), rank.right(), 3);
            equal(size, rank.fmpl.recv(in.span(), rank.left(), 3), from + " to " + to);
            sent.await();
            in.verify(rank.left() + size, size);
            out.verify(rank.me + size, size);
        } catch (AssertionError | RuntimeException wrong) {
            throw new AssertionError(size + " bytes, " + from + " to " + to, wrong);
        }
    }

    @Scenario(ranks = 2)
    static void should_keep_order_of_messages_of_one_mai(Rank rank) {
        int messages = 700;
        ByteBuffer memory = Rank.direct(40_000);
        Span span = Span.of(memory);
        for (int i = 0; i < messages && rank.me == 0; i++) {
            memory.putInt(0, i);
            rank.fmpl.send(span, 0, lengthOf(i), 1, 0);
        }
        for (int i = 0; i < messages && rank.me == 1; i++) {
            equal(lengthOf(i), rank.fmpl.recv(span, 0, 0), "length of message " + i);
            equal(i, memory.getInt(0), "number of the message");
        }
    }

    private static int lengthOf(int message) {
        int[] lengths = {4, 56, 57, 8, 4096, 4, 4, 9000, 4, 40_000, 64};
        return lengths[message % lengths.length];
    }

    @Scenario(ranks = 2)
    static void should_not_mix_messages_of_many_mais(Rank rank) {
        for (int mai = 0; mai < 60 && rank.me == 0; mai++) {
            rank.fmpl.send(Span.of(new int[] {mai * 7}), 1, mai);
        }
        for (int mai = 59; mai >= 0 && rank.me == 1; mai--) {
            int[] got = new int[1];
            rank.fmpl.recv(Span.of(got), 0, mai);
            equal(mai * 7, got[0], "message of mai " + mai);
        }
    }

    @Scenario(ranks = 2)
    static void should_exchange_long_messages_in_both_directions_at_once(Rank rank) {
        int bytes = 3_000_001;
        for (BufferKind kind : new BufferKind[] {BufferKind.HEAP, BufferKind.DIRECT,
            BufferKind.DOUBLES}) {
            try (Memory out = kind.of(rank, bytes).fill(rank.me);
                    Memory in = kind.of(rank, bytes).clear()) {
                Request early = rank.fmpl.irecv(in.span(), rank.left(), 5);
                rank.fmpl.send(out.span(), rank.right(), 5);
                equal(bytes, early.await(), "length");
                in.verify(rank.left(), bytes);
            }
        }
    }

    @Scenario(ranks = 2)
    static void should_pass_a_token_round_the_ring(Rank rank) {
        long[] token = {0};
        Span span = Span.of(token);
        for (int round = 0; round < 300; round++) {
            if (rank.me != 0) {
                rank.fmpl.recv(span, rank.left(), 1);
            }
            token[0]++;
            rank.fmpl.send(span, rank.right(), 1);
            if (rank.me == 0) {
                rank.fmpl.recv(span, rank.left(), 1);
                equal((round + 1L) * rank.size, token[0], "token");
            }
        }
    }

    @Scenario(ranks = 2)
    static void should_send_and_receive_ranges_of_a_span(Rank rank) {
        for (BufferKind kind : BufferKind.values()) {
            try (Memory out = kind.of(rank, 5000).fill(11);
                    Memory in = kind.of(rank, 5000).clear()) {
                if (rank.me == 0) {
                    rank.fmpl.send(out.span(), 0, 4100, 1, 2);
                    rank.fmpl.send(out.span(), 4100, 900, 1, 2);
                } else if (rank.me == 1) {
                    equal(4100, rank.fmpl.recv(in.span(), 0, 4200, 0, 2), kind + ", first part");
                    equal(900, rank.fmpl.recv(in.span(), 4100, 900, 0, 2), kind + ", the rest");
                    in.verify(11, 5000);
                }
            }
        }
    }

    @Scenario(ranks = 2)
    static void should_keep_a_message_that_is_too_long_for_its_receive(Rank rank) {
        for (BufferKind kind : BufferKind.values()) {
            for (int size : new int[] {1, 8, 56, 57, 4096, 4097, 100_000}) {
                truncate(rank, kind, size);
            }
        }
    }

    private static void truncate(Rank rank, BufferKind kind, int size) {
        if (rank.me == 0) {
            try (Memory out = kind.of(rank, size).fill(size)) {
                rank.fmpl.send(out.span(), 1, 9);
            }
        } else if (rank.me == 1) {
            try (Memory shorter = kind.of(rank, size - 1).clear();
                    Memory longer = kind.of(rank, size + 5).clear()) {
                String what = kind + ", " + size + " bytes";
                TruncationException thrown = expect(TruncationException.class, what,
                        () -> rank.fmpl.recv(shorter.span(), 0, 9));
                equal(0, thrown.peer(), what + ": peer");
                expect(TruncationException.class, what + ", again",
                        () -> rank.fmpl.irecv(shorter.span(), 0, 9).await());
                shorter.verify(0, 0);
                equal(size, rank.fmpl.recv(longer.span(), 0, 9), what);
                longer.verify(size, size);
            }
        }
    }

    /** The receive is posted first, so that the sender finds it too short. */
    @Scenario(ranks = 2)
    static void should_keep_a_message_whose_receive_is_already_there(Rank rank) {
        for (int size : new int[] {8, 57, 4097, 2_000_000}) {
            if (rank.me == 0) {
                rank.listen(1);
                try (Memory out = BufferKind.DIRECT.of(rank, size).fill(size)) {
                    rank.fmpl.send(out.span(), 1, 9);
                }
            } else if (rank.me == 1) {
                try (Memory shorter = BufferKind.DIRECT.of(rank, size - 1).clear();
                        Memory longer = BufferKind.HEAP.of(rank, size).clear()) {
                    Request early = rank.fmpl.irecv(shorter.span(), 0, 9);
                    rank.tell(0);
                    expect(TruncationException.class, size + " bytes", early::await);
                    shorter.verify(0, 0);
                    equal(size, rank.fmpl.recv(longer.span(), 0, 9), "length");
                    longer.verify(size, size);
                }
            }
        }
    }
}
