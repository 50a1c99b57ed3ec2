// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * IS of the NAS Parallel Benchmarks: ranks integer keys, ten times, by a bucket sort: all ranks add
 * up the sizes of their buckets, send each other the keys of whole buckets, and count those.
 * Run it by {@code hayate run -n P -- java ...}, or alone.
 */
public final class Is implements Benchmark {
    static final NasProgram.Kind KIND =
            new NasProgram.Kind("IS", RankCount.POWER_OF_TWO, Is::new);

    /** So that no rank gets more than its memory of incoming keys has room for. */
    private static final int LEAST_BUCKETS = 8;

    private final NasJob job;
    private final IsProblem problem;
    private final IsMessages messages;
    private final IsSort sort;

    Is(NasJob job) throws UsageException {
        this.job = job;
        problem = IsProblem.of(job.options().problem());
        if (problem.buckets() / job.size() < LEAST_BUCKETS) {
            throw new UsageException(job.size() + " ranks: class " + job.options().problem()
                    + " has buckets for at most " + problem.buckets() / LEAST_BUCKETS);
        }
        Ints outgoing = job.ints(IsSort.outgoing(problem, job.size()));
        Ints incoming = job.ints(IsSort.incoming(problem, job.size()));
        messages = new IsMessages(job, IsBuckets.summed(problem), outgoing, incoming);
        sort = new IsSort(problem, job.rank(), job.size(), outgoing, incoming, messages);
    }

    public static void main(String[] args) {
        System.exit(NasProgram.run(KIND, args));
    }

    @Override
    public Work work() {
        return new Work(Integer.toString(problem.keys()), IsProblem.ITERATIONS,
                (double) IsProblem.ITERATIONS * problem.keys(), "keys ranked");
    }

    @Override
    public void prepare() {
        sort.makeKeys();
        if (job.isDamaged()) {
            sort.damage();
        }
        sort.rank(1);
        sort.forget();
    }

    @Override
    public void run() {
        for (int iteration = 1; iteration <= IsProblem.ITERATIONS; iteration++) {
            sort.rank(iteration);
        }
    }

    @Override
    public Verification verify() {
        int partial = (int) job.library().sum(sort.passed());
        int misplaced = (int) job.library().sum(sort.misplaced());
        int expected = problem.testKeys().size() * IsProblem.ITERATIONS;
        return new Verification(partial == expected && misplaced == 0, partial + " of " + expected
                + " test keys have their ranks, " + misplaced + " keys are out of order");
    }

    @Override
    public void close() {
        messages.close();
    }
}
