// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import java.util.Locale;

/** The benchmarks of {@code hayate perf}. */
public enum Bench {
    /** Half round trips of two ranks. */
    PINGPONG("8:1M", 2),
    /** Half round trips of two ranks, long messages. */
    BANDWIDTH("64K:8M", 2),
    /** Messages one after the other in one direction. */
    RATE("8", 64),
    /** Broadcasts; the root moves on. */
    BCAST("8,8K,256K", 1),
    /** Broadcasts by the fastest method of the machine; the root moves on. */
    HBCAST("8,8K,256K", 1),
    /** Sums of doubles to a root, which moves on. */
    REDUCE("8,8K,256K", 1),
    /** Sums of doubles to all. */
    ALLREDUCE("8,8K,256K", 1),
    /** A block from each rank to each other one. */
    ALLTOALL("8,1K,16K", 1),
    /** Barriers. */
    BARRIER("0", 1);

    private final String defaultBytes;
    private final int messages;

    Bench(String defaultBytes, int messages) {
        this.defaultBytes = defaultBytes;
        this.messages = messages;
    }

    /**
     * Returns the default sizes.
     *
     * @return a list in the syntax of {@code --bytes}
     */
    public String defaultBytes() {
        return defaultBytes;
    }

    /** Returns the number of messages or calls of one turn. */
    int messages() {
        return messages;
    }

    /**
     * Returns whether it measures pairs of ranks.
     *
     * @return true for messages, false for collectives
     */
    public boolean isPointToPoint() {
        return compareTo(RATE) <= 0;
    }

    /**
     * Returns whether it sums doubles.
     *
     * @return true for those whose sizes are multiples of 8
     */
    public boolean isReduction() {
        return this == REDUCE || this == ALLREDUCE;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
