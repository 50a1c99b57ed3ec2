// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** What the ranks of IS tell each other. All methods are collective. */
interface IsMessages extends AutoCloseable {
    /** Replaces numbers by their sums over all ranks; always as many. */
    void sum(int[] numbers);

    /** Sends, one after the other, `counts[i]` keys to rank i; how many came. */
    int exchange(int[] counts);

    /** Passes a key to the rank after this one; that of the rank before, or the smallest int. */
    int pass(int key);

    @Override
    void close();
}
