// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;
import static io.hayate.conformance.Rank.expect;

import io.hayate.BusyException;
import io.hayate.Request;
import io.hayate.Span;
import java.util.BitSet;

/** Non-blocking operations. */
final class RequestScenarios {
    @Scenario(ranks = 2)
    static void should_meet_receives_that_are_posted_early_or_late(Rank rank) {
        for (BufferKind kind : BufferKind.values()) {
            for (int size : MessageScenarios.SIZES) {
                meet(rank, kind, size, true);
                meet(rank, kind, size, false);
            }
        }
    }

    private static void meet(Rank rank, BufferKind kind, int size, boolean early) {
        if (rank.me == 0) {
            try (Memory out = kind.of(rank, size).fill(size)) {
                if (early) {
                    rank.listen(1);
                }
                Request sent = rank.fmpl.isend(out.span(), 1, 4);
                if (!early) {
                    rank.tell(1);
                }
                sent.await();
            }
        } else if (rank.me == 1) {
            try (Memory in = kind.of(rank, size).clear()) {
                if (!early) {
                    rank.listen(0);
                }
                Request received = rank.fmpl.irecv(in.span(), 0, 4);
                if (early) {
                    rank.tell(0);
                }
                String what = kind + ", " + size + (early ? ", early" : ", late");
                equal(size, received.await(), what);
                equal(size, received.received(), what);
                in.verify(size, size);
            }
        }
    }

    @Scenario(ranks = 2)
    static void should_wait_for_all_requests(Rank rank) {
        int count = 20;
        Request[] requests = new Request[2 * count];
        double[][] in = new double[count][500 * 40];
        double[][] out = new double[count][500 * 40];
        for (int i = 0; i < count; i++) {
            java.util.Arrays.fill(out[i], rank.me * 100 + i);
            requests[i] = rank.fmpl.irecv(Span.of(in[i], 0, 500L * (i + 1)), rank.left(), i);
            requests[count + i] =
                    rank.fmpl.isend(Span.of(out[i], 0, 500L * (i + 1)), rank.right(), i);
        }
        rank.fmpl.waitAll(requests);
        for (int i = 0; i < count; i++) {
            equal(4000L * (i + 1), requests[i].received(), "length of message " + i);
            check(in[i][500 * (i + 1) - 1] == rank.left() * 100 + i, "data of message " + i);
        }
    }

    @Scenario(ranks = 2)
    static void should_wait_for_whichever_request_is_first(Rank rank) {
        int count = 8;
        if (rank.me == 0) {
            for (int i = 0; i < count; i++) {
                rank.listen(1);
                int mai = i * 5 % count;
                rank.fmpl.send(Span.of(new long[mai == 3 ? 4000 : 1]), 1, mai);
            }
        } else if (rank.me == 1) {
            Request[] requests = new Request[count];
            for (int mai = 0; mai < count; mai++) {
                requests[mai] = rank.fmpl.irecv(Span.of(new long[4000]), 0, mai);
            }
            BitSet seen = new BitSet();
            for (int i = 0; i < count; i++) {
                rank.tell(0);
                int index = rank.fmpl.waitAny(requests);
                equal(i * 5 % count, index, "the one that was sent");
                equal(index == 3 ? 32_000 : 8, requests[index].received(), "length");
                seen.set(index);
            }
            equal(count, seen.cardinality(), "requests that came");
            equal(-1, rank.fmpl.waitAny(requests), "with none left");
        }
    }

    @Scenario(ranks = 2)
    static void should_test_without_blocking(Rank rank) {
        if (rank.me == 0) {
            rank.listen(1);
            rank.fmpl.send(Span.of(new byte[100_000]), 1, 1);
        } else if (rank.me == 1) {
            Request request = rank.fmpl.irecv(Span.of(new byte[100_000]), 0, 1);
            for (int i = 0; i < 100; i++) {
                check(!request.test(), "complete before anything was sent");
            }
            rank.tell(0);
            while (!request.test()) {
                Thread.yield();
            }
            equal(100_000, request.received(), "length");
            check(request.test(), "complete once is complete for ever");
        }
    }

