// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pcoll;

import io.hayate.internal.Errors;
import io.hayate.internal.PcollBinding;
import io.hayate.internal.fmpl.CommunicatorState;
import io.hayate.internal.fmpl.ReduceOp;
import io.hayate.internal.job.Memory;
import java.util.Arrays;

/** The arguments for the preparation of a persistent collective. */
public final class Preparation {
    private static final long[] NO_BLOCKS = {};

    /** Names as in settings, indexed by the numbers of {@link PcollBinding}. */
    private static final String[] NAMES = {"barrier", "bcast", "reduce", "allreduce", "gather",
        "scatter", "allgather", "alltoall", "reduce_scatter"};

    final int collective;
    final int size;
    public Memory in;
    public Memory out;
    /** The number of bytes, or of elements of the reduction, of all data or of a block. */
    long count;
    public ReduceOp reduction;
    public int root;
    int which;
    public long[] blocks = NO_BLOCKS;

    public Preparation(int collective, CommunicatorState comm, Memory in, Memory out) {
        this.collective = collective;
        size = comm.size();
        this.in = in;
        this.out = out;
    }

    /** Returns the name of the collective. */
    public String name() {
        return NAMES[collective];
    }

    public Preparation root(int member) {
        root = member;
        return this;
    }

    public Preparation reduction(ReduceOp how) {
        reduction = how;
        requireElements(in);
        requireElements(out);
        return this;
    }

    private void requireElements(Memory memory) {
        if (memory != null) {
            reduction.requireElements(memory);
        }
    }

    /** Counts all of {@code in}, in bytes or in elements of the reduction. */
    public Preparation countOfIn(String name) {
        return countOf(in, name);
    }

    /** Counts all of {@code out}. */
    public Preparation countOfOut(String name) {
        return countOf(out, name);
    }

    private Preparation countOf(Memory memory, String name) {
        long bytes = Errors.required(memory, name).bytes;
        count = reduction == null ? bytes : reduction.count(bytes);
        return this;
    }

    /** Counts one block, if {@code in} has a block for each member. */
    public Preparation countOfEachIn(String name) {
        long bytes = Errors.required(in, name).bytes;
        if (bytes % size != 0) {
            throw Errors.argument(name + " has " + bytes + " bytes: expected a multiple of the "
                    + size + " members");
        }
        count = bytes / size;
        return this;
    }

    public Preparation uneven() {
        which |= PcollBinding.UNEVEN;
        return this;
    }

    /** Sets lengths or offsets of blocks, in the order of the bits; null: not given. */
    public Preparation blocks(int bit, long[] values, String name) {
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
