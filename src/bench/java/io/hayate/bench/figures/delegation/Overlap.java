// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.delegation;

import io.hayate.CollOptions;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Measures how much of a communication is hidden while a rank computes, collects garbage or sleeps,
 * as IMB-NBC does: the time of the communication alone, of the work alone, and of both, in turn, so
 * that a change of the machine concerns all three. The work takes about as long as the
 * communication.
 */
final class Overlap {
    private static final int WARM_UP = 4;
    private static final double MILLI = 1e6;

    /**
     * What to measure.
     *
     * @param kinds "isend", "allreduce", "put"
     * @param works what the ranks do meanwhile
     * @param bytes size of one operation; 0: the default of each kind
     * @param window operations under way
     * @param busy number of ranks that work: 1 or 2; the other one only communicates
     * @param samples of each case
     * @param options of the persistent collectives
     */
    record Case(List<String> kinds, List<Work> works, int bytes, int window, int busy,
            int samples, CollOptions options) {
    }

    private final Hayate job;
    private final Fmpl fmpl;
    private final Case what;
    private final HeapSpan word;

    private Overlap(Hayate job, Fmpl fmpl, Case what) {
        this.job = job;
        this.fmpl = fmpl;
        this.what = what;
        this.word = job.allocate(Long.BYTES);
    }

    /**
     * Returns the names of all communications.
     *
     * @return in the syntax of {@code --operations}
     */
    static List<String> kinds() {
        return Stream.of(Communication.Kind.values()).map(Communication.Kind::toString).toList();
    }

    /**
     * Measures all cases. Collective over the two ranks of the job.
     *
     * @param job a job of two ranks
     * @param what the cases
     * @param sink receives the results, on rank 0
     */
    static void run(Hayate job, Case what, Consumer<OverlapPoint> sink) {
        try (Fmpl fmpl = Fmpl.init(job, what.window)) {
            Overlap overlap = new Overlap(job, fmpl, what);
            for (String name : what.kinds) {
                Communication.Kind kind = Communication.Kind.valueOf(name.toUpperCase(Locale.ROOT));
                int bytes = what.bytes > 0 ? what.bytes : kind.defaultBytes();
                try (Communication communication =
                        Communication.of(kind, job, fmpl, bytes, what.window, what.options)) {
                    for (Work work : what.works) {
                        overlap.runCase(name, communication, bytes, work, sink);
                    }
                    fmpl.barrier(); // no rank uses this rank's memory any more
                }
            }
        }
    }

    private void runCase(String name, Communication communication, int bytes, Work work,
            Consumer<OverlapPoint> sink) {
        double[] pure = new double[what.samples];
        double[] busy = new double[what.samples];
        double[] both = new double[what.samples];
        Work.State state = work.calibrated(agreed(communication));
        boolean works = job.rank() < what.busy;
        for (int i = -WARM_UP; i < what.samples; i++) {
            int at = Math.max(i, 0);
            pure[at] = time(communication, null, state);
            busy[at] = time(null, works ? work : null, state);
            both[at] = time(communication, works ? work : null, state);
        }
        if (job.rank() == 0) {
            sink.accept(new OverlapPoint(name, work.toString(), bytes, what.window,
                    DelegationPoint.median(pure), DelegationPoint.median(busy),
                    DelegationPoint.median(both), what.samples));
        }
    }

    /** Returns the time of the communication alone, as rank 0 sees it. */
    private long agreed(Communication communication) {
        double[] times = new double[WARM_UP];
        for (int i = -WARM_UP; i < WARM_UP; i++) {
            times[Math.max(i, 0)] = time(communication, null, null);
        }
        word.putLong(0, (long) (DelegationPoint.median(times) * MILLI));
        fmpl.bcast(word, 0);
        return word.getLong(0);
    }

    /** Returns the time in milliseconds; null: without that part. */
    private double time(Communication communication, Work work, Work.State state) {
        fmpl.barrier();
        long begin = System.nanoTime();
        if (communication != null) {
            communication.start();
        }
        if (work != null) {
            work.run(state);
        }
        if (communication != null) {
            communication.await();
        }
        return (System.nanoTime() - begin) / MILLI;
    }
}
