// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.Threads;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Ranks of a job that an exchange starts, as threads of this JVM. */
@Timeout(300)
class BootstrapTest {
    private static final int BYTES = 4 << 20;
    /** Where a record says whose it is, and whether the abi is the right one. */
    private static final int RANK = 8;
    private static final int ABI = 4;

    private static double sum(Hayate rank) {
        try (Fmpl fmpl = Fmpl.init(rank)) {
            double[] values = {rank.rank()};
            fmpl.allreduce(Span.of(values), Reduction.DOUBLE_SUM);
            return values[0];
        }
    }

    private static double joined(int rank, int size, Exchange exchange) {
        try (Hayate job = Hayate.init(Bootstrap.of(rank, size, exchange))) {
            assertEquals(rank, job.rank());
            assertEquals(size, job.size());
            return sum(job);
        }
    }

    /** What each of two ranks gets if the records of a round are changed for one of them. */
    private static List<Throwable> tampered(int victim, int round,
            UnaryOperator<List<byte[]>> change) throws Exception {
        return MemoryExchange.failures(2, (rank, exchange) -> {
            AtomicInteger calls = new AtomicInteger();
            return joined(rank, 2, record -> {
                List<byte[]> all = new ArrayList<>(exchange.allgather(record));
                all.sort(Comparator.comparing(each -> each[RANK]));
                return calls.getAndIncrement() == round && rank == victim ? change.apply(all) : all;
            });
        });
    }

    private static String text(Throwable failure) {
        return assertInstanceOf(LaunchException.class, failure).getMessage();
    }

    @Test
    void should_join_ranks_that_are_threads_and_communicate() throws Exception {
        assertEquals(List.of(10.0, 10.0, 10.0, 10.0, 10.0),
                MemoryExchange.run(5, (rank, exchange) -> joined(rank, 5, exchange)));
    }

    /** More than there are carriers: no rank may keep one while it waits for another. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void should_join_ranks_that_are_virtual_threads() throws Exception {
        int ranks = Runtime.getRuntime().availableProcessors() + 2;
        MemoryExchange exchange = new MemoryExchange(ranks);
        Threads.together(ranks, Threads::virtual, rank ->
                assertEquals(ranks * (ranks - 1) / 2.0, joined(rank, ranks, exchange)));
    }

    @Test
    void should_join_a_job_of_one_rank() throws Exception {
        assertEquals(List.of(0.0), MemoryExchange.run(1, (rank, exchange) ->
                joined(rank, 1, exchange)));
    }

    /** The rule of an allgather is not needed: each record says whose it is. */
    @Test
    void should_take_the_records_in_any_order() throws Exception {
        assertEquals(List.of(3.0, 3.0, 3.0), MemoryExchange.run(3, (rank, exchange) ->
                joined(rank, 3, record -> {
                    List<byte[]> all = new ArrayList<>(exchange.allgather(record));
                    Collections.shuffle(all, new Random(rank));
                    return all;
                })));
    }

    /** Memory outside of the heap is read at its address, by a rank that is another thread. */
    @Test
    void should_send_long_messages_between_threads_directly() throws Exception {
        MemoryExchange.run(2, (rank, exchange) -> {
            try (Hayate job = Hayate.init(Bootstrap.of(rank, 2, exchange));
                    Fmpl fmpl = Fmpl.init(job)) {
                byte[] data = new byte[BYTES];
                if (rank == 0) {
                    Arrays.fill(data, (byte) 7);
                }
                fmpl.bcast(Span.of(data), 0);
                assertEquals(7, data[BYTES - 1]);
                return null;
            }
        });
    }

    @Test
    void should_be_in_two_jobs_at_once() throws Exception {
        assertEquals(List.of(1.0, 1.0), MemoryExchange.run(2, (rank, exchange) -> {
            try (Hayate first = Hayate.init(Bootstrap.of(rank, 2, exchange));
                    Hayate second = Hayate.init(Bootstrap.of(1 - rank, 2, exchange))) {
                assertEquals(1 - rank, second.rank());
                assertEquals(sum(first), sum(second));
                return sum(first);
            }
        }));
    }

