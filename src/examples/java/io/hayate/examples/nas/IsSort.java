// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** IS but for its messages: the keys of this rank, and whether they were ranked rightly. */
final class IsSort {
    private static final double ROOM = 1.5;

    private final IsProblem problem;
    private final int rank;
    private final int[] keys;
    private final Ints outgoing;
    private final Ints incoming;
    private final IsMessages messages;
    private final IsBuckets buckets;
    private final IsRanks ranks;
    private int received;
    private int passed; // test keys of this rank's range that had their rank

    /** The two are {@link #outgoing} and {@link #incoming} ints long. */
    IsSort(IsProblem problem, int rank, int size, Ints outgoing, Ints incoming,
            IsMessages messages) {
        this.problem = problem;
        this.rank = rank;
        this.outgoing = outgoing;
        this.incoming = incoming;
        this.messages = messages;
        keys = new int[outgoing(problem, size)];
        buckets = new IsBuckets(problem, rank, size);
        ranks = new IsRanks(problem.keyLimit());
    }

    static int outgoing(IsProblem problem, int size) {
        return problem.keys() / size;
    }

    static int incoming(IsProblem problem, int size) {
        int own = outgoing(problem, size);
        return size == 1 ? own : (int) (ROOM * own);
    }

    /** A key is the mean of four random numbers; each rank draws its part of one sequence. */
    void makeKeys() {
        NpbRandom random = new NpbRandom(NpbRandom.SEED);
        random.skip(4L * rank * keys.length);
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
    void damage() {
        int last = keys.length - 1;
        keys[last] = keys[last] < problem.keyLimit() / 2 ? problem.keyLimit() - 1 : 0;
    }

    /** Collective. */
    void rank(int iteration) {
        if (rank == 0) {
            keys[iteration] = iteration;
            keys[iteration + IsProblem.ITERATIONS] = problem.keyLimit() - iteration;
        }
        buckets.distribute(keys, outgoing, messages);
        received = messages.exchange(buckets.counts());
        ranks.count(incoming, received, buckets.least(rank), buckets.limit(rank));
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

    /** How many test keys of this rank's range had their rank since the last call of forget(). */
    int passed() {
        return passed;
    }

    void forget() {
        passed = 0;
    }

    /** Keys of this rank that are smaller than the one before them, be it of the rank before. */
    int misplaced() {
        int[] sorted = ranks.sorted(incoming, received);
        int before = messages.pass(
                sorted.length == 0 ? Integer.MIN_VALUE : sorted[sorted.length - 1]);
        int misplaced = 0;
        for (int key : sorted) {
            misplaced += key < before ? 1 : 0;
            before = key;
        }
        return misplaced;
    }
}
