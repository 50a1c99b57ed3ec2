// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.internal.bindings.FmplBinding;
import io.hayate.internal.bindings.PcollBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Memory;
import java.util.Arrays;

/**
 * The arguments of a collective with two sides, {@code in} and {@code out}: of an ordinary one, or
 * of the preparation of a persistent one.
 */
public final class CollectiveCall {
    private static final long[] NO_BLOCKS = {};
    private static final int IN_BYTES = PcollBinding.IN_SIZES | PcollBinding.IN_OFFSETS;

    /** Names as in settings, indexed by the numbers of {@link PcollBinding}. */
    private static final String[] NAMES = {"barrier", "bcast", "reduce", "allreduce", "gather",
        "scatter", "allgather", "alltoall", "reduce_scatter", "scan",
        "exscan"};

    public final int collective;
    public final Memory in;
    public final Memory out;
    private final int size;
    /** The number of bytes, or of elements of the reduction, of all data or of a block. */
    public long count;
    public ReduceOp reduction;
    public int root;
    public int which;
    public long[] blocks = NO_BLOCKS;

    public CollectiveCall(int collective, CommunicatorState comm, Memory in, Memory out) {
        if (!comm.isMember()) {
            throw Errors.argument("this rank is not a member of the communicator");
        }
        this.collective = collective;
        size = comm.size();
        this.in = in;
        this.out = out;
    }

    /** Returns the name of the collective. */
    public String name() {
        return NAMES[collective];
    }

    /** Returns the name of a collective of {@link FmplBinding}. */
    static String name(int kind) {
        return kind == FmplBinding.HBCAST ? "hbcast" : NAMES[kind];
    }

    /** Returns the bytes of this rank's data. */
    public long bytes() {
        return Math.max(in == null ? 0 : in.bytes, out == null ? 0 : out.bytes);
    }

    public CollectiveCall root(int member) {
        root = member;
        return this;
    }

    public CollectiveCall reduction(ReduceOp how) {
        reduction = how;
        requireElements(in);
        requireElements(out);
        return this;
    }

    private void requireElements(Memory memory) {
        if (memory != null) {
            reduction.requireElements(memory, 0);
        }
    }

    /** Counts all of {@code in}, in bytes or in elements of the reduction. */
    public CollectiveCall countOfIn(String name) {
        return countOf(in, name);
    }

    /** Counts all of {@code out}. */
    public CollectiveCall countOfOut(String name) {
        return countOf(out, name);
    }

    private CollectiveCall countOf(Memory memory, String name) {
        long bytes = Errors.required(memory, name).bytes;
        count = reduction == null ? bytes : reduction.count(bytes);
        return this;
    }

    /** Counts one block, if {@code in} has a block for each member. */
    public CollectiveCall countOfEachIn(String name) {
        long bytes = Errors.required(in, name).bytes;
        if (bytes % size != 0) {
            throw Errors.argument(name + " has " + bytes + " bytes: expected a multiple of the "
                    + size + " members");
        }
        count = bytes / size;
        return this;
    }

    /** Prevents that joined memories are closed; a collective marks any other one. */
    void pin() {
        if (in != null && in.isJoined()) {
            in.pin();
        }
        if (out != null && out.isJoined()) {
            out.pin();
        }
    }

    void unpin() {
        if (in != null && in.isJoined()) {
            in.unpin();
        }
        if (out != null && out.isJoined()) {
            out.unpin();
        }
    }

    /** Calls it as an ordinary collective of a communicator; see {@link FmplBinding}. */
    int call(long fmpl, int comm, long inStart, long outStart, long function, int how) {
        return FmplBinding.collectiveTwoSided(fmpl, comm, collective,
                in == null ? null : in.array, inStart, in == null ? 0 : in.bytes,
                out == null ? null : out.array, outStart, out == null ? 0 : out.bytes, count,
                reduction == null ? 0 : reduction.operation(), root, function, which,
                blocks.length == 0 ? null : blocks, how);
    }

    /** Of a reduction in place: {@code in} has the data, and {@code out} gets the result. */
    public CollectiveCall apart() {
        which |= PcollBinding.APART;
        return this;
    }

    public CollectiveCall uneven() {
        which |= PcollBinding.UNEVEN;
        return this;
    }

    /** Sets lengths or offsets of blocks, in the order of the bits; null: not given. */
    public CollectiveCall blocks(int bit, long[] values, String name) {
        if (values == null) {
            return this;
        }
        if (values.length != size) {
            throw Errors.argument(name + " has " + values.length + " numbers: expected one for each"
                    + " of the " + size + " members");
        }
        if (bit != PcollBinding.IN_COUNTS) {
            requireWhole((bit & IN_BYTES) != 0 ? in : out, values, name);
        }
        int used = blocks.length;
        blocks = Arrays.copyOf(blocks, used + size);
        System.arraycopy(values, 0, blocks, used, size);
        which |= bit;
        return this;
    }

    static void requireWhole(Memory memory, long[] values, String name) {
        for (int i = 0; memory != null && i < values.length; i++) {
            if (memory.isPartial(values[i])) {
                throw Errors.argument(name + "[" + i + "] is " + values[i] + ": sizes and offsets"
                        + " of blocks are in bytes, not elements; expected a multiple of "
                        + memory.element.part().bytes() + " for " + memory.element);
            }
        }
    }
}