    private static long resident() throws IOException {
        return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * 4096;
    }

    private static int descriptors() {
        return new File("/proc/self/fd").list().length;
    }

    private static void touch(int rank, Exchange exchange) {
        try (Hayate job = Hayate.init(Bootstrap.of(rank, 2, exchange));
                HeapSpan memory = job.allocate(BYTES)) {
            memory.buffer().put(new byte[BYTES]);
            assertEquals(1.0, sum(job));
        }
    }

    /** Without giving back they would take 800 MB. */
    @Test
    void should_give_back_what_a_hundred_jobs_had() throws Exception {
        for (int i = 0; i < 5; i++) {
            MemoryExchange.run(2, (rank, exchange) -> {
                touch(rank, exchange);
                return null;
            });
        }
        System.gc();
        long before = resident();
        int open = descriptors();
        for (int i = 0; i < 100; i++) {
            MemoryExchange.run(2, (rank, exchange) -> {
                touch(rank, exchange);
                return null;
            });
        }
        long grown = resident() - before;
        assertTrue(grown < 300 << 20, () -> "grown by " + grown);
        int more = descriptors() - open;
        assertTrue(more < 100, () -> more + " more descriptors");
    }

    /** The other rank learns of it in its next operation, and the JVM goes on. */
    @Test
    void should_end_only_the_rank_that_aborts() throws Exception {
        List<Throwable> failures = MemoryExchange.failures(2, (rank, exchange) -> {
            try (Hayate job = Hayate.init(Bootstrap.of(rank, 2, exchange))) {
                if (rank == 1) {
                    job.abort(9, "no input");
                }
                return sum(job);
            }
        });
        assertInstanceOf(PeerFailedException.class, failures.get(0));
        assertTrue(failures.get(0).getMessage().contains("rank 1 exited with status 9"),
                failures.get(0).getMessage());
        assertInstanceOf(ClosedException.class, failures.get(1));
        assertEquals("rank 1 has aborted the job with code 9: no input",
                failures.get(1).getMessage());
    }

    @Test
    void should_refuse_numbers_out_of_range_and_null() {
        Exchange none = List::of;
        for (int[] wrong : new int[][] {{0, 0}, {-1, 2}, {2, 2}, {0, 65_537}, {0, -5}}) {
            assertThrows(ArgumentException.class, () -> Bootstrap.of(wrong[0], wrong[1], none));
        }
        assertThrows(ArgumentException.class, () -> Bootstrap.of(0, 1, null));
        assertThrows(ArgumentException.class, () -> Hayate.init((Bootstrap) null));
    }

    private static LaunchException refused(int size, Exchange exchange) {
        return assertThrows(LaunchException.class,
                () -> Hayate.init(Bootstrap.of(0, size, exchange)));
    }

    @Test
    void should_tell_what_the_exchange_threw_or_returned() {
        IOException lost = new IOException("lost");
        LaunchException e = refused(2, record -> {
            throw lost;
        });
        assertSame(lost, e.getCause());
        assertEquals("the exchange of rank 0 of 2 failed: java.io.IOException: lost",
                e.getMessage());
        assertTrue(refused(2, record -> null).getMessage().contains("returned null"));
        assertTrue(refused(2, record -> Arrays.asList(record, null)).getMessage()
                .contains("a record that is null"));
        assertTrue(refused(2, record -> List.of(record, new byte[1 << 20])).getMessage()
                .contains("a record of 1048576 bytes"));
        assertTrue(refused(2, List::of).getMessage()
                .contains("returned 1 records, expected one of each of 2 ranks"));
        assertTrue(refused(2, record -> List.of(record, record)).getMessage()
                .contains("two records of the exchange are of rank 0"));
        assertTrue(refused(1, record -> List.of(record, record)).getMessage()
                .contains("returned 2 records"));
        assertTrue(refused(2, record -> List.of(record, new byte[0])).getMessage()
                .contains("record 1 of the exchange, of 0 bytes"));
    }

