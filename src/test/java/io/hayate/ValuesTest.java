// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests messages and collectives of values, and that a codec that fails leaves nothing behind. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ValuesTest {
    private static final int PIECE = 1 << 18;

    /** Fails for strings that ask for it. */
    private static final Codec<String> FRAGILE = new Codec<>() {
        @Override
        public byte[] encode(String value) throws Exception {
            if (value.startsWith("cannot encode: an error")) {
                throw new SpeechlessError();
            }
            if (value.startsWith("cannot encode")) {
                throw new IllegalStateException(value);
            }
            return value.equals("null") ? null : Codec.strings().encode(value);
        }

        @Override
        public String decode(byte[] bytes) throws Exception {
            String value = Codec.strings().decode(bytes);
            if (value.startsWith("cannot decode: an error")) {
                throw new SpeechlessError();
            }
            if (value.startsWith("cannot decode")) {
                throw new IllegalStateException(value.substring(0, 13));
            }
            return value;
        }
    };

    /** Not even its description works. */
    private static final class SpeechlessError extends Error {
        private static final long serialVersionUID = 1L;

        @Override
        public String toString() {
            throw new AssertionError();
        }
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    @Test
    void should_carry_values_of_any_length_in_order() throws Exception {
        int[] lengths = {0, 1, 4087, Values.SHORT, 4089, 4096, PIECE, PIECE + 4087, PIECE + 4088,
            PIECE + 4089, 3 * PIECE + 5000, 7, 0};
        ThreadJob.run(2, (job, fmpl) -> {
            Values<byte[]> values = Values.of(fmpl, 3, Codec.bytes());
            for (int length : lengths) {
                if (job.rank() == 0) {
                    values.send(random(length), 1);
                } else {
                    assertArrayEquals(random(length), values.recv(0), "length " + length);
                }
            }
        });
    }

    @Test
    void should_not_wait_for_the_receiver_of_a_short_value() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            Values<String> values = Values.of(fmpl, 0, Codec.strings());
            values.send("x".repeat(Values.SHORT), 0);
            values.send("next", 0);
            assertEquals(Values.SHORT, values.recv(0).length());
            assertEquals("next", values.recv(0));
            assertEquals("values of rank 0 of 1 with mai 0", values.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void should_give_values_to_all_ranks_and_bring_them_together(int ranks) throws Exception {
        ThreadJob.run(ranks, (job, fmpl) -> {
            Values<String> values = Values.of(fmpl, 0, Codec.strings());
            List<String> expected = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                expected.add("x".repeat(rank * 3000) + rank);
            }
            String mine = expected.get(job.rank());
            for (int root = 0; root < ranks; root++) {
                String got = values.bcast(job.rank() == root ? mine : null, root);
                assertEquals(expected.get(root), got);
                List<String> all = values.gather(mine, root);
                assertEquals(job.rank() == root ? expected : List.of(), all);
            }
            List<String> all = values.allgather(mine);
            assertEquals(expected, all);
            assertSame(mine, all.get(job.rank()));
            assertThrows(UnsupportedOperationException.class, () -> all.add("one more"));
            String long1 = "y".repeat(2 * PIECE + 1);
            assertEquals(long1, values.bcast(job.rank() == 0 ? long1 : null, 0));
        });
    }

    @Test
    void should_receive_from_whoever_has_sent_and_serve_all_in_turns() throws Exception {
        int[] lengths = {0, Values.SHORT, Values.SHORT + 1, 2 * PIECE};
        ThreadJob.run(4, (job, fmpl) -> {
            Values<byte[]> values = Values.of(fmpl, 3, Codec.bytes());
            if (job.rank() != 0) {
                for (int length : lengths) {
                    values.send(random(length), 0);
                }
                return;
            }
            int[] count = new int[job.size()];
            for (int i = 0; i < 3 * lengths.length; i++) {
                Values.Received<byte[]> next = values.recvAny();
                assertArrayEquals(random(lengths[count[next.src()]++]), next.value());
            }
            assertArrayEquals(new int[] {0, 4, 4, 4}, count);
        });
    }

    @Test
    void should_not_let_a_rank_wait_for_values_of_another_one() throws Exception {
        ThreadJob.run(3, (job, fmpl) -> {
            Values<String> values = Values.of(fmpl, 0, Codec.strings());
            if (job.rank() != 0) {
                values.send("first of " + job.rank(), 0);
                values.send("second of " + job.rank(), 0);
            }
            fmpl.barrier();
            if (job.rank() == 0) {
                for (String expected : List.of("first of 1", "first of 2", "second of 1",
                        "second of 2")) {
                    assertEquals(expected, values.recvAny().value());
                }
            }
        });
    }

    @Test
    void should_tell_whose_value_could_not_be_decoded_and_who_receives() throws Exception {
        ThreadJob.run(2, (job, fmpl) -> {
            Values<String> values = Values.of(fmpl, 0, FRAGILE);
            if (job.rank() == 1) {
                values.send("cannot decode this", 0);
                fmpl.barrier();
                values.send("good", 0);
                return;
            }
            assertEquals(1, failed(values::recvAny).peer());
            List<Object> got = new CopyOnWriteArrayList<>();
            Runnable receive = () -> {
                try {
                    got.add(values.recvAny());
                } catch (BusyException e) {
                    got.add(e.reason());
                }
            };
            Thread[] both = {new Thread(receive), new Thread(receive)};
            both[0].start();
            both[1].start();
            while (got.isEmpty()) { // one of them is inside, so the other one cannot be
                Thread.onSpinWait();
            }
            fmpl.barrier();
            both[0].join();
            both[1].join();
            assertEquals(List.of("another thread receives from any rank with mai 0",
                    new Values.Received<>(1, "good")), got);
        });
    }

    private static CallbackException failed(Executable call) {
        return assertThrows(CallbackException.class, call);
    }

    @Test
    void should_go_on_with_the_next_value_after_a_failed_decode() throws Exception {
        ThreadJob.run(2, (job, fmpl) -> {
            Values<String> values = Values.of(fmpl, 0, FRAGILE);
            if (job.rank() == 0) {
                values.send("cannot decode this", 1);
                values.send("cannot decode" + "!".repeat(2 * PIECE), 1);
                values.send("good", 1);
            } else {
                CallbackException first = failed(() -> values.recv(0));
                assertEquals("cannot decode", first.getCause().getMessage());
                assertEquals(0, first.peer());
                failed(() -> values.recv(0));
                assertEquals("good", values.recv(0));
            }
        });
    }

    @Test
    void should_send_nothing_that_cannot_be_encoded() throws Exception {
        ThreadJob.run(2, (job, fmpl) -> {
            Values<String> values = Values.of(fmpl, 0, FRAGILE);
            if (job.rank() == 0) {
                assertEquals("cannot encode 1",
                        failed(() -> values.send("cannot encode 1", 1)).getCause().getMessage());
                failed(() -> values.send("null", 1));
                values.send("good", 1);
            } else {
                assertEquals("good", values.recv(0));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"cannot encode", "cannot encode: an error"})
    void should_tell_all_ranks_of_a_collective_that_a_codec_failed(String text) throws Exception {
        ThreadJob.run(3, (job, fmpl) -> {
            Values<String> values = Values.of(fmpl, 0, FRAGILE);
            boolean bad = job.rank() == 1;
            String mine = bad ? text : "good " + job.rank();
            CallbackException cast = failed(() -> values.bcast(bad ? mine : null, 1));
            CallbackException all = failed(() -> values.allgather(mine));
            for (CallbackException each : List.of(cast, all)) {
                assertEquals(1, each.peer());
                assertEquals(bad, each.getCause() != null);
                String says = bad ? "the codec cannot encode" : "rank 1 could not encode";
                assertTrue(each.getMessage().contains(says), each.getMessage());
            }
            if (job.rank() == 2) {
                assertEquals(List.of(), values.gather(mine, 0));
            } else {
                assertEquals(1, failed(() -> values.gather(mine, 0)).peer());
            }
            failed(() -> values.allgather("cannot decode " + job.rank()));
            failed(() -> values.allgather("cannot decode: an error"));
            assertEquals(List.of("0", "1", "2"), values.allgather("" + job.rank()));
            assertEquals(job.rank() == 2 ? 3 : 0, values.gather("x", 2).size());
        });
    }

    /** No JVM has so long an array, whatever its heap. */
    @Test
    void should_receive_a_value_as_a_whole_when_there_is_no_memory_for_it() {
        Pieces value = new Pieces(null, byte[]::new);
        value.begin(Integer.MAX_VALUE, ByteBuffer.allocate(Values.SHORT));
        long moved = Values.SHORT;
        int pieces = 0;
        for (; !value.isComplete(); pieces++) {
            int bytes = (int) value.next().bytes();
            moved += bytes;
            value.pass(bytes);
        }
        assertThrows(OutOfMemoryError.class, value::value);
        assertEquals(Integer.MAX_VALUE, moved);
        assertEquals((1L << 31) / PIECE, pieces);
    }

    private static byte[] scarce(int bytes) {
        if (bytes > 5000) {
            throw new OutOfMemoryError("of this test");
        }
        return new byte[bytes];
    }

    /** They would wait for it if it left the broadcast. */
    @Test
    void should_give_values_to_the_others_if_a_rank_has_no_memory_for_a_piece() throws Exception {
        int[] lengths = {100, Values.SHORT, 5001, 2 * PIECE + 7};
        ThreadJob.run(3, (job, fmpl) -> {
            Values<byte[]> values = Values.of(fmpl, 0, Codec.bytes());
            boolean poor = job.rank() == 1;
            if (poor) {
                values.allocator = ValuesTest::scarce;
            }
            for (int length : lengths) {
                Executable bcast = () -> assertArrayEquals(random(length),
                        values.bcast(job.rank() == 0 ? random(length) : null, 0));
                Executable all = () -> {
                    for (byte[] each : values.allgather(random(length))) {
                        assertArrayEquals(random(length), each);
                    }
                };
                for (Executable call : List.of(bcast, all)) {
                    if (poor && length > 5000) {
                        assertThrows(OutOfMemoryError.class, call);
                    } else {
                        assertDoesNotThrow(call);
                    }
                }
            }
            values.allocator = byte[]::new;
            assertEquals(3, values.allgather(random(PIECE)).size());
        });
    }

    @Test
    void should_send_the_rest_of_a_value_before_the_next_one() throws Exception {
        ThreadJob.run(2, (job, fmpl) -> {
            Values<byte[]> values = Values.of(fmpl, 3, Codec.bytes());
            byte[] big = random(Values.SHORT + 3 * PIECE);
            if (job.rank() == 0) {
                fmpl.timeout(Duration.ofMillis(20));
                TimedOutException over =
                        assertThrows(TimedOutException.class, () -> values.send(big, 1));
                assertTrue(over.reason().contains("the value for rank 1 with mai 3 is on its"
                        + " way"), over.reason());
                assertThrows(TimedOutException.class, () -> values.flush(1));
                assertThrows(BusyException.class, () -> values.send(random(9), 1));
                fmpl.timeout(Ompl.FOREVER);
                fmpl.barrier();
                values.send(random(10), 1); // the one of 9 bytes was refused as a whole
            } else {
                fmpl.barrier();
                assertArrayEquals(big, values.recv(0));
                assertArrayEquals(random(10), values.recv(0));
            }
        });
    }

    @Test
    void should_refuse_what_is_not_a_value() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job, 2)) {
            Values<int[]> values = Values.of(fmpl, 1, Codec.ints());
            int[][] strange = {{}, {1}, {0x48795631, 4}, {0x48795631, -2}, {1, 4, 7},
                {0x48795631, 8, 7}, {0x48795631, -1, 7}};
            for (int[] message : strange) {
                fmpl.send(Span.of(message), 0, 1);
                assertThrows(MismatchException.class, () -> values.recv(0));
            }
            values.send(new int[] {5}, 0);
            assertArrayEquals(new int[] {5}, values.recv(0));
        }
    }

    @Test
    void should_refuse_null_and_ranks_and_entries_that_do_not_exist() {
        Hayate job = Hayate.init();
        Fmpl fmpl = Fmpl.init(job, 2);
        Values<String> values = Values.of(fmpl, 1, Codec.strings());
        List<Executable> calls = List.of(
                () -> Values.of(null, 0, Codec.strings()), () -> Values.of(fmpl, 0, null),
                () -> Values.of(fmpl, 2, Codec.strings()), () -> Values.of(fmpl, -1, Codec.ints()),
                () -> values.send(null, 0), () -> values.send("x", 1), () -> values.send("x", -1),
                () -> values.recv(1), () -> values.bcast("x", 1), () -> values.bcast(null, 0),
                () -> values.gather("x", 1), () -> values.gather(null, 0),
                () -> values.allgather(null));
        for (Executable call : calls) {
            assertThrows(ArgumentException.class, call);
        }
        values.send("x", 0);
        assertEquals("x", values.recv(0));
        job.close();
        assertThrows(ClosedException.class, () -> values.send("x", 0));
        assertThrows(ClosedException.class, () -> values.allgather("x"));
    }

    @Test
    void should_let_one_thread_at_a_time_receive_from_a_rank() throws Exception {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            Values<String> values = Values.of(fmpl, 0, Codec.strings());
            List<Object> got = new CopyOnWriteArrayList<>();
            Runnable receive = () -> {
                try {
                    got.add(values.recv(0));
                } catch (BusyException e) {
                    got.add(e);
                }
            };
            Thread[] both = {new Thread(receive), new Thread(receive)};
            both[0].start();
            both[1].start();
            while (got.isEmpty()) { // one of them is inside, so the other one cannot be
                Thread.onSpinWait();
            }
            assertEquals("another thread receives from rank 0 with mai 0",
                    ((BusyException) got.get(0)).reason());
            values.send("value", 0);
            both[0].join();
            both[1].join();
            assertEquals("value", got.get(1));
        }
    }
}
