// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Send and receive in one call, the null partner, and messages by the rank of a communicator. */
class SendRecvTest extends OneRank {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Test
    void should_send_and_receive_at_the_same_time() {
        for (int bytes : new int[] {0, 8, 4097, 300_000}) {
            byte[] out = new byte[bytes];
            java.util.Arrays.fill(out, (byte) 3);
            byte[] in = new byte[bytes + 10];
            assertEquals(bytes, fmpl.sendrecv(Span.of(out), 0, 1, Span.of(in), 0, 1));
            assertArrayEquals(out, java.util.Arrays.copyOf(in, bytes));
        }
    }

    @Test
    void should_keep_the_message_that_a_send_receive_cannot_take() {
        Span small = Span.of(new byte[4]);
        TruncationException thrown = assertThrows(TruncationException.class,
                () -> fmpl.sendrecv(Span.of(new byte[9]), 0, 1, small, 0, 1));
        assertEquals(9, thrown.bytes());
        assertEquals(9, fmpl.recvBytes(0, 1).length);
    }

    @Test
    void should_change_nothing_if_an_argument_is_wrong() {
        Span some = Span.of(new byte[8]);
        fmpl.send(Span.of(new byte[] {5}), 0, 1);
        refused(() -> fmpl.sendrecv(some, 1, 1, some, 0, 1));
        refused(() -> fmpl.sendrecv(some, 0, 64, some, 0, 1));
        refused(() -> fmpl.sendrecv(null, 0, 1, some, 0, 1));
        refused(() -> fmpl.sendrecv(some, 1, 8, 0, 1, some, 0, 8, 0, 1));
        refused(() -> fmpl.sendrecv(some, 0, 1, some, 1, 1));
        assertArrayEquals(new byte[] {5}, fmpl.recvBytes(0, 1));
        assertFalse(fmpl.iprobe(0, 1).isPresent());
    }

    @Test
    void should_complete_messages_with_the_null_partner_at_once() {
        byte[] memory = {1, 2, 3};
        Span span = Span.of(memory);
        fmpl.send(span, Fmpl.NO_RANK, 0);
        assertEquals(0, fmpl.recv(span, Fmpl.NO_RANK, 0));
        assertEquals(0, fmpl.recv(span, Fmpl.NO_RANK, 0, LIMIT));
        assertEquals(0, fmpl.sendrecv(span, Fmpl.NO_RANK, 0, span, Fmpl.NO_RANK, 0));
        Request sent = fmpl.isend(span, Fmpl.NO_RANK, 0);
        Request received = fmpl.irecv(span, Fmpl.NO_RANK, 0);
        assertTrue(sent.test());
        assertFalse(received.cancel());
        assertEquals(0, received.await(LIMIT));
        assertEquals(0, received.received());
        fmpl.waitAll(sent, received);
        assertArrayEquals(new byte[] {1, 2, 3}, memory);
    }

    @Test
    void should_report_the_null_partner_once_to_a_wait_for_any() {
        Request real = fmpl.irecv(Span.of(new byte[8]), 0, 0);
        Request none = fmpl.irecv(Span.of(new byte[8]), Fmpl.NO_RANK, 0);
        assertEquals(1, fmpl.waitAny(real, none));
        fmpl.send(Span.of(new byte[8]), 0, 0);
        assertEquals(0, fmpl.waitAny(real, none));
        assertEquals(-1, fmpl.waitAny(real, none));
    }

    @Test
    void should_check_arguments_also_with_the_null_partner() {
        Span span = Span.of(new byte[8]);
        refused(() -> fmpl.send(null, Fmpl.NO_RANK, 0));
        refused(() -> fmpl.send(span, Fmpl.NO_RANK, 64));
        refused(() -> fmpl.irecv(span, 1, 8, Fmpl.NO_RANK, 0));
        refused(() -> fmpl.send(span, -1, 0));
        refused(() -> fmpl.probe(Fmpl.NO_RANK, 0));
        fmpl.close();
        assertThrows(ClosedException.class, () -> fmpl.send(span, Fmpl.NO_RANK, 0));
    }

    @Test
    void should_translate_ranks_of_a_communicator() {
        Communicator same = fmpl.create(true);
        assertEquals(0, same.jobRank(0));
        assertEquals(0, same.rankOf(0));
        assertEquals(0, fmpl.world().jobRank(0));
        refused(() -> same.jobRank(1));
        refused(() -> same.rankOf(1));
        refused(() -> same.jobRank(-1));
        Span in = Span.of(new byte[8]);
        assertEquals(8, same.sendrecv(Span.of(new byte[8]), 0, 0, in, 0, 0));
        assertEquals(0, same.recv(in, Fmpl.NO_RANK, 0));
        same.close();
        assertThrows(ClosedException.class, () -> same.send(in, 0, 0));
        Communicator nobody = fmpl.create(false);
        refused(() -> nobody.send(in, 0, 0));
        assertEquals(-1, nobody.rankOf(0));
    }
}
