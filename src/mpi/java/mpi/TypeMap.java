// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.List;

/**
 * Where the bytes of one element of a datatype are, in their order, and its bounds. Elements repeat
 * by the extent. Regular parts are stored once, so a vector of any length is one piece. All numbers
 * are bytes, for arrays of objects places. Immutable.
 */
final class TypeMap {
    /** The map of no data. */
    static final TypeMap EMPTY = new Builder().build();
    /** The markers of bounds of mpiJava, which prevail over the bounds of data. */
    static final TypeMap LB_MARKER = new TypeMap(EMPTY, 0, 0, true, false);
    static final TypeMap UB_MARKER = new TypeMap(EMPTY, 0, 0, false, true);

    final Piece[] pieces;
    final Signature signature;
    final long size;
    final long lb;
    final long ub;
    final long trueLb;
    final long trueUb;
    private final boolean lbSet;
    private final boolean ubSet;
    /** The alignment of C, to which extents are rounded up that nobody has set. */
    private final int align;
    /** All offsets, lengths and strides, combined by OR: what divides it divides all of them. */
    private final long bits;

    private TypeMap(Builder from) {
        pieces = from.pieces.toArray(new Piece[0]);
        signature = from.signature.build();
        size = from.size;
        boolean bounded = from.lb != Long.MAX_VALUE;
        lb = bounded ? from.lb : 0;
        long end = bounded ? from.ub : 0;
        ub = from.ubSet ? end : end + Math.floorMod(lb - end, from.align);
        trueLb = size > 0 ? from.trueLb : 0;
        trueUb = size > 0 ? from.trueUb : 0;
        lbSet = from.lbSet;
        ubSet = from.ubSet;
        align = from.align;
        bits = Piece.bits(pieces);
    }

    /** The same data with other bounds. */
    private TypeMap(TypeMap from, long lb, long ub, boolean lbSet, boolean ubSet) {
        pieces = from.pieces;
        signature = from.signature;
        size = from.size;
        this.lb = lb;
        this.ub = ub;
        trueLb = from.trueLb;
        trueUb = from.trueUb;
        this.lbSet = lbSet;
        this.ubSet = ubSet;
        align = from.align;
        bits = from.bits;
    }

    /** The map of a predefined datatype; the second part of a pair is aligned as in C. */
    static TypeMap of(Kind kind) {
        if (kind.first == null) {
            return new Builder(kind).build();
        }
        TypeMap second = of(kind.second);
        long displacement = Math.max(kind.first.bytes, second.size);
        return new Builder().add(of(kind.first), 0, 1).add(second, displacement, 1).build();
    }

    long extent() {
        return ub - lb;
    }

    TypeMap resized(int newLb, long extent) {
        return new TypeMap(this, newLb, newLb + extent, true, true);
    }

    /** Returns whether any number of elements are one block from the beginning of the buffer. */
    boolean isContiguous() {
        return size == 0 || trueLb == 0 && extent() == size && isBlock();
    }

    private boolean isBlock() {
        return pieces.length == 1 && pieces[0].isLeaf() && pieces[0].count() == 1;
    }

    /** Returns the blocks of some elements as one piece without a body; null if irregular. */
    Piece regular(long count) {
        if (pieces.length != 1 || !pieces[0].isLeaf() || count == 0) {
            return null;
        }
        Piece piece = pieces[0];
        if (count == 1) {
            return piece;
        }
        return piece.count() == 1 ? Piece.blocks(piece.offset(), piece.block(), count, extent())
                : extent() != piece.count() * piece.stride() ? null
                : Piece.blocks(piece.offset(), piece.block(), count * piece.count(),
                        piece.stride());
    }

    /** Visits the blocks of some elements, the first of which begins at a base. */
    void visit(long base, long count, Piece.Leaves leaves) {
        Piece whole = regular(count);
        if (whole != null) {
            whole.visit(base, leaves);
            return;
        }
        for (long i = 0; i < count; i++) {
            for (Piece piece : pieces) {
                piece.visit(base + i * extent(), leaves);
            }
        }
    }

