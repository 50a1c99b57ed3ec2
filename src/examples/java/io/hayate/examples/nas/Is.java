// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Span;

/**
 * IS of the NAS Parallel Benchmarks: ranks integer keys, ten times, by a bucket sort: all ranks add
 * up the sizes of their buckets, send each other the keys of whole buckets, and count those.
 * Run it by {@code hayate run -n P -- java ...}, or alone.
 */
public final class Is implements Benchmark {
    /** So that no rank gets more than {@link #ROOM} of what it began with. */
    private static final int LEAST_BUCKETS = 8;
    private static final double ROOM = 1.5;
    private static final int LARGEST = 2; // a matching-area index

    private final NasJob job;
    private final IsProblem problem;
    private final int[] keys;
    private final Ints outgoing;
    private final Ints incoming;
    private final IsBuckets buckets;
    private final IsExchange exchange;
    private final IsRanks ranks;
    private int received;
    private int passed; // test keys of this rank's range that had their rank

    Is(NasJob job) throws UsageException {
        this.job = job;
        problem = IsProblem.of(job.options().problem());
        if (problem.buckets() / job.size() < LEAST_BUCKETS) {
            throw new UsageException(job.size() + " ranks: class " + job.options().problem()
                    + " has buckets for at most " + problem.buckets() / LEAST_BUCKETS);
        }
        keys = new int[problem.keys() / job.size()];
        outgoing = job.buffers().ints(keys.length);
        incoming = job.buffers().ints(job.size() == 1 ? keys.length : (int) (ROOM * keys.length));
        buckets = new IsBuckets(job, problem);
        exchange = new IsExchange(job, outgoing, incoming);
        ranks = new IsRanks(problem.keyLimit());
    }

    public static void main(String[] args) {
        System.exit(NasProgram.run("IS", RankCount.POWER_OF_TWO, Is::new, args));
    }

    @Override
    public Work work() {
        return new Work(Integer.toString(problem.keys()), IsProblem.ITERATIONS,
                (double) IsProblem.ITERATIONS * problem.keys(), "keys ranked");
    }

    @Override
    public void prepare() {
        makeKeys();
        if (job.isDamaged()) {
            damage();
        }
        rank(1);
        passed = 0;
    }

    @Override
    public void run() {
        for (int iteration = 1; iteration <= IsProblem.ITERATIONS; iteration++) {
            rank(iteration);
        }
    }

    @Override
    public Verification verify() {
        int partial = (int) job.sum(passed);
        int misplaced = (int) job.sum(misplaced());
        int expected = problem.testKeys().size() * IsProblem.ITERATIONS;
        return new Verification(partial == expected && misplaced == 0, partial + " of " + expected
                + " test keys have their ranks, " + misplaced + " keys are out of order");
    }

    /** A key is the mean of four random numbers; each rank draws its part of one sequence. */
    private void makeKeys() {
        NpbRandom random = new NpbRandom(NpbRandom.SEED);
        random.skip(4L * job.rank() * keys.length);
        double quarter = problem.keyLimit() / 4;
        for (int i = 0; i < keys.length; i++) {
            double sum = random.next();
            sum += random.next();
            sum += random.next();
            sum += random.next();
            keys[i] = (int) (quarter * sum);
        }
    }

    /** A key goes to the other end, past test keys on the way. */
    private void damage() {
        int last = keys.length - 1;
        keys[last] = keys[last] < problem.keyLimit() / 2 ? problem.keyLimit() - 1 : 0;
    }

    private void rank(int iteration) {
        if (job.rank() == 0) {
            keys[iteration] = iteration;
            keys[iteration + IsProblem.ITERATIONS] = problem.keyLimit() - iteration;
        }
        buckets.distribute(keys, outgoing);
        received = exchange.run(buckets.counts());
        ranks.count(incoming, received, buckets.least(job.rank()), buckets.limit(job.rank()));
        verifyTestKeys(iteration);
    }

    private void verifyTestKeys(int iteration) {
        int lesser = buckets.lesserKeys();
        for (int i = 0; i < problem.testKeys().size(); i++) {
            int key = buckets.testKey(i);
            if (ranks.covers(key) && lesser + ranks.smallerThan(key)
                    == problem.testKeys().get(i).rankIn(iteration)) {
                passed++;
            }
        }
    }

    /** Keys of this rank that are smaller than the one before them, be it of the rank before. */
    private int misplaced() {
        int[] sorted = ranks.sorted(incoming, received);
        int[] before = {Integer.MIN_VALUE};
        int[] largest = {sorted.length == 0 ? Integer.MIN_VALUE : sorted[sorted.length - 1]};
        if (job.rank() + 1 < job.size()) {
            job.fmpl().send(Span.of(largest), job.rank() + 1, LARGEST);
        }
        if (job.rank() > 0) {
            job.fmpl().recv(Span.of(before), job.rank() - 1, LARGEST);
        }
        int misplaced = 0;
        for (int i = 0; i < sorted.length; i++) {
            misplaced += sorted[i] < (i == 0 ? before[0] : sorted[i - 1]) ? 1 : 0;
        }
        return misplaced;
    }

    @Override
    public void close() {
        exchange.close();
        buckets.close();
    }
}