    @Scenario(ranks = 2)
    static void should_give_the_message_of_a_cancelled_receive_to_the_next(Rank rank) {
        for (int size : new int[] {8, 4096, 500_000}) {
            if (rank.me == 0) {
                rank.listen(1);
                rank.fmpl.send(BufferKind.DIRECT.of(rank, size).fill(5).span(), 1, 1);
            } else if (rank.me == 1) {
                Memory first = BufferKind.DIRECT.of(rank, size).clear();
                Memory second = BufferKind.DIRECT.of(rank, size).clear();
                check(rank.fmpl.irecv(first.span(), 0, 1).cancel(), "not cancelled");
                rank.tell(0);
                equal(size, rank.fmpl.recv(second.span(), 0, 1), "length");
                first.verify(0, 0);
                second.verify(5, size);
            }
        }
    }

    /** Whatever way the race goes, the message arrives once. */
    @Scenario(ranks = 2)
    static void should_not_lose_a_message_when_cancel_meets_it(Rank rank) {
        for (int i = 0; i < 400; i++) {
            int size = new int[] {8, 3000, 20_000, 300_000}[i % 4];
            if (rank.me == 0) {
                rank.listen(1);
                rank.fmpl.send(BufferKind.DIRECT.of(rank, size).fill(i).span(), 1, 1);
            } else if (rank.me == 1) {
                Memory in = BufferKind.DIRECT.of(rank, size).clear();
                Request request = rank.fmpl.irecv(in.span(), 0, 1);
                rank.tell(0);
                Rank.direct(1 + i * 37 % 5000);
                if (request.cancel()) {
                    in.verify(0, 0);
                    equal(size, rank.fmpl.recv(in.span(), 0, 1), "length after cancel");
                } else {
                    equal(size, request.await(), "length, too late to cancel");
                }
                in.verify(i, size);
            }
        }
    }

    /** The way to receive from any source: one receive per source, the rest is cancelled. */
    @Scenario(ranks = 2)
    static void should_receive_from_any_source_by_cancelling(Rank rank) {
        for (int sender = 1; sender < rank.size; sender++) {
            if (rank.me == sender) {
                rank.listen(0);
                rank.fmpl.send(Span.of(new int[] {sender}), 0, 1);
            } else if (rank.me == 0) {
                int[][] in = new int[rank.size - 1][1];
                Request[] requests = new Request[rank.size - 1];
                for (int i = 0; i < requests.length; i++) {
                    requests[i] = rank.fmpl.irecv(Span.of(in[i]), i + 1, 1);
                }
                rank.tell(sender);
                equal(sender - 1, rank.fmpl.waitAny(requests), "who sent");
                equal(sender, in[sender - 1][0], "what was sent");
                for (int i = 0; i < requests.length; i++) {
                    check(i == sender - 1 || requests[i].cancel(), i + " not cancelled");
                }
            }
        }
    }

    @Scenario(ranks = 2)
    static void should_refuse_a_mai_that_is_in_use(Rank rank) {
        int size = 200_000;
        if (rank.me == 0) {
            Memory out = BufferKind.DIRECT.of(rank, size).fill(1);
            Memory other = BufferKind.DIRECT.of(rank, size).fill(2);
            Request first = rank.fmpl.isend(out.span(), 1, 1);
            BusyException thrown = expect(BusyException.class, "second isend",
                    () -> rank.fmpl.isend(other.span(), 1, 1));
            equal(-3, thrown.code(), "code");
            expect(BusyException.class, "send", () -> rank.fmpl.send(other.span(), 1, 1));
            rank.tell(1);
            first.await();
            rank.fmpl.send(other.span(), 1, 1);
        } else if (rank.me == 1) {
            rank.listen(0);
            Memory in = BufferKind.HEAP.of(rank, size).clear();
            Memory other = BufferKind.HEAP.of(rank, size).clear();
            equal(size, rank.fmpl.recv(in.span(), 0, 1), "first");
            in.verify(1, size);
            rank.fmpl.recv(in.span(), 0, 1);
            in.verify(2, size);
            Request free = rank.fmpl.irecv(other.span(), 0, 2);
            expect(BusyException.class, "second irecv", () -> rank.fmpl.irecv(in.span(), 0, 2));
            expect(BusyException.class, "recv", () -> rank.fmpl.recv(in.span(), 0, 2));
            check(free.cancel(), "not cancelled");
        }
    }
}
