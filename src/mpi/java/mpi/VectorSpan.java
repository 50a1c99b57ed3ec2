// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Blocks of different lengths where native code reads or writes them: the program's own memory if
 * the datatype is plain, otherwise a packed copy in which they follow each other.
 */
final class VectorSpan {
    final Span span;
    /** In bytes. */
    final long[] sizes;
    /** In bytes; null: the blocks follow each other. */
    final long[] offsets;
    private final ByteBuffer packed;
    private final Vector vector;

    private VectorSpan(Span span, long[] sizes, long[] offsets, ByteBuffer packed, Vector vector) {
        this.span = span;
        this.sizes = sizes;
        this.offsets = offsets;
        this.packed = packed;
        this.vector = vector;
    }

    static VectorSpan ofSend(Vector vector, int ranks) {
        VectorSpan plain = plain(vector, ranks, true);
        if (plain != null) {
            return plain;
        }
        VectorSpan copy = packed(vector, ranks);
        for (int i = 0; i < ranks; i++) {
            Block block = vector.of(i);
            block.requireSent();
            Packing.pack(block.buf(), block.offset(), block.count(), block.type(), copy.packed);
        }
        return copy;
    }

    static VectorSpan ofReceive(Vector vector, int ranks) {
        VectorSpan plain = plain(vector, ranks, false);
        return plain != null ? plain : packed(vector, ranks);
    }

    /** With blocks that follow each other, because ranks may place them differently. */
    static VectorSpan ofGathered(Vector vector, int ranks) {
        if (vector.isConsecutive(ranks)) {
            VectorSpan plain = plain(vector, ranks, false);
            if (plain != null) {
                return new VectorSpan(plain.span, plain.sizes, null, null, vector);
            }
        }
        return packed(vector, ranks);
    }

    private static VectorSpan plain(Vector vector, int ranks, boolean sends) {
        vector.requireFor(ranks);
        long end = vector.end(ranks);
        if (!vector.type().plain || end < 0 || end > Integer.MAX_VALUE) {
            return null;
        }
        Block whole = new Block(vector.buf(), vector.offset(), (int) end, vector.type());
        Payload data = sends ? whole.sent() : whole.room();
        if (data.isCopy()) {
            return null;
        }
        long[] sizes = sizes(vector, ranks);
        long[] offsets = new long[ranks];
        for (int i = 0; i < ranks; i++) {
            offsets[i] = sizes[i] == 0 ? 0 : vector.displs()[i] * vector.type().bytes;
        }
        return new VectorSpan(data.span(), sizes, offsets, null, vector);
    }

    private static long[] sizes(Vector vector, int ranks) {
        long[] sizes = new long[ranks];
        for (int i = 0; i < ranks; i++) {
            sizes[i] = vector.counts()[i] * vector.type().bytes;
        }
        return sizes;
    }

    private static VectorSpan packed(Vector vector, int ranks) {
        long[] sizes = sizes(vector.requireFor(ranks), ranks);
        long all = 0;
        for (int i = 0; i < ranks; i++) {
            vector.of(i).requireSent();
            all += sizes[i];
        }
        if (all > Integer.MAX_VALUE - 8) {
            throw new MPIException(ErrorClass.COUNT, "the blocks have " + all + " bytes that are"
                    + " not in their places: expected less than 2 GiB; use several calls");
        }
        ByteBuffer copy = ByteBuffer.allocateDirect((int) all).order(ByteOrder.nativeOrder());
        return new VectorSpan(Span.of(copy), sizes, null, copy, vector);
    }

    /** Stores what has come in the program's memory. */
    void store() {
        if (packed == null) {
            return;
        }
        packed.clear();
        int at = 0;
        for (int i = 0; i < sizes.length; i++) {
            Block to = vector.of(i);
            packed.limit(at + (int) sizes[i]).position(at);
            Packing.unpack(packed, to.buf(), to.offset(), to.count(), to.type());
            at += (int) sizes[i];
        }
    }
}
