// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The blocks of memory that elements of a datatype are at a target, beside packed bytes. */
final class TargetBlocks implements Piece.Leaves {
    private final Step step;
    private long left;
    private long packed;

    /** Does something with one block. */
    interface Step {
        /** Takes {@code bytes} behind {@code packed} others, and their place at the target. */
        void block(long packed, long bytes, long at);
    }

    private TargetBlocks(long bytes, Step step) {
        left = bytes;
        this.step = step;
    }

    /**
     * Visits the blocks of the first bytes of elements of a datatype.
     *
     * @param at the place of the first element
     * @param bytes at most those of all elements
     */
    static void visit(long at, Datatype type, long bytes, Step step) {
        if (bytes == 0) {
            return;
        }
        if (type.plain) {
            step.block(0, bytes, at);
            return;
        }
        TypeMap map = type.map;
        map.visit(at, (bytes + map.size - 1) / map.size, new TargetBlocks(bytes, step));
    }

    @Override
    public void blocks(long offset, long block, long count, long stride) {
        for (long i = 0; i < count && left > 0; i++) {
            long bytes = Math.min(block, left);
            step.block(packed, bytes, offset + i * stride);
            packed += bytes;
            left -= bytes;
        }
    }
}
