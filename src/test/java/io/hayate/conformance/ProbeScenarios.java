// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;

import io.hayate.AnySource;
import io.hayate.Request;
import io.hayate.Span;
import io.hayate.TimedOutException;
import java.time.Duration;
import java.util.Arrays;

/** Messages of unknown length, from any source, and receives with a time limit. */
final class ProbeScenarios {
    @Scenario(ranks = 2)
    static void should_receive_messages_of_unknown_length(Rank rank) {
        for (int size : MessageScenarios.SIZES) {
            if (rank.me == 0) {
                rank.fmpl.send(Span.of(pattern(size)), 1, 2);
            } else if (rank.me == 1) {
                equal(size, rank.fmpl.probe(0, 2), "length");
                equal(size, rank.fmpl.iprobe(0, 2).getAsLong(), "length once more");
                check(Arrays.equals(pattern(size), rank.fmpl.recvBytes(0, 2)), size + " bytes");
            }
        }
    }

    private static byte[] pattern(int size) {
        byte[] pattern = new byte[size];
        for (int i = 0; i < size; i++) {
            pattern[i] = (byte) (i * 7 + size);
        }
        return pattern;
    }

    /** All send as fast as they can. */
    @Scenario(ranks = 2)
    static void should_receive_all_messages_of_all_sources_in_order(Rank rank) {
        int count = 40;
        if (rank.me != 0) {
            for (int i = 0; i < count; i++) {
                int size = i % 10 == 9 ? 50_000 : 8;
                Memory out = BufferKind.DIRECT.of(rank, size).fill(rank.me + i);
                rank.fmpl.send(out.span(), 0, 3);
            }
            return;
        }
        AnySource any = rank.fmpl.anySource(3);
        int[] seen = new int[rank.size];
        Memory in = BufferKind.DIRECT.of(rank, 50_000);
        for (int i = 0; i < count * (rank.size - 1); i++) {
            in.clear();
            int source = i % 3 == 0 ? any.recv(in.span(), Duration.ofSeconds(300))
                    : any.recv(in.span());
            int size = seen[source] % 10 == 9 ? 50_000 : 8;
            equal(size, any.received(), "length from rank " + source);
            in.verify(source + seen[source], size);
            seen[source]++;
        }
        for (int source = 1; source < rank.size; source++) {
            equal(count, seen[source], "messages of rank " + source);
        }
        equal(-1, any.poll(in.span()), "with none left");
    }

    /** A rank that always has a message does not keep others from being served. */
    @Scenario(ranks = 3)
    static void should_not_starve_a_source(Rank rank) {
        if (rank.me == 0) {
            AnySource any = rank.fmpl.anySource(3);
            for (int source = 1; source < rank.size; source++) {
                rank.listen(source); // their messages are there
            }
            boolean[] seen = new boolean[rank.size];
            for (int i = 1; i < rank.size; i++) {
                int source = any.recv(Span.of(new byte[8]));
                check(!seen[source], "rank " + source + " was served twice");
                seen[source] = true;
            }
            for (int i = 1; i < rank.size; i++) {
                any.recv(Span.of(new byte[8]));
            }
        } else {
            rank.fmpl.send(Span.of(new byte[8]), 0, 3);
            rank.fmpl.send(Span.of(new byte[8]), 0, 3);
            rank.tell(0);
        }
    }

    /** Whatever way the race goes, the message arrives once. */
    @Scenario(ranks = 2)
    static void should_not_lose_a_message_that_meets_a_time_limit(Rank rank) {
        for (int i = 0; i < 100; i++) {
            int size = new int[] {8, 3000, 20_000, 300_000}[i % 4];
            if (rank.me == 0) {
                rank.listen(1);
                Rank.direct(1 + i * 37 % 5000);
                rank.fmpl.send(BufferKind.DIRECT.of(rank, size).fill(i).span(), 1, 1);
            } else if (rank.me == 1) {
                Memory in = BufferKind.DIRECT.of(rank, size).clear();
                rank.tell(0);
                try {
                    Duration limit = Duration.ofNanos(i % 7 * 20_000L);
                    equal(size, rank.fmpl.recv(in.span(), 0, 1, limit), "length in time");
                } catch (TimedOutException late) {
                    in.verify(0, 0);
                    equal(size, rank.fmpl.recv(in.span(), 0, 1), "length after the limit");
                }
                in.verify(i, size);
            }
        }
    }

    @Scenario(ranks = 2)
    static void should_await_a_request_again_after_a_time_limit(Rank rank) {
        int size = 300_000;
        Memory in = BufferKind.HEAP.of(rank, size).clear();
        Request received = rank.fmpl.irecv(in.span(), rank.left(), 1);
        Rank.expect(TimedOutException.class, "nothing was sent",
                () -> received.await(Duration.ofMillis(1)));
        rank.fmpl.barrier();
        Memory out = BufferKind.HEAP.of(rank, size).fill(rank.me);
        Request sent = rank.fmpl.isend(out.span(), rank.right(), 1);
        equal(size, received.await(Duration.ofSeconds(300)), "length");
        sent.await(Duration.ofSeconds(300));
        in.verify(rank.left(), size);
    }
}
