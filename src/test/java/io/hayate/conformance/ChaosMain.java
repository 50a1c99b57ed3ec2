// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.HeapSpan;
import io.hayate.MismatchException;
import io.hayate.Reduction;
import io.hayate.Request;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Several threads make random valid and invalid calls, while other threads close the objects. Says
 * {@code SURVIVED rank calls} at the end; a call that ends with anything but a value or a
 * HayateException, or not at all, is said and ends the process with 99.
 */
public final class ChaosMain {
    private static final int THREADS = 4;
    /** Of these; the others go on when nothing comes any more. */
    private static final int BLOCKING = 2;
    private static final int MAIS = 4;
    private static final long RUN_MS = 900;
    private static final long END_MS = 120_000;

    private final Hayate job;
    private final long seed;
    private final AtomicLong calls = new AtomicLong();
    private final Map<String, AtomicLong> ends = new ConcurrentHashMap<>();
    private volatile Fmpl fmpl;
    private volatile boolean over;

    private ChaosMain(Hayate job, long seed) {
        this.job = job;
        this.seed = seed;
    }

    /** Entry of a rank: the seed. */
    public static void main(String[] arguments) throws Exception {
        Hayate job = Hayate.init();
        new ChaosMain(job, Long.parseLong(arguments[0])).run();
    }

