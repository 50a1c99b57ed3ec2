// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Receives from any source, by ranks that are threads, some of which leave. */
@Timeout(300)
class AnySourceTest {
    private static final int RANKS = 4;

    private final ExecutorService threads = Executors.newFixedThreadPool(RANKS);
    private List<Hayate> jobs;
    private final List<Fmpl> fmpls = new ArrayList<>();

    @BeforeEach
    void open() throws Exception {
        jobs = Hayate.initThreads(RANKS);
        List<Future<Fmpl>> opened = new ArrayList<>();
        for (Hayate job : jobs) {
            opened.add(threads.submit(() -> Fmpl.init(job)));
        }
        for (Future<Fmpl> each : opened) {
            fmpls.add(each.get());
        }
    }

    @AfterEach
    void close() {
        fmpls.forEach(Fmpl::close);
        jobs.forEach(Hayate::close);
        threads.shutdown();
    }

    private void send(int from, int value) {
        fmpls.get(from).send(Span.of(new byte[] {(byte) value}), 0, 1);
    }

    private void leave(int rank) {
        fmpls.get(rank).close();
        jobs.get(rank).close();
    }

    @Test
    void should_serve_sources_and_mais_in_turns() {
        int[] mais = {5, 1, 3};
        AnySource any = fmpls.get(0).anySource(mais);
        assertEquals(-1, any.poll(Span.of(new byte[1])));
        for (int round = 0; round < 2; round++) {
            for (int mai : mais) {
                for (int from = 1; from < RANKS; from++) {
                    byte[] message = {(byte) (10 * mai + from), (byte) round};
                    fmpls.get(from).send(Span.of(message), 0, mai);
                }
            }
        }
        byte[] in = new byte[2];
        for (int i = 0; i < 2 * mais.length * (RANKS - 1); i++) {
            int mai = mais[i / (RANKS - 1) % mais.length];
            int source = 1 + i % (RANKS - 1);
            if (i % 2 == 0) { // the next receive gets what was found
                assertEquals(source, any.await());
                assertEquals(mai, any.mai());
            }
            assertEquals(source, i % 3 == 0 ? any.poll(Span.of(in)) : any.recv(Span.of(in)));
            assertEquals(mai, any.mai());
            assertEquals(10 * mai + source, in[0]);
            assertEquals(i / (mais.length * (RANKS - 1)), in[1]);
        }
        assertEquals("no message with mai [5, 1, 3] has come from any rank",
                assertThrows(TimedOutException.class, () -> any.recv(Span.of(in), Duration.ZERO))
                        .reason().replaceFirst(".*is over: ", ""));
    }

    static Stream<Threads.Starter> starters() {
        return Runtime.version().feature() < 21 ? Stream.of(Threads::platform)
                : Stream.of(Threads::platform, Threads::virtual);
    }

    @ParameterizedTest
    @MethodSource("starters")
    void should_wake_for_a_message_of_any_of_its_mais(Threads.Starter starter) throws Exception {
        AnySource any = fmpls.get(0).anySource(2, 4, 6);
        byte[] in = new byte[1];
        for (int i = 0; i < 30; i++) {
            int mai = 2 + i % 3 * 2;
            int from = 1 + i % (RANKS - 1);
            FutureTask<Integer> source = new FutureTask<>(() -> any.recv(Span.of(in)));
            starter.start(source);
            fmpls.get(from).send(Span.of(new byte[1]), 0, mai);
            assertEquals(from, source.get());
            assertEquals(mai, any.mai());
        }
    }

    @Test
    void should_refuse_too_few_and_too_many_mais() {
        Fmpl fmpl = fmpls.get(0);
        assertThrows(ArgumentException.class, () -> fmpl.anySource());
        assertThrows(ArgumentException.class, () -> fmpl.anySource(new int[65]));
        assertThrows(ArgumentException.class, () -> fmpl.anySource((int[]) null));
        assertThrows(ArgumentException.class, () -> fmpl.anySource(1, 64));
    }

    @Test
    void should_await_sources_in_turns_whoever_receives() {
        AnySource any = fmpls.get(0).anySource(1);
        for (int from = 1; from < RANKS; from++) {
            send(from, from);
            send(from, from + 10);
        }
        for (int i = 0; i < 2 * (RANKS - 1); i++) {
            int source = any.await();
            assertEquals(1 + i % (RANKS - 1), source);
            byte[] message = fmpls.get(0).recvBytes(source, 1);
            assertEquals(source + i / (RANKS - 1) * 10, message[0]);
        }
        send(2, 2);
        send(3, 3);
        assertEquals(2, any.await());
        assertEquals(2, any.recv(Span.of(new byte[1])), "what await() has left comes first");
        assertEquals(3, any.poll(Span.of(new byte[1])));
        assertEquals(-1, any.poll(Span.of(new byte[1])));
    }

    @Test
    void should_go_on_while_one_source_is_left_and_fail_when_none_is() throws Exception {
        AnySource any = fmpls.get(0).anySource(1);
        byte[] in = new byte[1];
        send(2, 5);
        leave(1);
        leave(2);
        assertEquals(2, any.recv(Span.of(in)), "what was sent before still counts");
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<Integer> source = CompletableFuture.supplyAsync(() -> {
            waits.countDown();
            return any.recv(Span.of(in));
        }, threads);
        waits.await();
        send(3, 7);
        assertEquals(3, source.get());
        assertEquals(7, in[0]);
        leave(3);
        PeerFailedException thrown = assertThrows(PeerFailedException.class,
                () -> any.recv(Span.of(in)));
        assertTrue(thrown.peer() > 0, thrown.reason());
        assertThrows(PeerFailedException.class, () -> any.poll(Span.of(in)));
    }

    @Test
    void should_belong_to_one_thread_at_a_time() throws Exception {
        AnySource any = fmpls.get(0).anySource(1);
        CompletableFuture<Integer> source = CompletableFuture.supplyAsync(
                () -> recvOnceNobodyIsInside(any), threads);
        while (!isBusy(any)) {
            Thread.yield();
        }
        send(1, 1);
        assertEquals(1, source.get());
    }

    private static int recvOnceNobodyIsInside(AnySource any) {
        while (true) {
            try {
                return any.recv(Span.of(new byte[1]));
            } catch (BusyException inside) {
                Thread.yield();
            }
        }
    }

    private static boolean isBusy(AnySource any) {
        try {
            assertEquals(-1, any.poll(Span.of(new byte[1])));
            return false;
        } catch (BusyException inside) {
            return true;
        }
    }
}
