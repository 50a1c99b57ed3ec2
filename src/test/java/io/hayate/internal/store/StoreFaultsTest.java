// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.Hayate;
import io.hayate.LaunchException;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What strangers, other programs and dying ranks do to a store, and what they cannot do. */
class StoreFaultsTest {
    private final StoreJob job = newJob();
    private final List<AutoCloseable> open = new ArrayList<>();

    private static StoreJob newJob() {
        try {
            return new StoreJob(3);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void load() {
        Hayate.version();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    /** Connects as soon as the store listens. */
    private RawRank connect() throws Exception {
        for (;;) {
            try {
                RawRank rank = new RawRank(job.address());
                open.add(rank);
                return rank;
            } catch (ConnectException notYet) {
                Thread.sleep(5);
            }
        }
    }

    private RawRank hello(int rank) throws Exception {
        return connect().greet(StoreJob.SECRET).hello(Hayate.version(), "", rank, job.size);
    }

    private void assertJoins(StoreJob.Rank... ranks) throws Exception {
        for (StoreJob.Rank rank : ranks) {
            assertEquals(job.expected(), rank.await());
        }
    }

    private static void assertTold(StoreJob.Rank rank, String... parts) {
        Exception failure = rank.failure();
        assertEquals(LaunchException.class, failure.getClass(), () -> "" + failure);
        for (String part : parts) {
            assertTrue(failure.getMessage().contains(part), failure::getMessage);
        }
    }

    @Test
    void should_serve_its_ranks_beside_200_silent_strangers() throws Exception {
        StoreJob.Rank first = job.start(0);
        for (int i = 0; i < 200; i++) {
            connect();
        }
        assertJoins(job.start(1), job.start(2), first);
    }

    @Test
    void should_serve_its_ranks_beside_strangers_that_send_garbage() throws Exception {
        StoreJob.Rank first = job.start(0);
        Random random = new Random(35);
        for (int i = 0; i < 1_000; i++) {
            try (RawRank stranger = connect()) {
                byte[] garbage = new byte[random.nextInt(600)];
                random.nextBytes(garbage);
                if (random.nextBoolean()) {
                    stranger.write(Greeting.create(Greeting.RANK).encode().array());
                }
                if (random.nextBoolean()) {
                    stranger.write(garbage);
                } else {
                    stranger.out().write(garbage);
                }
            } catch (IOException dropped) {
                // that is what strangers are for
            }
        }
        assertJoins(job.start(1), job.start(2), first);
    }

    @Test
    void should_drop_a_stranger_that_sends_a_long_frame_or_no_greeting() throws Exception {
        StoreJob.Rank first = job.start(0);
        RawRank lengthy = connect();
        lengthy.out().write(ByteBuffer.allocate(4).putInt(251).array());
        assertThrows(IOException.class, lengthy::read);
        RawRank unsigned = connect();
        unsigned.out().write(new byte[] {-1, -1, -1, -1});
        assertThrows(IOException.class, unsigned::read);
        RawRank odd = connect();
        odd.write("GET / HTTP/1.1\r\nHost: hayate\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThrows(IOException.class, odd::read);
        assertJoins(job.start(1), job.start(2), first);
    }

    @Test
    void should_refuse_sealed_frames_of_all_lengths() throws Exception {
        StoreJob.Rank first = job.start(0);
        for (int length = 1; length <= 250; length += length < 40 ? 1 : 30) {
            RawRank stranger = connect().greet(StoreJob.SECRET);
            stranger.write(new byte[length]);
            assertEquals(Greeting.REFUSAL, Greeting.decode(stranger.read()).kind());
        }
        assertJoins(job.start(1), job.start(2), first);
    }

    @Test
    void should_drop_a_stranger_that_is_slow_after_10_seconds() throws Exception {
        StoreJob.Rank first = job.start(0);
        RawRank slow = connect();
        long start = System.nanoTime();
        slow.out().write(0);
        assertThrows(IOException.class, slow::read);
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        assertTrue(millis >= 9_000 && millis < 25_000, () -> millis + " ms");
        assertJoins(job.start(1), job.start(2), first);
    }

    /** Records what a rank sends, and sends it to the store of the next job. */
    @Test
    void should_not_be_fooled_by_frames_of_an_earlier_job() throws Exception {
        StoreJob.Rank first = job.start(0);
        connect();
        ByteArrayOutputStream recorded = new ByteArrayOutputStream();
        try (ServerSocket between = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Thread pump = new Thread(() -> forward(between, recorded));
            pump.start();
            StoreAccess access = new StoreAccess(new StoreAddress("127.0.0.1",
                    between.getLocalPort()), StoreJob.SECRET, "", Duration.ofSeconds(30));
            StoreJob.Rank victim = job.start(1, new StoreExchange(access, 1, job.size));
            assertJoins(job.start(2), victim, first);
            pump.join();
        }
        StoreJob.Rank next = job.start(0);
        RawRank replay = connect();
        replay.out().write(recorded.toByteArray());
        replay.read(); // the greeting of the store
        assertEquals(Greeting.REFUSAL, Greeting.decode(replay.read()).kind());
        assertJoins(job.start(1), job.start(2), next);
    }

    private void forward(ServerSocket between, OutputStream recorded) {
        try (Socket rank = between.accept();
                Socket store = new Socket(InetAddress.getLoopbackAddress(), job.port)) {
            Thread back = new Thread(() -> copy(store, rank, OutputStream.nullOutputStream()));
            back.start();
            copy(rank, store, recorded);
            back.join();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void copy(Socket from, Socket to, OutputStream recorded) {
        byte[] some = new byte[4096];
        try {
            for (int n = from.getInputStream().read(some); n > 0;
                    n = from.getInputStream().read(some)) {
                recorded.write(some, 0, n);
                to.getOutputStream().write(some, 0, n);
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // one side has closed
        }
    }

    @Test
    void should_end_the_job_if_a_frame_is_repeated_within_it() throws Exception {
        StoreJob.Rank first = job.start(0);
        RawRank rank = hello(1);
        byte[] sealed = rank.sealed(rank.giving(1, new byte[3]));
        rank.write(sealed);
        rank.write(sealed);
        assertTold(first, "rank 1", "sent what no rank sends", "not sealed");
    }

    @Test
    void should_end_the_job_whatever_a_rank_sends_against_the_rules() throws Exception {
        Random random = new Random(36);
        for (int i = 0; i < 100; i++) {
            StoreJob.Rank first = job.start(0);
            RawRank rank = hello(1);
            byte[] plain = new byte[random.nextInt(200)];
            random.nextBytes(plain);
            if (plain.length > 0 && random.nextBoolean()) {
                plain[0] = (byte) random.nextInt(6);
            }
            rank.send(plain);
            assertTold(first, "rank 1");
        }
    }

    @Test
    void should_end_the_job_if_a_rank_gives_twice_or_for_another_round() throws Exception {
        for (int second : new int[] {1, 2, 0, -1}) {
            StoreJob.Rank first = job.start(0);
            RawRank rank = hello(1);
            rank.send(rank.giving(1, new byte[3]));
            rank.send(rank.giving(second, new byte[3]));
            assertTold(first, "rank 1", "a record of round " + second + " in round 1");
        }
    }

    @Test
    void should_end_the_job_if_a_record_is_too_long() throws Exception {
        StoreJob.Rank first = job.start(0);
        RawRank rank = hello(1);
        rank.send(rank.giving(1, new byte[4097]));
        assertTold(first, "rank 1", "a field of 4097 bytes");
    }

    /** A connection that ends before the hello is nobody's. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void should_not_care_for_who_leaves_before_its_hello(int phase) throws Exception {
        StoreJob.Rank first = job.start(0);
        RawRank rank = connect();
        if (phase == 1) {
            rank.greet(StoreJob.SECRET);
        }
        rank.close();
        assertJoins(job.start(1), job.start(2), first);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void should_tell_all_that_a_rank_ended_while_they_joined(int phase) throws Exception {
        StoreJob.Rank first = job.start(0);
        RawRank dying = hello(1);
        RawRank witness = hello(2);
        witness.receive(Frame.WAIT);
        if (phase > 0) {
            dying.send(dying.giving(1, new byte[1]));
        }
        if (phase > 1) {
            witness.send(witness.giving(1, new byte[1]));
            dying.receive(Frame.ALL);
        }
        dying.close();
        String told = phase < 2 ? witness.failure() : null;
        assertTrue(told == null || told.contains("rank 1 (process 1 on host) ended"), told);
        assertTold(first, "rank 1 (process 1 on host) ended, or its connection was lost");
    }

    @Test
    void should_not_care_for_a_rank_that_ends_after_its_last_record() throws Exception {
        StoreJob.Rank first = job.start(0);
        RawRank dying = hello(1);
        RawRank witness = hello(2);
        for (int round = 1; round <= 2; round++) {
            dying.send(dying.giving(round, job.record(1, round)));
            witness.send(witness.giving(round, job.record(2, round)));
            witness.receive(Frame.ALL);
            witness.read();
        }
        dying.close();
        assertJoins(first);
    }

    @Test
    void should_tell_all_that_rank_0_ended() throws Exception {
        StoreExchange exchange = job.exchange(0);
        StoreJob.Rank second = job.start(1);
        RawRank witness;
        try (exchange) {
            Thread rank0 = new Thread(() -> assertThrows(InterruptedException.class,
                    () -> exchange.allgather(new byte[1])));
            rank0.start();
            witness = hello(2);
            witness.receive(Frame.WAIT);
            rank0.interrupt();
            rank0.join();
        }
        assertTrue(witness.failure().contains("rank 0"));
        assertTold(second, "rank 0");
    }

    /** SIGSTOP, or a network that swallows everything. */
    @Test
    void should_not_be_delayed_by_a_rank_that_does_not_read() throws Exception {
        StoreJob big = new StoreJob(300).records(4_000);
        List<StoreJob.Rank> ranks = big.start(0, 299);
        RawRank stopped = null;
        while (stopped == null) {
            try {
                stopped = new RawRank(big.address());
            } catch (ConnectException notYet) {
                Thread.sleep(5);
            }
        }
        open.add(stopped);
        stopped.greet(StoreJob.SECRET).hello(Hayate.version(), "", 299, 300);
        stopped.send(stopped.giving(1, big.record(299, 1)));
        stopped.receive(Frame.ALL); // but not what follows it: 1.2 MB
        stopped.send(stopped.giving(2, big.record(299, 2)));
        for (StoreJob.Rank rank : ranks) {
            assertEquals(big.expected(), rank.await());
        }
    }

    /** Answers the first connection, or all, with these bytes. */
    private ServerSocket otherProgram(byte[] answer) throws IOException {
        ServerSocket server = new ServerSocket(job.port, 8, InetAddress.getLoopbackAddress());
        open.add(server);
        Thread thread = new Thread(() -> {
            try {
                for (;;) {
                    Socket client = server.accept();
                    open.add(client);
                    new DataInputStream(client.getInputStream()).readFully(new byte[27]);
                    client.getOutputStream().write(answer);
                }
            } catch (IOException closed) {
                // the test is over
            }
        });
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    @Test
    void should_recognise_another_program_behind_the_port() throws Exception {
        ServerSocket other = otherProgram("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(
                StandardCharsets.US_ASCII));
        assertTold(job.start(1), "is no store of Hayate", "127.0.0.1:" + job.port);
        assertTold(job.start(0), "rank 0 cannot listen at 127.0.0.1:" + job.port, "in use");
        assertFalse(other.isClosed());
    }

    @Test
    void should_recognise_a_store_of_another_version() throws Exception {
        ByteBuffer frame = new Greeting(7, Greeting.STORE, new byte[16]).encode();
        otherProgram(ByteBuffer.allocate(27).putInt(23).put(frame).array());
        assertTold(job.start(1), "of another version of Hayate", "format 7");
    }

    @Test
    void should_say_that_the_program_behind_the_port_says_nothing() throws Exception {
        otherProgram(new byte[0]);
        assertTold(job.limit(1_000).start(1), "time limit of 1 s", "no store has answered");
    }

    @Test
    void should_say_that_the_program_behind_the_port_closes() throws Exception {
        ServerSocket server = new ServerSocket(job.port, 8, InetAddress.getLoopbackAddress());
        open.add(server);
        Thread thread = new Thread(() -> {
            try {
                for (;;) {
                    server.accept().close();
                }
            } catch (IOException closed) {
                // the test is over
            }
        });
        thread.setDaemon(true);
        thread.start();
        assertTold(job.limit(1_000).start(1), "time limit of 1 s", "has not reached the store");
    }

    @Test
    void should_not_believe_a_store_that_does_not_know_the_secret() throws Exception {
        byte[] answer = ByteBuffer.allocate(27 + 4 + 40).putInt(23)
                .put(new Greeting(1, Greeting.STORE, new byte[16]).encode()).putInt(40).array();
        otherProgram(answer);
        assertTold(job.start(1), "sent what no store sends", "not sealed with the secret");
    }

    @Test
    void should_say_that_rank_0_has_no_such_address() {
        StoreAccess access = new StoreAccess(StoreAddress.parse("192.0.2.1:1234"),
                StoreJob.SECRET, "", Duration.ofSeconds(30));
        assertTold(job.start(0, new StoreExchange(access, 0, 3)),
                "rank 0 cannot listen at 192.0.2.1:1234", "address of this host");
    }
}
