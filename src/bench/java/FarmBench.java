/* SPDX-License-Identifier: Apache-2.0 */

import io.hayate.AnySource;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A farm: rank 0 receives a result from whichever rank has sent one and answers with a task, by the
 * rules of ../mpi/mpi_farm.c. Both have 8 bytes, which change with every message and are checked.
 * Prints the time of rank 0 for one task. Argument: MILLISECONDS.
 */
public final class FarmBench {
    private static final int MAI = 0;
    /** Some time slices of the scheduler, because ranks share cores. */
    private static final long SAMPLE_NS = 50_000_000;
    private static final long WARM_UP_NS = 1_500_000_000L;
    private static final int TASKS_A_LOOK = 16; // at the clock
    private static final long END = -1;

    private final Fmpl fmpl;
    private final AnySource workers;
    private final HeapSpan in;
    private final HeapSpan out;
    private final int rank;
    private final long[] given; // to each rank

    private FarmBench(Hayate job, Fmpl fmpl) {
        this.fmpl = fmpl;
        rank = job.rank();
        given = new long[job.size()];
        in = job.allocate(Long.BYTES);
        out = job.allocate(Long.BYTES);
        workers = rank == 0 ? fmpl.anySource(MAI) : null;
    }

    public static void main(String[] args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            new FarmBench(job, fmpl).measure(Long.parseLong(args[0]) * 1_000_000);
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1); // the launcher ends the other ranks
        }
    }

    private void measure(long budgetNs) {
        List<Double> samples = new ArrayList<>();
        long begin = System.nanoTime();
        int[] goesOn = {1};
        while (true) {
            long spent = System.nanoTime() - begin;
            goesOn[0] = spent < WARM_UP_NS + budgetNs || samples.isEmpty() ? 1 : 0;
            fmpl.bcast(Span.of(goesOn), 0);
            if (goesOn[0] == 0) {
                break;
            }
            fmpl.barrier();
            if (rank != 0) {
                work();
            } else {
                double us = serve();
                if (spent >= WARM_UP_NS) {
                    samples.add(us);
                }
            }
        }
        if (rank == 0) {
            print(samples.stream().mapToDouble(us -> us).sorted().toArray());
        }
    }

    private void print(double[] us) {
        System.out.printf(Locale.ROOT, "{\"impl\":\"hayate-java\",\"bench\":\"farm\",\"bytes\":8,"
                + "\"ranks\":%d,\"min_us\":%.4f,\"median_us\":%.4f,\"p99_us\":%.4f,"
                + "\"samples\":%d}%n", given.length, us[0], us[us.length / 2],
                us[us.length * 99 / 100], us.length);
    }

    private static long result(long task, int worker) {
        return 3 * task + worker;
    }

    /** Returns the microseconds for a task. */
    private double serve() {
        Arrays.fill(given, 0);
        int working = given.length - 1;
        long tasks = 0;
        boolean goesOn = true;
        long begin = System.nanoTime();
        while (working > 0) {
            int worker = workers.recv(in);
            if (in.getLong(0) != result(given[worker], worker)) {
                throw new IllegalStateException("rank " + worker + " sent " + in.getLong(0));
            }
            given[worker] = goesOn ? ++tasks : END;
            out.putLong(0, given[worker]);
            fmpl.send(out, worker, MAI);
            if (!goesOn) {
                working--;
            } else if (tasks % TASKS_A_LOOK == 0) {
                goesOn = System.nanoTime() - begin < SAMPLE_NS;
            }
        }
        return (System.nanoTime() - begin) / 1e3 / (tasks + given.length - 1);
    }

    private void work() {
        long task = 0;
        do {
            out.putLong(0, result(task, rank));
            fmpl.send(out, 0, MAI);
            fmpl.recv(in, 0, MAI);
            task = in.getLong(0);
        } while (task != END);
    }
}
