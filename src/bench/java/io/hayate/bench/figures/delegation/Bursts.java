// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.delegation;

import io.hayate.Delegation;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.bench.figures.Failure;
import io.hayate.cli.perf.Samples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Measures ranks 0 and 1, which exchange messages in bursts, with pauses between bursts. Each side
 * writes every cache line of its message before it sends, and reads and checks every cache line of
 * what it receives.
 */
final class Bursts {
    /** The longest pause in which rank 0 computes; in a longer one it sleeps. */
    static final int COMPUTES_MICROS = 100;

    private static final int MAI = 0;
    private static final int LINE = 64;
    private static final int WARM_UP = 20;
    private static final int LEAST = 10;
    private static final long NANOS_PER_MICRO = 1000;

    /**
     * What to measure.
     *
     * @param pause time between two bursts, in microseconds
     * @param bytes size of a message
     * @param length round trips of a burst
     * @param nanos the time for all bursts
     */
    record Case(int pause, int bytes, int length, long nanos) {
    }

    private final Hayate job;
    private final Fmpl fmpl;
    private final Case what;
    private final HeapSpan in;
    private final HeapSpan out;
    private final Samples all = new Samples();
    private final Samples firsts = new Samples();
    private long turn;

    private Bursts(Hayate job, Fmpl fmpl, Case what) {
        this.job = job;
        this.fmpl = fmpl;
        this.what = what;
        in = job.allocate(what.bytes);
        out = job.allocate(what.bytes);
    }

    /**
     * Measures one case. Collective over the two ranks of the job.
     *
     * @param job a job of two ranks
     * @param fmpl its messages
     * @param what the case
     * @param sink receives the result, on rank 0
     */
    static void run(Hayate job, Fmpl fmpl, Case what, Consumer<BurstPoint> sink) {
        Bursts bursts = new Bursts(job, fmpl, what);
        if (job.rank() == 0) {
            sink.accept(bursts.ask());
        } else {
            bursts.answer();
        }
        fmpl.barrier();
    }

    // ---- rank 0 ----

    private BurstPoint ask() {
        for (int i = 0; i < WARM_UP; i++) {
            burst();
        }
        all.clear();
        firsts.clear();
        long cpu = delegateeNanos();
        long start = System.nanoTime();
        int bursts = 0;
        while (bursts < LEAST || System.nanoTime() - start < what.nanos) {
            burst();
            pause();
            bursts++;
        }
        double passed = System.nanoTime() - start;
        double percent = cpu < 0 ? -1 : 100 * (delegateeNanos() - cpu) / passed;
        exchange(true);
        all.sort();
        firsts.sort();
        return new BurstPoint(what.pause, what.bytes, what.length, bursts, all.percentile(50),
                all.percentile(99), firsts.percentile(50), percent);
    }

    private void burst() {
        for (int i = 0; i < what.length; i++) {
            long start = System.nanoTime();
            exchange(false);
            long nanos = System.nanoTime() - start;
            all.add(nanos, 2);
            if (i == 0) {
                firsts.add(nanos, 2);
            }
        }
    }

    /** The head of the last message is negative. */
    private void exchange(boolean last) {
        turn++;
        write(last ? -turn : turn);
        fmpl.send(out, 1, MAI);
        fmpl.recv(in, 1, MAI);
        expect(turn);
    }

    private void pause() {
        long nanos = what.pause * NANOS_PER_MICRO;
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            if (what.pause <= COMPUTES_MICROS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(left);
            }
        }
    }

    /** The processor time of all threads of the delegatee; -1: there is none. */
    private long delegateeNanos() {
        return Delegation.of(job).map(delegatee -> processorNanos(delegatee.pid())).orElse(-1L);
    }

    private static long processorNanos(long pid) {
        long nanos = 0;
        Path tasks = Path.of("/proc", String.valueOf(pid), "task");
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                nanos += Long.parseLong(
                        Files.readString(thread.resolve("schedstat")).split(" ")[0]);
            }
            return nanos;
        } catch (NoSuchFileException e) {
            throw new Failure("no " + e.getFile() + ": the kernel must count the time of"
                    + " processes (CONFIG_SCHED_INFO)");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- rank 1 ----

    private void answer() {
        boolean last = false;
        while (!last) {
            turn++;
            fmpl.recv(in, 0, MAI);
            last = in.getDouble(0) < 0;
            expect(last ? -turn : turn);
            write(turn);
            fmpl.send(out, 0, MAI);
        }
    }

    // ---- data ----

    private void write(long head) {
        for (int at = 0; at + Double.BYTES <= what.bytes; at += LINE) {
            out.putDouble(at, head + at);
        }
    }

    private void expect(long head) {
        double wrong = 0;
        for (int at = 0; at + Double.BYTES <= what.bytes; at += LINE) {
            wrong += Math.abs(in.getDouble(at) - head - at);
        }
        if (wrong != 0) {
            throw new Failure("rank " + job.rank() + " has wrong data after message "
                    + turn + " of " + what.bytes + " bytes");
        }
    }
}