    private void run() throws Exception {
        fmpl = Fmpl.init(job, MAIS);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads.add(start("chaos-" + i, () -> calls(new SplittableRandom(
                    seed * 1000 + job.rank() * 100 + number), number < BLOCKING)));
        }
        start("collector", this::collect).setPriority(Thread.MIN_PRIORITY);
        SplittableRandom random = new SplittableRandom(seed * 1000 + job.rank() * 100 + 99);
        Thread.sleep(random.nextLong(RUN_MS));
        if (random.nextBoolean()) {
            try {
                fmpl.close();
            } catch (MismatchException expected) {
                // others have made other collectives
            }
            Thread.sleep(random.nextLong(100));
        }
        job.close();
        over = true;
        Thread.sleep(20);
        end(threads);
    }

    private void end(List<Thread> threads) throws InterruptedException {
        long deadline = System.nanoTime() + END_MS * 1_000_000;
        for (Thread thread : threads) {
            thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            if (thread.isAlive()) {
                System.out.println("HUNG " + List.of(thread.getStackTrace()));
                Runtime.getRuntime().halt(99);
            }
        }
        System.out.println("SURVIVED " + job.rank() + " " + calls + " " + ends);
    }

    private static Thread start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void collect() {
        while (true) {
            System.gc();
            Thread.yield();
        }
    }

    private void calls(SplittableRandom random, boolean blocking) {
        List<Object> kept = new ArrayList<>();
        for (int left = 20; !over || left-- > 0;) {
            String end = "value";
            try {
                if (blocking && random.nextBoolean()) {
                    block(random, kept);
                } else {
                    call(random, kept);
                }
            } catch (HayateException expected) {
                end = expected.getClass().getSimpleName();
            } catch (Throwable thrown) {
                thrown.printStackTrace();
                System.out.println("WRONG " + thrown);
                Runtime.getRuntime().halt(99);
            }
            calls.incrementAndGet();
            ends.computeIfAbsent(end, key -> new AtomicLong()).incrementAndGet();
            if (kept.size() > 30) {
                kept.subList(0, random.nextInt(30)).clear();
            }
        }
    }

    private int peer(SplittableRandom random) {
        return random.nextInt(20) == 0 ? random.nextInt(-2, 4) : random.nextInt(job.size());
    }

    private int mai(SplittableRandom random) {
        return random.nextInt(20) == 0 ? random.nextInt(-2, 6) : random.nextInt(MAIS);
    }

    /** A call that may wait for the other rank. */
    private void block(SplittableRandom random, List<Object> kept) {
        Span span = span(random, kept);
        int peer = peer(random);
        switch (random.nextInt(11)) {
            case 0, 1 -> fmpl.send(span, peer, mai(random));
            case 2, 3 -> fmpl.recv(span, peer, mai(random));
            case 4 -> fmpl.allreduce(span, Reduction.DOUBLE_SUM, comm(random, kept));
            case 5 -> fmpl.bcast(span, peer, comm(random, kept));
            case 6 -> fmpl.barrier(comm(random, kept));
            case 7 -> kept.add(fmpl.create(random.nextBoolean()));
            case 8 -> await(random, kept);
            case 9 -> fmpl.waitAny(pick(Request.class, random, kept),
                    pick(Request.class, random, kept));
            default -> userFunction(random, kept);
        }
    }

    private void call(SplittableRandom random, List<Object> kept) {
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> kept.add(fmpl.isend(span(random, kept), peer(random), mai(random)));
            case 3, 4, 5 -> kept.add(fmpl.irecv(span(random, kept), peer(random), mai(random)));
            case 6 -> kept.add(job.allocate(random.nextLong(-1, 100_000)));
            case 7 -> fmpl.setSendBuffer(random.nextInt(3) == 0 ? null : span(random, kept),
                    Duration.ofMillis(1));
            case 8 -> fmpl.checkSendBuffer();
            case 9 -> useHeap(random, kept);
            case 10 -> closeSomething(random, kept);
            default -> useRequest(random, kept);
        }
    }

    private Span span(SplittableRandom random, List<Object> kept) {
        int bytes = new int[] {0, 8, 100, 4096, 20_000, 200_000}[random.nextInt(6)];
        HeapSpan heap = pick(HeapSpan.class, random, kept);
        return switch (random.nextInt(6)) {
            case 0 -> Span.of(new double[bytes / 8]);
            case 1 -> Span.of(new byte[bytes]);
            case 2 -> heap == null ? null
                    : heap.slice(random.nextLong(-1, 50), random.nextLong(60));
            case 3 -> heap;
            default -> Span.of(ByteBuffer.allocateDirect(bytes));
        };
    }

    private Communicator comm(SplittableRandom random, List<Object> kept) {
        Communicator comm = pick(Communicator.class, random, kept);
        return comm == null || random.nextBoolean() ? fmpl.world() : comm;
    }

    private static void await(SplittableRandom random, List<Object> kept) {
        Request request = pick(Request.class, random, kept);
        if (request != null) {
            request.await();
        }
    }

    private static void useRequest(SplittableRandom random, List<Object> kept) {
        Request request = pick(Request.class, random, kept);
        if (request != null) {
            switch (random.nextInt(4)) {
                case 0 -> request.cancel();
                case 1 -> request.received();
                default -> request.test();
            }
        }
    }

    private static void useHeap(SplittableRandom random, List<Object> kept) {
        HeapSpan span = pick(HeapSpan.class, random, kept);
        if (span != null) {
            ByteBuffer buffer = span.buffer();
            span.putByte(random.nextLong(-1, 100_000), (byte) 1);
            buffer.put(0, (byte) 1);
            kept.add(buffer);
        }
    }

    private void userFunction(SplittableRandom random, List<Object> kept) {
        Reduction reduction = Reduction.of(fmpl, 8, (inout, in, count) -> {
            if (random.nextBoolean()) {
                throw new IllegalStateException("on purpose");
            }
            inout.put(0, in.get(0));
        });
        kept.add(reduction);
        fmpl.allreduce(span(random, kept), reduction, comm(random, kept));
    }

    private static void closeSomething(SplittableRandom random, List<Object> kept) {
        AutoCloseable any = pick(AutoCloseable.class, random, kept);
        try {
            if (any != null) {
                any.close();
            }
        } catch (HayateException expected) {
            throw expected;
        } catch (Exception wrong) {
            throw new AssertionError(wrong);
        }
    }

    private static <T> T pick(Class<T> type, SplittableRandom random, List<Object> kept) {
        Object any = kept.isEmpty() ? null : kept.get(random.nextInt(kept.size()));
        return type.isInstance(any) ? type.cast(any) : null;
    }
}
