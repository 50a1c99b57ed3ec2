// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Breakdown;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.cli.command.CommandFailure;
import io.hayate.cli.job.JobCounters;
import java.util.function.Consumer;

/**
 * The method of src/bench/README.md, the same as src/bench/c/harness.c: rank 0 tells the others the
 * number of turns of the next batch, all synchronise in a barrier, and rank 0 times the batch.
 */
public final class Measurement {
    private static final int MIN_SAMPLES = 5;
    private static final int WORK_SAMPLES = 20;
    private static final int MAX_BATCH = 1 << 20;
    /** The first case also warms up the JVM. */
    private static final long FIRST_WARM_UP_NANOS = 1_500_000_000;
    private static final int WARM_UP_SHARE = 5;
    private static final int LINE = 64;
    private static final long MOST = 1 << 30;

    private final Plan plan;
    private final Hayate job;
    private final Fmpl fmpl;
    private final Operation operation;
    private final HeapSpan turns;
    private final Samples samples = new Samples();

    private Measurement(Plan plan, Hayate job, Fmpl fmpl) {
        this.plan = plan;
        this.job = job;
        this.fmpl = fmpl;
        this.turns = job.allocate(LINE);
        this.operation = operationOf(plan, job, fmpl);
    }

    /**
     * Measures all cases. Collective: every rank of the job calls it with the same plan.
     *
     * @param plan what to measure
     * @param job the job of this process
     * @param sink receives the results, on rank 0
     */
    public static void run(Plan plan, Hayate job, Consumer<Result> sink) {
        try (Fmpl fmpl = Fmpl.init(job, Math.max(Fmpl.DEFAULT_COUNT, plan.threads()))) {
            Measurement measurement = new Measurement(plan, job, fmpl);
            long warmUp = FIRST_WARM_UP_NANOS;
            for (int bytes : plan.bytes()) {
                measurement.runCase(bytes, Math.max(warmUp, plan.nanos() / WARM_UP_SHARE), sink);
                warmUp = 0;
            }
            fmpl.barrier(); // no rank leaves while others still work
        }
    }

    private static Operation operationOf(Plan plan, Hayate job, Fmpl fmpl) {
        if (plan.bench() == Bench.RATE) {
            return new MessageRate(plan, job, fmpl);
        }
        long room = plan.room() * (plan.bench() == Bench.ALLTOALL ? (long) job.size() : 1);
        if (room > MOST) {
            throw new CommandFailure("--bytes " + plan.room() + " for " + job.size()
                    + " ranks is more than 1G");
        }
        Memory in = Memory.of(job, plan.buffers(), room);
        Memory out = Memory.of(job, plan.buffers(), room);
        return switch (plan.bench()) {
            case BCAST -> new Broadcast(plan, job, fmpl, in, out);
            case HBCAST -> new HardwareBroadcast(plan, job, fmpl, in, out);
            case REDUCE -> new Reduce(plan, job, fmpl, in, out);
            case ALLREDUCE -> new AllReduce(plan, job, fmpl, in, out);
            case ALLTOALL -> new AllToAll(plan, job, fmpl, in, out);
            case BARRIER -> new Barrier(plan, job, fmpl, in, out);
            default -> new PingPong(plan, job, fmpl, in, out);
        };
    }

    private void runCase(int bytes, long warmUp, Consumer<Result> sink) {
        operation.size(bytes);
        operation.check();
        operation.clear();
        if (job.rank() != 0) {
            follow();
            return;
        }
        try (JobCounters counters = JobCounters.of(ProcessHandle.current().pid())) {
            sink.accept(lead(bytes, warmUp, counters));
        }
    }

    private Result lead(int bytes, long warmUp, JobCounters counters) {
        int batch = warmUp(warmUp);
        JobCounters.Rank before = counters.read(0);
        sample(batch);
        JobCounters.Rank after = counters.read(0);
        double work = work(batch);
        Breakdown breakdown = plan.breakdown() ? takeApart(batch) : null;
        announce(0);
        samples.sort();
        return new Result(plan, bytes, job.size(), Ways.between(before, after),
                samples.percentile(0), samples.percentile(50), samples.percentile(99),
                samples.count(), batch, work, breakdown);
    }

    /** The shortest time in which this rank writes and reads the data of a message, alone. */
    private double work(int batch) {
        Samples alone = new Samples();
        for (int i = 0; i < WORK_SAMPLES && !plan.stale(); i++) {
            long begin = System.nanoTime();
            operation.work(batch);
            alone.add(System.nanoTime() - begin, batch);
        }
        alone.sort();
        return alone.percentile(0);
    }

    /** Doubles the batch until it takes long enough. */
    private int warmUp(long nanos) {
        long begin = System.nanoTime();
        int batch = 1;
        boolean grown = true;
        while (grown || System.nanoTime() - begin < nanos) {
            grown = runBatch(batch) < operation.batchNanos() && batch < MAX_BATCH;
            batch = grown ? batch * 2 : batch;
        }
        return batch;
    }

    private void sample(int batch) {
        double operations = (double) batch * plan.bench().messages() * plan.threads();
        long begin = System.nanoTime();
        samples.clear();
        for (long done = 0; goesOn(done, begin); done += batch) {
            samples.add(runBatch(batch), operations);
        }
    }

    private boolean goesOn(long done, long begin) {
        return plan.iterations() > 0 ? done < plan.iterations()
                : samples.count() < MIN_SAMPLES || System.nanoTime() - begin < plan.nanos();
    }

    /**
     * Measures the parts of messages separately from the samples, because that takes time itself.
     */
    private Breakdown takeApart(int batch) {
        fmpl.breakdown(true);
        long begin = System.nanoTime();
        do {
            runBatch(batch);
        } while (System.nanoTime() - begin < plan.nanos() / WARM_UP_SHARE);
        Breakdown breakdown = fmpl.breakdown();
        fmpl.breakdown(false);
        return breakdown;
    }

    private long runBatch(int batch) {
        announce(batch);
        fmpl.barrier();
        long begin = System.nanoTime();
        operation.run(batch);
        return System.nanoTime() - begin;
    }

    private void announce(int batch) {
        turns.putLong(0, batch);
        fmpl.bcast(turns, 0);
    }

    private void follow() {
        while (true) {
            fmpl.bcast(turns, 0);
            int batch = (int) turns.getLong(0);
            if (batch == 0) {
                return;
            }
            fmpl.barrier();
            operation.run(batch);
        }
    }
}
