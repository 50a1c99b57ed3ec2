// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

/**
 * What a program does with its data around a message: writes them before, reads them after. One
 * double of each cache line is enough to bring the line into the core that computes, so the caches
 * are in the state that a program finds them in, for the least work. Nothing happens if the data
 * are to be stale, nor to messages of less than 8 bytes.
 */
final class Lines {
    private final boolean stale;
    private int bytes;
    private double wrong;

    Lines(boolean stale) {
        this.stale = stale;
    }

    void size(int bytes) {
        this.bytes = bytes;
        wrong = 0;
    }

    /** Writes {@code turn + offset} into the first double of each line. */
    void write(Memory memory, int from, long turn) {
        if (!stale) {
            memory.writeLines(from, bytes, turn);
        }
    }

    /** Reads the first double of each line; notes if it is not {@code times} what was written. */
    void read(Memory memory, int from, long turn, int times) {
        if (!stale) {
            wrong += memory.readLines(from, bytes, turn, times);
        }
    }

    /** Returns whether all that was read since {@link #size} was right. */
    boolean right() {
        return wrong == 0;
    }
}