    @Test
    void should_end_with_an_error_of_the_jvm_and_leave_nothing() {
        OutOfMemoryError full = new OutOfMemoryError("test");
        assertSame(full, assertThrows(OutOfMemoryError.class, () -> Hayate.init(
                Bootstrap.of(0, 2, record -> {
                    throw full;
                }))));
        assertEquals(0.0, joined(0, 1, List::of));
    }

    /** Whoever waits for a second call of this rank is told. */
    @Test
    void should_close_an_exchange_when_it_gives_up() {
        AtomicInteger closed = new AtomicInteger();
        class Closeable implements Exchange, AutoCloseable {
            @Override
            public List<byte[]> allgather(byte[] record) {
                throw new OutOfMemoryError("test");
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        }
        assertThrows(OutOfMemoryError.class,
                () -> Hayate.init(Bootstrap.of(0, 2, new Closeable())));
        assertEquals(1, closed.get());
    }

    @Test
    void should_keep_the_interrupt_of_a_rank_that_waits_for_others() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        List<Throwable> failures = MemoryExchange.failures(1, (rank, exchange) -> {
            Thread.currentThread().interrupt();
            try {
                return joined(0, 2, record -> {
                    never.await();
                    return List.of();
                });
            } finally {
                assertTrue(Thread.interrupted());
            }
        });
        assertInstanceOf(InterruptedException.class, failures.get(0).getCause());
    }

    /** Rank 1 is told so in the second round, and tells rank 0. */
    @Test
    void should_tell_all_ranks_that_one_has_got_wrong_records() throws Exception {
        List<UnaryOperator<List<byte[]>>> changes = List.of(
                all -> List.of(all.get(0), Arrays.copyOf(all.get(1), 40)),
                all -> List.of(all.get(0), all.get(0)),
                all -> {
                    byte[] other = all.get(1).clone();
                    other[ABI]++;
                    return List.of(all.get(0), other);
                });
        for (UnaryOperator<List<byte[]>> change : changes) {
            List<Throwable> failures = tampered(1, 0, change);
            String why = text(failures.get(1));
            assertEquals("rank 1 could not join: " + why, text(failures.get(0)));
        }
    }

    @Test
    void should_notice_that_two_attempts_were_mixed_up() throws Exception {
        List<byte[]> old = new ArrayList<>();
        MemoryExchange.run(2, (rank, exchange) -> joined(rank, 2, record -> {
            List<byte[]> all = exchange.allgather(record);
            synchronized (old) {
                old.addAll(all);
            }
            return all;
        }));
        byte[] stale = old.stream().filter(record -> record[RANK] == 1).findFirst().orElseThrow();
        List<Throwable> failures = tampered(0, 0, all -> List.of(all.get(0), stale));
        assertTrue(text(failures.get(0)).startsWith(
                "rank 1 has got other records than rank 0 in the first call of the exchange"));
        assertTrue(text(failures.get(1)).startsWith("rank 0 has got other records than rank 1"));
    }

    /** Random damage of a record never does more than to fail. */
    @Test
    void should_survive_records_that_lie() throws Exception {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            int round = random.nextInt(2);
            int changed = random.nextInt(2);
            List<Throwable> failures = tampered(random.nextInt(2), round, all -> {
                byte[] damaged = all.get(changed).clone();
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
                return changed == 0 ? List.of(damaged, all.get(1)) : List.of(all.get(0), damaged);
            });
            for (Throwable failure : failures) {
                assertTrue(failure == null || failure instanceof HayateException,
                        "seed " + seed + ": " + failure);
            }
        }
    }
}
