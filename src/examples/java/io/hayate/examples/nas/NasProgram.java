// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.ArgumentException;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.LaunchException;
import io.hayate.MismatchException;
import io.hayate.RankFailedException;
import io.hayate.examples.Stopwatch;
import io.hayate.examples.nas.Benchmark.Verification;

/** The program around a benchmark: command line, repetitions, clock, report. */
final class NasProgram {
    private static final int GOOD = 0;
    private static final int BAD = 1;
    private static final int WRONG_USAGE = 2;

    /** What all runs of a benchmark have in common. */
    record Kind(String name, RankCount ranks, Benchmark.Factory factory) { }

    private final Kind kind;
    private final NasLibrary.Opening opening;
    private final int rank;
    private final int size;

    private NasProgram(Kind kind, NasLibrary.Opening opening, int rank, int size) {
        this.kind = kind;
        this.opening = opening;
        this.rank = rank;
        this.size = size;
    }

    /** The exit code, the same on every rank, after rank 0 has printed. */
    static int run(Kind kind, String... args) {
        int threads = NasOptions.threads(args);
        try {
            return threads > 0 ? runThreads(threads, kind, args) : runProcess(kind, args);
        } catch (HayateException | RankFailedException e) {
            System.err.println(kind.name + ": " + e.getMessage());
            return BAD;
        }
    }

    private static int runProcess(Kind kind, String... args) {
        try (Hayate job = Hayate.init()) {
            return run(job, kind, args);
        }
    }

    private static int runThreads(int threads, Kind kind, String... args) {
        int[] codes = new int[threads];
        try {
            Hayate.runThreads(threads, job -> codes[job.rank()] = run(job, kind, args));
            return codes[0];
        } catch (LaunchException e) {
            return refuse(kind.name + ": --threads: " + e.reason());
        }
    }

    /** Once, in a program that a launcher has started. */
    private static int refuse(String text) {
        try (Hayate job = Hayate.init()) {
            if (job.rank() == 0) {
                System.err.println(text);
            }
        }
        return WRONG_USAGE;
    }

    private static int run(Hayate job, Kind kind, String... args) {
        try (Fmpl fmpl = Fmpl.init(job)) {
            int code = run(kind, options -> new HayateLibrary(job, fmpl, options), job.rank(),
                    job.size(), args);
            fmpl.barrier();
            return code;
        }
    }

    /** The same with a library of its own, by a rank of so many. */
    static int run(Kind kind, NasLibrary.Opening opening, int rank, int size, String... args) {
        return new NasProgram(kind, opening, rank, size).run(args);
    }

    private int run(String... args) {
        try {
            NasOptions options = NasOptions.parse(args);
            if (options.help()) {
                print(NasOptions.USAGE);
                return GOOD;
            }
            kind.ranks.require(size);
            return measure(options);
        } catch (UsageException e) {
            complain(e.getMessage() + System.lineSeparator() + NasOptions.USAGE);
            return WRONG_USAGE;
        }
    }

    private int measure(NasOptions options) throws UsageException {
        try (NasJob own = new NasJob(opening.open(options), options);
                Benchmark benchmark = create(own)) {
            NasReport report = measure(own, benchmark);
            print(options.json() ? report.json() : report.text());
            if (!report.isSuccessful()) {
                complain("verification failed: " + report.verification().detail());
            }
            return report.isSuccessful() ? GOOD : BAD;
        }
    }

    /** A collective that cannot be prepared as the command line says is wrong usage. */
    private Benchmark create(NasJob own) throws UsageException {
        try {
            return kind.factory.create(own);
        } catch (ArgumentException | MismatchException e) {
            throw new UsageException(e.reason());
        }
    }

    /** The verification is that of the first repetition that fails, or else of the last. */
    private NasReport measure(NasJob own, Benchmark benchmark) {
        double[] times = new double[own.options().repetitions()];
        double waited = 0;
        Verification verification = null;
        for (int i = 0; i < times.length; i++) {
            benchmark.prepare();
            times[i] = time(own, benchmark);
            waited += own.communication().seconds() / times[i];
            Verification found = benchmark.verify();
            verification = verification == null || verification.successful() ? found : verification;
        }
        double communication = own.library().sum(waited) / own.size() / times.length;
        return new NasReport(kind.name, own.options(), own.size(), benchmark.work(), times,
                communication, verification);
    }

    /** Seconds of the slowest rank. */
    private static double time(NasJob own, Benchmark benchmark) {
        Stopwatch watch = new Stopwatch();
        own.library().barrier();
        own.communication().reset();
        watch.start();
        benchmark.run();
        watch.stop();
        return own.library().maximum(watch.seconds());
    }

    private void print(String text) {
        if (rank == 0) {
            System.out.println(text);
        }
    }

    private void complain(String text) {
        if (rank == 0) {
            System.err.println(kind.name + ": " + text);
        }
    }
}