    /** Returns the largest power of two, at most 8, that divides all places of some elements. */
    int granularity(long count) {
        long places = isContiguous() ? count * size : bits | (count > 1 ? extent() : 0);
        return (int) Long.lowestOneBit(places | Long.BYTES);
    }

    /** Appends elements of other types. Numbers that do not fit a long are ArithmeticExceptions. */
    static final class Builder {
        private final List<Piece> pieces = new ArrayList<>();
        private final Signature.Builder signature = new Signature.Builder();
        private long size;
        private long lb = Long.MAX_VALUE;
        private long ub = Long.MIN_VALUE;
        private long trueLb = Long.MAX_VALUE;
        private long trueUb = Long.MIN_VALUE;
        private boolean lbSet;
        private boolean ubSet;
        private int align = 1;

        Builder() {
        }

        private Builder(Kind kind) {
            if (kind != Kind.NONE) {
                pieces.add(new Piece(0, kind.bytes, 1, 0, null));
                signature.add(Signature.of(kind), 1);
                size = kind.bytes;
                bounds(0, size, false, false);
                trueBounds(0, size);
                align = kind.bytes;
            }
        }

        /** Appends elements that follow each other by their extent. */
        Builder add(TypeMap old, long displacement, long count) {
            return add(old, displacement, count, old.extent());
        }

        /** Appends {@code count} elements every {@code stride} bytes. */
        Builder add(TypeMap old, long displacement, long count, long stride) {
            if (count == 0 || old.size == 0 && !old.lbSet && !old.ubSet) {
                return this;
            }
            long last = Math.multiplyExact(count - 1, stride);
            long low = Math.addExact(displacement, Math.min(0, last));
            long high = Math.addExact(displacement, Math.max(0, last));
            bounds(Math.addExact(low, old.lb), Math.addExact(high, old.ub), old.lbSet, old.ubSet);
            align = Math.max(align, old.align);
            if (old.size > 0) {
                size = Math.addExact(size, Math.multiplyExact(count, old.size));
                trueBounds(Math.addExact(low, old.trueLb), Math.addExact(high, old.trueUb));
                signature.add(old.signature, count);
                repeat(old.pieces, displacement, count, stride);
            }
            return this;
        }

        /** A bound that was set prevails; if both or none were set, the outer one does. */
        private void bounds(long low, long high, boolean lowSet, boolean highSet) {
            lb = lowSet == lbSet ? Math.min(lb, low) : lowSet ? low : lb;
            ub = highSet == ubSet ? Math.max(ub, high) : highSet ? high : ub;
            lbSet |= lowSet;
            ubSet |= highSet;
        }

        private void trueBounds(long low, long high) {
            trueLb = Math.min(trueLb, low);
            trueUb = Math.max(trueUb, high);
        }

        private void repeat(Piece[] old, long displacement, long count, long stride) {
            Piece only = old.length == 1 && old[0].isLeaf() ? old[0] : null;
            if (count == 1) {
                for (Piece piece : old) {
                    append(piece.shifted(displacement));
                }
            } else if (only != null && only.count() == 1) {
                append(Piece.blocks(only.offset() + displacement, only.block(), count, stride));
            } else if (only != null && stride == only.count() * only.stride()) {
                append(Piece.blocks(only.offset() + displacement, only.block(),
                        count * only.count(), stride / only.count()));
            } else {
                append(new Piece(displacement, 0, count, stride, old));
            }
        }

        private void append(Piece piece) {
            int last = pieces.size() - 1;
            Piece joined = last < 0 ? null : pieces.get(last).joined(piece);
            if (joined != null) {
                pieces.set(last, joined);
            } else {
                pieces.add(piece);
            }
        }

        TypeMap build() {
            Math.subtractExact(Math.max(0, ub), Math.min(0, lb)); // the extent fits, too
            return new TypeMap(this);
        }
    }
}
