// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

/**
 * An amount of memory.
 *
 * @param memory KiB of pages; a shared page counts in equal parts for each process
 * @param pageTables KiB of page tables, which are not part of memory
 */
public record MemoryUse(long memory, long pageTables) {
    /** Nothing. */
    public static final MemoryUse NONE = new MemoryUse(0, 0);

    /**
     * Adds another amount.
     *
     * @param other the amount to add
     * @return the sums
     */
    public MemoryUse plus(MemoryUse other) {
        return new MemoryUse(memory + other.memory, pageTables + other.pageTables);
    }

    /**
     * Returns memory and page tables together.
     *
     * @return KiB
     */
    public long together() {
        return memory + pageTables;
    }

    /**
     * Subtracts another amount.
     *
     * @param other the amount to subtract
     * @return the differences, which may be negative
     */
    public MemoryUse minus(MemoryUse other) {
        return new MemoryUse(memory - other.memory, pageTables - other.pageTables);
    }
}
