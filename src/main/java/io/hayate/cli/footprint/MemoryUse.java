// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.footprint;

/**
 * What somebody takes of the machine's memory.
 *
 * @param memory KiB of pages; those that several share count for each in parts
 * @param pageTables KiB of page tables, which are not in the former
 */
public record MemoryUse(long memory, long pageTables) {
    /** Nothing. */
    public static final MemoryUse NONE = new MemoryUse(0, 0);

    /**
     * Both together.
     *
     * @param other to be added
     * @return the sums
     */
    public MemoryUse plus(MemoryUse other) {
        return new MemoryUse(memory + other.memory, pageTables + other.pageTables);
    }

    /**
     * Memory and page tables together.
     *
     * @return KiB
     */
    public long together() {
        return memory + pageTables;
    }

    /**
     * The rest.
     *
     * @param other to be taken away
     * @return the differences, which may be negative
     */
    public MemoryUse minus(MemoryUse other) {
        return new MemoryUse(memory - other.memory, pageTables - other.pageTables);
    }
}
