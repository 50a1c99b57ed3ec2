// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** What the ranks of IS tell each other. All methods are collective. */
final class IsMessages implements AutoCloseable {
    private static final int LARGEST = 2; // a tag

    private final NasJob job;
    private final Ints numbers;
    private final Sum sum;
    private final IsExchange exchange;
    private final Ints own;
    private final Ints before;
    private final Transfer toNext;
    private final Transfer fromBefore;

    /** Collective. `summed` is how many numbers are added up. */
    IsMessages(NasJob job, int summed, Ints outgoing, Ints incoming) {
        this.job = job;
        numbers = job.ints(summed);
        sum = new Sum(job, numbers.all());
        exchange = new IsExchange(job, outgoing, incoming);
        own = job.ints(1);
        before = job.ints(1);
        toNext = job.library().send(own.all(), job.rank() + 1, LARGEST);
        fromBefore = job.library().receive(before.all(), job.rank() - 1, LARGEST);
    }

    /** Replaces numbers by their sums over all ranks; always as many. */
    void sum(int[] ofThisRank) {
        numbers.values().put(0, ofThisRank);
        sum.run();
        numbers.values().get(0, ofThisRank);
    }

    /** Sends, one after the other, `counts[i]` keys to rank i; how many came. */
    int exchange(int[] counts) {
        return exchange.run(counts);
    }

    /** Passes a key to the rank after this one; that of the rank before, or the smallest int. */
    int pass(int key) {
        before.values().put(0, Integer.MIN_VALUE);
        own.values().put(0, key);
        if (job.rank() + 1 < job.size()) {
            toNext.run();
        }
        if (job.rank() > 0) {
            fromBefore.run();
        }
        return before.values().get(0);
    }

    @Override
    public void close() {
        exchange.close();
        sum.close();
    }
}
