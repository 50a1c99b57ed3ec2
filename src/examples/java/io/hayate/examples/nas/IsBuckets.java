// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.examples.nas.IsProblem.TestKey;
import java.util.Arrays;

/**
 * Puts the keys of this rank in order by buckets, and gives each rank adjacent buckets that hold
 * about as many keys of all ranks as it began with. The test keys travel behind the sizes of the
 * buckets, so that all ranks know them.
 */
final class IsBuckets {
    private final IsProblem problem;
    private final int rank;
    private final int shift;
    private final int keysOfRank;
    private final int[] sizes; // of this rank's buckets
    private final int[] ends; // where the next key of a bucket goes
    private final int[] totals; // sizes of all ranks' buckets; then the test keys
    private final int[] lastBuckets; // of each rank
    private final int[] counts; // keys of this rank for each rank

    IsBuckets(IsProblem problem, int rank, int size) {
        this.problem = problem;
        this.rank = rank;
        shift = problem.bucketShift();
        keysOfRank = problem.keys() / size;
        sizes = new int[problem.buckets()];
        ends = new int[problem.buckets()];
        totals = new int[summed(problem)];
        lastBuckets = new int[size];
        counts = new int[size];
    }

    /** How many numbers of all ranks are added up. */
    static int summed(IsProblem problem) {
        return problem.buckets() + problem.testKeys().size();
    }

    /** Writes the keys to `sorted` in order of their buckets. Collective. */
    void distribute(int[] keys, Ints sorted, IsMessages messages) {
        count(keys);
        sort(keys, sorted);
        findTestKeys(keys);
        messages.sum(totals);
        share();
    }

    /** Keys of this rank for each rank; in distribute()'s order. */
    int[] counts() {
        return counts;
    }

    /** Smallest key that a rank can have got. */
    int least(int ofRank) {
        return (ofRank == 0 ? 0 : lastBuckets[ofRank - 1] + 1) << shift;
    }

    /** The smallest that is too large for a rank. */
    int limit(int ofRank) {
        return lastBuckets[ofRank] + 1 << shift;
    }

    /** How many keys ranks before this one have. */
    int lesserKeys() {
        int lesser = 0;
        for (int bucket = 0; bucket < least(rank) >> shift; bucket++) {
            lesser += totals[bucket];
        }
        return lesser;
    }

    int testKey(int i) {
        return totals[problem.buckets() + i];
    }

    private void count(int[] keys) {
        Arrays.fill(sizes, 0);
        for (int key : keys) {
            sizes[key >> shift]++;
        }
        System.arraycopy(sizes, 0, totals, 0, sizes.length);
    }

    private void sort(int[] keys, Ints sorted) {
        int next = 0;
        for (int bucket = 0; bucket < ends.length; bucket++) {
            ends[bucket] = next;
            next += sizes[bucket];
        }
        for (int key : keys) {
            sorted.values().put(ends[key >> shift]++, key);
        }
    }

    /** Others leave zeros in the sum. */
    private void findTestKeys(int[] keys) {
        for (int i = 0; i < problem.testKeys().size(); i++) {
            TestKey test = problem.testKeys().get(i);
            totals[problem.buckets() + i] =
                    test.index() / keysOfRank == rank ? keys[test.index() % keysOfRank] : 0;
        }
    }

    /** A rank's buckets end where it and those before it have their part of all keys. */
    private void share() {
        int sharer = 0;
        int all = 0;
        int own = 0;
        for (int bucket = 0; bucket < sizes.length && sharer < counts.length; bucket++) {
            all += totals[bucket];
            own += sizes[bucket];
            if (all >= (sharer + 1) * keysOfRank) {
                counts[sharer] = own;
                lastBuckets[sharer++] = bucket;
                own = 0;
            }
        }
    }
}
