// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.PcollDoor;
import java.util.Arrays;

/** What the preparation of a persistent collective asks for. */
final class Preparation {
    private static final long[] NO_BLOCKS = {};

    final int collective;
    final int size;
    Span in;
    Span out;
    /** Bytes, or elements of the reduction, of the whole or of a block. */
    long count;
    Reduction reduction;
    int root;
    int which;
    long[] blocks = NO_BLOCKS;

    Preparation(int collective, Communicator comm) {
        this.collective = collective;
        size = comm.size();
    }

    /** What is in there is only read; null: nothing, as this rank has no such side. */
    Preparation in(Span span) {
        in = span;
        return this;
    }

    Preparation out(Span span) {
        out = span;
        return this;
    }

    Preparation root(int member) {
        root = member;
        return this;
    }

    Preparation count(long length) {
        count = length;
        return this;
    }

    Preparation reduction(Reduction how) {
        reduction = Errors.required(how, "reduction");
        return this;
    }

    /** A whole span of bytes, or of elements of the reduction. */
    Preparation countOf(Span span, String name) {
        long bytes = Errors.required(span, name).bytes;
        return count(reduction == null ? bytes : Collectives.count(span, reduction));
    }

    /** A span of a block for each member. */
    Preparation countOfEach(Span span, String name) {
        long bytes = Errors.required(span, name).bytes;
        if (bytes % size != 0) {
            throw Errors.argument(name + " has " + bytes + " bytes: expected a multiple of the "
                    + size + " members");
        }
        return count(bytes / size);
    }

    Preparation uneven() {
        which |= PcollDoor.UNEVEN;
        return this;
    }

    /** Lengths or places of blocks, in the order of the bits; null: not given. */
    Preparation blocks(int bit, long[] values, String name) {
        if (values == null) {
            return this;
        }
        if (values.length != size) {
            throw Errors.argument(name + " has " + values.length + " numbers: expected one for each"
                    + " of the " + size + " members");
        }
        int used = blocks.length;
        blocks = Arrays.copyOf(blocks, used + size);
        System.arraycopy(values, 0, blocks, used, size);
        which |= bit;
        return this;
    }
}
