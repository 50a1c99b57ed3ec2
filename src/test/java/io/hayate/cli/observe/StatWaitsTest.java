// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.ClosedException;
import io.hayate.Fmpl;
import io.hayate.Ompl;
import io.hayate.PairOfRanks;
import io.hayate.Span;
import io.hayate.cli.Command;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StatWaitsTest extends PairOfRanks {
    private static final String PID = String.valueOf(ProcessHandle.current().pid());

    /** The command's output, as soon as it contains the text. */
    private static String seen(String text, String... options) {
        String[] words = Stream.concat(Stream.of("stat", PID, "--waits"), Stream.of(options))
                .toArray(String[]::new);
        Command command;
        do {
            command = Command.here(words);
            assertEquals(0, command.code(), command.err());
        } while (!command.out().contains(text));
        return command.out();
    }

    /** Closes the job, so that the wait ends. */
    private void end(FutureTask<Void> task) {
        closeJobs();
        assertThrows(Exception.class, () -> task.get(120, TimeUnit.SECONDS));
    }

    private void receive(int rank, int peer, int bytes) {
        assertThrows(ClosedException.class, () ->
                fmpl[rank].recv(Span.of(new byte[bytes]), peer, 3));
        throw new IllegalStateException("over");
    }

    @Test
    void should_name_a_deadlock() {
        FutureTask<Void> zero = start(() -> receive(0, 1, 8000));
        FutureTask<Void> one = start(() -> receive(1, 0, 16));
        String text = seen("deadlock: rank 0 -> rank 1 -> rank 0\n");
        assertTrue(text.contains("rank 0, thread solver ("), text);
        assertTrue(text.contains(
                "): waits for rank 1, receive with mai 3, 8000 bytes, since "), text);
        assertTrue(text.contains(
                "; rank 1 waits for rank 0, receive with mai 3, 16 bytes\n"), text);
        String[] lines = seen("\"cycle\"", "--json").split("\n");
        assertEquals(3, lines.length);
        JsonObject wait = JsonParser.parseString(lines[0]).getAsJsonObject();
        assertEquals("receive", wait.get("operation").getAsString());
        assertEquals(1, wait.get("peer").getAsInt());
        assertEquals(3, wait.get("mai").getAsInt());
        assertEquals(8000, wait.get("bytes").getAsLong());
        assertTrue(wait.get("waits_s").getAsDouble() >= 0);
        JsonObject cycle = JsonParser.parseString(lines[2]).getAsJsonObject();
        assertTrue(cycle.get("deadlock").getAsBoolean());
        assertEquals("[0,1]", cycle.get("cycle").toString());
        end(zero);
        end(one);
    }

    /** The thread of the test has sent a message, and could send more of them. */
    @Test
    void should_doubt_a_deadlock_while_another_thread_goes_on() {
        fmpl[1].isend(Span.of(new byte[8]), 0, 9);
        FutureTask<Void> zero = start(() -> receive(0, 1, 8));
        FutureTask<Void> one = start(() -> receive(1, 0, 8));
        String text = seen("rank 0 -> rank 1 -> rank 0");
        assertTrue(text.contains("these ranks wait for each other: rank 0 -> rank 1 -> rank 0; "
                + "a deadlock unless another thread of theirs goes on"), text);
        assertFalse(text.contains("deadlock:"), text);
        end(zero);
        end(one);
    }

    @Test
    void should_tell_that_the_other_rank_computes() {
        FutureTask<Void> zero = start(() -> fmpl[0].barrier());
        String text = seen("waits for rank 1, barrier #");
        assertTrue(text.contains(" of the world communicator, since "), text);
        assertTrue(text.contains("; rank 1 waits for nothing\n"), text);
        assertTrue(text.contains("rank 1: waits for nothing: it computes"), text);
        assertFalse(text.contains("deadlock"), text);
        end(zero);
        assertFalse(Command.here("stat", PID, "--waits").out().contains("rank 0, thread"));
    }

    private static final Map<String, Consumer<Fmpl>> WAITS = Map.of(
            "waits for rank 1, receive with mai 6, 40 bytes, since",
            fmpl -> fmpl.irecv(Span.of(new byte[40]), 1, 6).await(),
            "waits for rank 1, a message with mai 7, since", fmpl -> fmpl.probe(1, 7),
            "waits for a message with mai 8 from any rank, since",
            fmpl -> fmpl.anySource(8).recv(Span.of(new byte[40])),
            "waits for a message with one of several mais from any rank, since",
            fmpl -> fmpl.anySource(8, 9).recv(Span.of(new byte[40])));

    static Set<String> waits() {
        return WAITS.keySet();
    }

    @ParameterizedTest
    @MethodSource("waits")
    void should_tell_every_kind_of_wait(String text) {
        FutureTask<Void> zero = start(() -> WAITS.get(text).accept(fmpl[0]));
        seen(text);
        end(zero);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void should_tell_virtual_threads() throws Exception {
        FutureTask<Long> zero = new FutureTask<>(() -> fmpl[0].recv(Span.of(new byte[24]), 1, 3));
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, zero);
        String text = seen("rank 0, virtual thread #");
        assertTrue(text.contains(": waits for rank 1, receive with mai 3, 24 bytes, since"), text);
        fmpl[1].send(Span.of(new byte[24]), 0, 3);
        assertEquals(24, zero.get(120, TimeUnit.SECONDS));
        assertFalse(Command.here("stat", PID, "--waits").out().contains("virtual"));
    }

    @Test
    void should_tell_a_wait_for_a_word_of_the_global_space() throws Exception {
        Ompl[] ompl = new Ompl[2];
        FutureTask<Void> other = start(() -> ompl[1] = Ompl.open(jobs.get(1), 4096));
        ompl[0] = Ompl.open(jobs.get(0), 4096);
        other.get(120, TimeUnit.SECONDS);
        CountDownLatch begun = new CountDownLatch(1);
        FutureTask<Void> zero = start(() -> {
            begun.countDown();
            ompl[0].waitUntil(1024, Ompl.Comparison.EQ, 7);
        });
        begun.await();
        seen("waits for the word at offset 1024 of the global space == 7, since");
        end(zero);
    }

    @Test
    void should_tell_a_rank_that_has_not_come_to_a_set_up() {
        FutureTask<Void> zero = start(() -> Fmpl.init(jobs.get(0)));
        String text = seen("collective set-up (an FMPL, a communicator, ...), since");
        assertTrue(text.contains("; rank 1 waits for nothing"), text);
        end(zero);
    }
}
