// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.Arrays;

/** Ranks the keys that a rank got, all of its own range, by counting them. */
final class IsRanks {
    private final int[] upTo; // keys of the range that are not larger than this one
    private int least;
    private int limit;

    IsRanks(int keyLimit) {
        upTo = new int[keyLimit];
    }

    /** Ranks the first `count` keys, which are at least `least` and below `limit`. */
    void count(Ints keys, int count, int least, int limit) {
        this.least = least;
        this.limit = limit;
        Arrays.fill(upTo, 0, limit - least, 0);
        for (int i = 0; i < count; i++) {
            upTo[keys.values().get(i) - least]++;
        }
        for (int i = 1; i < limit - least; i++) {
            upTo[i] += upTo[i - 1];
        }
    }

    boolean covers(int key) {
        return key >= least && key < limit;
    }

    /** How many keys of the range are smaller. */
    int smallerThan(int key) {
        return key == least ? 0 : upTo[key - 1 - least];
    }

    /** Puts the keys that were counted where their ranks say; once after each count(). */
    int[] sorted(Ints keys, int count) {
        int[] sorted = new int[count];
        for (int i = 0; i < count; i++) {
            int key = keys.values().get(i);
            sorted[--upTo[key - least]] = key;
        }
        return sorted;
    }
}
