// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.ArgumentException;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HayateException;

/**
 * Solves Schroedinger's equation for a wave packet in a harmonic trap by a distributed 3-D fast
 * Fourier transform: each rank has planes of the grid, and alltoalls that are prepared once turn
 * them around, some under way while others are computed.
 * Run it by {@code hayate run -n P -- java ...}, or alone.
 */
public final class FourierTransform {
    private static final int GOOD = 0;
    private static final int BAD = 1;
    private static final int WRONG_USAGE = 2;

    private final Hayate job;
    private final Fmpl fmpl;
    private final Stopwatch communication = new Stopwatch();

    private FourierTransform(Hayate job, Fmpl fmpl) {
        this.job = job;
        this.fmpl = fmpl;
    }

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Every rank ends with the same code, after rank 0 has printed. */
    static int run(String... args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            int code = new FourierTransform(job, fmpl).solve(args);
            fmpl.barrier();
            return code;
        } catch (HayateException e) {
            System.err.println("FourierTransform: " + e.getMessage());
            return BAD;
        }
    }

    private int solve(String... args) {
        try {
            FourierOptions options = FourierOptions.parse(args);
            if (options.help()) {
                print(FourierOptions.USAGE);
                return GOOD;
            }
            return solve(options, options.slabs(job.size()));
        } catch (UsageException e) {
            complain(e.getMessage() + System.lineSeparator() + FourierOptions.USAGE);
            return WRONG_USAGE;
        }
    }

    private int solve(FourierOptions options, Slabs slabs) throws UsageException {
        WavePacket packet = new WavePacket(slabs.points());
        StepTimes times = new StepTimes(options.steps());
        try (DistributedFft fft = prepare(options, slabs);
                GlobalSums sums = new GlobalSums(job, fmpl, new Stopwatch())) {
            SplitStep solver = new SplitStep(fft, slabs, job.rank(), packet, FourierOptions.STEP);
            solver.begin();
            fmpl.barrier();
            communication.reset();
            for (int i = 0; i < options.steps(); i++) {
                times.begin();
                solver.advance();
                times.end();
            }
            double inCommunication = communication.seconds();
            PacketCheck check = solver.finish(sums);
            return show(options, report(options, slabs, packet, fft.describe(), sums, check,
                    times, inCommunication));
        }
    }

    private DistributedFft prepare(FourierOptions options, Slabs slabs) throws UsageException {
        try {
            return new DistributedFft(job, fmpl, slabs, options.collective(), communication);
        } catch (ArgumentException e) { // the same on every rank
            throw new UsageException(e.reason());
        }
    }

    private FourierReport report(FourierOptions options, Slabs slabs, WavePacket packet,
            String transposition, GlobalSums sums, PacketCheck check, StepTimes times,
            double inCommunication) {
        double share = inCommunication / times.seconds();
        sums.set(0, share);
        sums.sum(1);
        double mean = sums.get(0) / job.size();
        sums.set(0, share);
        sums.set(1, times.seconds());
        sums.set(2, times.medianSeconds());
        sums.max(3);
        return new FourierReport(slabs, packet.side(), options.steps(), FourierOptions.STEP,
                transposition, check, sums.get(1), sums.get(2), sums.get(0), mean);
    }

    private int show(FourierOptions options, FourierReport report) {
        print(options.json() ? report.json() : report.text());
        if (!report.check().isRight()) {
            complain(report.verdict());
        }
        return report.check().isRight() ? GOOD : BAD;
    }

    private void print(String text) {
        if (job.rank() == 0) {
            System.out.println(text);
        }
    }

    private void complain(String text) {
        if (job.rank() == 0) {
            System.err.println("FourierTransform: " + text);
        }
    }
}
