// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * Memory in regular distances: {@code count} blocks of {@code block} bytes, or {@code count}
 * repetitions of a body, which begin every {@code stride} bytes. Immutable; bodies are shared.
 *
 * @param offset bytes from the beginning of an element of the datatype to the first block
 * @param block bytes of each block; 0 with a body
 * @param count the blocks, at least 1
 * @param stride bytes from one block to the next, may be negative or smaller than a block
 * @param body the pieces of each repetition; null for blocks
 */
record Piece(long offset, long block, long count, long stride, Piece[] body) {
    /** Blocks, which are one block if they follow each other without a gap. */
    static Piece blocks(long offset, long block, long count, long stride) {
        return stride == block ? new Piece(offset, block * count, 1, 0, null)
                : new Piece(offset, block, count, count == 1 ? 0 : stride, null);
    }

    boolean isLeaf() {
        return body == null;
    }

    Piece shifted(long distance) {
        return distance == 0 ? this : new Piece(offset + distance, block, count, stride, body);
    }

    /** Returns this and the next piece as one; null if they are not regular together. */
    Piece joined(Piece next) {
        if (!isLeaf() || !next.isLeaf()) {
            return null;
        }
        if (count == 1 && next.count == 1 && next.offset == offset + block) {
            return new Piece(offset, block + next.block, 1, 0, null);
        }
        long distance = count > 1 ? stride : next.offset - offset;
        boolean regular = block == next.block && next.offset == offset + count * distance
                && (next.count == 1 || next.stride == distance);
        return regular ? new Piece(offset, block, count + next.count, distance, null) : null;
    }

    /** Returns all offsets, lengths and strides, combined by OR. */
    static long bits(Piece[] pieces) {
        long bits = 0;
        for (Piece piece : pieces) {
            bits |= piece.offset | piece.stride
                    | (piece.isLeaf() ? piece.block : bits(piece.body));
        }
        return bits;
    }

    /** Receives the blocks of a datatype in the order of its type map. */
    interface Leaves {
        /** Takes {@code count} blocks; the offset is in the buffer. */
        void blocks(long offset, long block, long count, long stride);
    }

    void visit(long base, Leaves leaves) {
        if (isLeaf()) {
            leaves.blocks(base + offset, block, count, stride);
            return;
        }
        for (long i = 0; i < count; i++) {
            for (Piece piece : body) {
                piece.visit(base + offset + i * stride, leaves);
            }
        }
    }
}
