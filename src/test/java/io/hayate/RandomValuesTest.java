// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.Level;
import io.hayate.conformance.Threads;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Values between ranks whose calls limits and interrupts end by chance, against a model: of each
 * sender, the values arrive as they were sent, in their order, and none is lost. What a limit hits
 * depends on the scheduler, so a seed repeats the calls, but not the places where they end.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RandomValuesTest {
    private static final int VALUES = 40; // from each rank to each rank
    private static final int BAD = 7; // of so many values one cannot be decoded
    private static final int PIECE = 1 << 18;
    private static final int MAI = 3;
    private static final int[] LENGTHS = {0, 1, Values.SHORT - 1, Values.SHORT, Values.SHORT + 1,
        Values.SHORT + PIECE - 1, Values.SHORT + PIECE, Values.SHORT + PIECE + 1,
        Values.SHORT + 3 * PIECE};

    /** A value: from whom to whom, and its number. */
    private record Parcel(int src, int dst, int number) {
        byte[] bytes() {
            Random random = new Random(Arrays.hashCode(new int[] {src, dst, number}));
            byte[] bytes = new byte[12 + LENGTHS[random.nextInt(LENGTHS.length)]];
            random.nextBytes(bytes);
            ByteBuffer.wrap(bytes).putInt(src).putInt(dst).putInt(number);
            return bytes;
        }
    }

    /** Refuses parcels below 0 at the sender, and some others at the receiver. */
    private static final class ParcelCodec implements Codec<Parcel> {
        @Override
        public byte[] encode(Parcel parcel) {
            if (parcel.number < 0) {
                throw new IllegalStateException();
            }
            return parcel.bytes();
        }

        @Override
        public Parcel decode(byte[] bytes) {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            Parcel parcel = new Parcel(in.getInt(), in.getInt(), in.getInt());
            assertArrayEquals(parcel.bytes(), bytes);
            if (parcel.number % BAD == 0) {
                throw new IllegalStateException(parcel.toString());
            }
            return parcel;
        }
    }

    /** What one rank has sent and received, and its next call. */
    private static final class Model {
        private final Hayate job;
        private final Fmpl fmpl;
        private final Values<Parcel> values;
        private final Random random;
        private final int[] sent;
        private final int[] received;
        private final AtomicInteger ended;

        Model(Hayate job, Fmpl fmpl, Random random, AtomicInteger ended) {
            this.job = job;
            this.fmpl = fmpl;
            this.random = random;
            this.ended = ended;
            values = Values.of(fmpl, MAI, new ParcelCodec());
            sent = new int[job.size()];
            received = new int[job.size()];
        }

        private static boolean all(int[] counts) {
            return Arrays.stream(counts).allMatch(count -> count == VALUES);
        }

        void run() {
            while (!all(sent) || !all(received)) {
                step(() -> {
                    switch (random.nextInt(5)) {
                        case 0, 1 -> send(random.nextInt(job.size()));
                        case 2 -> receive(random.nextInt(job.size()));
                        case 3 -> receiveAny();
                        default -> values.flush(random.nextInt(job.size()));
                    }
                });
            }
            for (int dst = 0; dst < job.size(); dst++) {
                int receiver = dst;
                while (!step(() -> values.flush(receiver))) {
                    Thread.onSpinWait();
                }
            }
        }

        /** Returns whether the call was not ended. */
        private boolean step(Runnable call) {
            fmpl.timeout(Duration.ofNanos(1 + random.nextInt(3_000_000)));
            if (random.nextInt(8) == 0) {
                Thread.currentThread().interrupt();
            }
            try {
                call.run();
                return true;
            } catch (TimedOutException | InterruptedWaitException over) {
                ended.incrementAndGet();
                return false;
            } finally {
                Thread.interrupted();
            }
        }

        private void send(int dst) {
            if (sent[dst] == VALUES) {
                return;
            }
            boolean fails = random.nextInt(10) == 0;
            try {
                values.send(new Parcel(job.rank(), dst, fails ? -1 : sent[dst]), dst);
                assertTrue(!fails);
                sent[dst]++;
            } catch (TimedOutException | InterruptedWaitException onItsWay) {
                sent[dst]++;
                throw onItsWay;
            } catch (CallbackException unsent) {
                assertTrue(fails, unsent::getMessage);
            } catch (BusyException unsent) {
                ended.incrementAndGet();
            }
        }

        private void receive(int src) {
            if (received[src] < VALUES) {
                take(src, () -> values.recv(src));
            }
        }

        private void receiveAny() {
            if (!all(received)) {
                take(-1, () -> {
                    Values.Received<Parcel> next = values.recvAny();
                    assertEquals(next.src(), next.value().src);
                    return next.value();
                });
            }
        }

        private void take(int src, Supplier<Parcel> call) {
            try {
                Parcel got = call.get();
                expect(got, src < 0 ? got.src : src);
            } catch (CallbackException bad) {
                assertTrue(src < 0 || src == bad.peer());
                Parcel next = new Parcel(bad.peer(), job.rank(), received[bad.peer()]++);
                assertEquals(next.toString(), bad.getCause().getMessage());
            }
        }

        private void expect(Parcel got, int src) {
            assertEquals(new Parcel(src, job.rank(), received[src]++), got);
        }
    }

    /** Runs it, and interrupts its thread again and again. */
    private static void disturbed(long seed, Runnable work) {
        Random random = new Random(seed);
        Thread target = Thread.currentThread();
        AtomicBoolean isOver = new AtomicBoolean();
        Thread disturber = new Thread(() -> {
            while (!isOver.get()) {
                LockSupport.parkNanos(random.nextInt(4_000_000));
                target.interrupt();
            }
        });
        disturber.start();
        try {
            work.run();
        } finally {
            isOver.set(true);
            while (disturber.isAlive()) {
                Thread.yield();
            }
            Thread.interrupted();
        }
    }

    static Stream<Object[]> seeds() {
        return Level.seeds(2, 20).boxed().flatMap(seed -> Stream.of(2, 3).flatMap(ranks ->
                Stream.of(false, true).filter(virtual -> !virtual
                        || Runtime.version().feature() >= 21)
                        .map(virtual -> new Object[] {seed, ranks, virtual})));
    }

    @ParameterizedTest(name = "seed {0}, {1} ranks, virtual threads: {2}")
    @MethodSource("seeds")
    void should_lose_and_change_nothing_whatever_ends_the_calls(long seed, int ranks,
            boolean virtual) throws Exception {
        AtomicInteger ended = new AtomicInteger();
        ThreadJob.run(ranks, virtual ? Threads::virtual : Threads::platform, (job, fmpl) -> {
            long own = seed * 10 + job.rank();
            disturbed(own, new Model(job, fmpl, new Random(own), ended)::run);
            fmpl.timeout(Ompl.FOREVER);
        });
        assertTrue(ended.get() > 0);
    }

    /** A rank whose value is on its way has done its part; the root calls again. */
    private static List<String> gather(Fmpl fmpl, Values<String> values, String mine,
            Random random) {
        while (true) {
            fmpl.timeout(Duration.ofNanos(1 + random.nextInt(2_000_000)));
            try {
                return values.gather(mine, 0);
            } catch (TimedOutException | InterruptedWaitException over) {
                if (fmpl.world().rank() != 0) {
                    return List.of();
                }
            } catch (BusyException notSent) {
                assertTrue(fmpl.world().rank() != 0);
            } finally {
                Thread.interrupted();
            }
        }
    }

    @Test
    void should_gather_the_values_of_one_round_whatever_ends_the_calls() throws Exception {
        int rounds = 60;
        ThreadJob.run(3, (job, fmpl) -> {
            Values<String> values = Values.of(fmpl, MAI, Codec.strings());
            Random random = new Random(job.rank());
            disturbed(job.rank(), () -> {
                for (int round = 0; round < rounds; round++) {
                    String pad = "x".repeat(round % 3 == 0 ? PIECE + Values.SHORT : round);
                    LockSupport.parkNanos(random.nextInt(3_000_000));
                    List<String> all = gather(fmpl, values, job.rank() + "/" + round + pad, random);
                    int now = round;
                    assertEquals(job.rank() != 0 ? List.of() : Stream.of(0, 1, 2)
                            .map(src -> src + "/" + now + pad).toList(), all);
                }
            });
            fmpl.timeout(Ompl.FOREVER);
            values.flush(0);
        });
    }

    @Test
    void should_not_wait_for_the_rest_of_a_value_whose_sender_has_left() throws Exception {
        AtomicInteger cut = new AtomicInteger();
        for (int round = 0; round < 20; round++) {
            int wait = round * 20_000;
            ThreadJob.runApart(2, (job, fmpl) -> {
                Values<byte[]> values = Values.of(fmpl, MAI, Codec.bytes());
                byte[] value = new byte[Values.SHORT + 8 * PIECE];
                if (job.rank() == 0) {
                    fmpl.timeout(Duration.ofNanos(1 + wait));
                    try {
                        values.send(value, 1);
                    } catch (TimedOutException over) {
                        cut.incrementAndGet();
                    }
                } else {
                    LockSupport.parkNanos(wait);
                    try {
                        assertArrayEquals(value, values.recv(0));
                    } catch (PeerFailedException gone) {
                        assertEquals(0, gone.peer());
                    }
                }
            });
        }
        assertTrue(cut.get() > 0);
    }
}
