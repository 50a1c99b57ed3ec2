// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static io.hayate.internal.bindings.PcollBinding.ALLTOALL;
import static io.hayate.internal.bindings.PcollBinding.IN_OFFSETS;
import static io.hayate.internal.bindings.PcollBinding.IN_SIZES;
import static io.hayate.internal.bindings.PcollBinding.OUT_OFFSETS;
import static io.hayate.internal.bindings.PcollBinding.OUT_SIZES;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.fmpl.CollectiveCall;
import io.hayate.internal.fmpl.CommunicatorState;
import io.hayate.internal.fmpl.NeighborSide;
import io.hayate.internal.job.Memory;

/**
 * The arguments of the collectives of a neighbourhood, in all forms. Each is an alltoall in which
 * members that are no neighbours have empty blocks: its schedule has no step for these.
 */
final class NeighborCalls {
    private final CommunicatorState state;
    private final NeighborSide sources;
    private final NeighborSide destinations;

    NeighborCalls(CommunicatorState state, NeighborSide sources, NeighborSide destinations) {
        this.state = state;
        this.sources = sources;
        this.destinations = destinations;
    }

    /** Returns those of a neighbourhood of all members. */
    static NeighborCalls ofAll(CommunicatorState state) {
        return new NeighborCalls(state, NeighborSide.ofAll("out", state.size()),
                NeighborSide.ofAll("in", state.size()));
    }

    private CollectiveCall call(NeighborSide.Blocks in, NeighborSide.Blocks out) {
        return new CollectiveCall(ALLTOALL, state, in.memory(), out.memory()).uneven()
                .blocks(IN_SIZES, in.sizes(), "in").blocks(IN_OFFSETS, in.offsets(), "in")
                .blocks(OUT_SIZES, out.sizes(), "out").blocks(OUT_OFFSETS, out.offsets(), "out");
    }

    private static Memory memory(Span span) {
        return span == null ? null : span.memory;
    }

    /** The length of a block: that of the input, or of the output if this member sends none. */
    private static long each(Span span, int count, String name) {
        long bytes = Errors.required(span, name).bytes();
        if (bytes % count != 0) {
            throw Errors.argument(name + " has " + bytes + " bytes: expected a multiple of the "
                    + count + " neighbours");
        }
        return bytes / count;
    }

    private long each(Span in, int blocksOfIn, Span out) {
        if (destinations.degree() > 0) {
            return each(in, blocksOfIn, "in");
        }
        return sources.degree() == 0 ? 0 : each(out, sources.degree(), "out");
    }

    CollectiveCall allgather(Span in, Span out) {
        long bytes = each(in, 1, out);
        return call(destinations.even(memory(in), bytes, true),
                sources.even(memory(out), bytes, false));
    }

    CollectiveCall allgatherv(Span in, Span out, long[] sizes, long[] offsets) {
        long bytes = destinations.degree() == 0 ? 0 : each(in, 1, "in");
        return call(destinations.even(memory(in), bytes, true),
                sources.uneven(memory(out), sizes, offsets));
    }

    CollectiveCall alltoall(Span in, Span out) {
        long bytes = each(in, destinations.degree(), out);
        return call(destinations.even(memory(in), bytes, false),
                sources.even(memory(out), bytes, false));
    }

    CollectiveCall alltoallv(Span in, long[] inSizes, long[] inOffsets, Span out, long[] outSizes,
            long[] outOffsets) {
        return call(destinations.uneven(memory(in), inSizes, inOffsets),
                sources.uneven(memory(out), outSizes, outOffsets));
    }

    CollectiveCall alltoallw(Span[] in, Span[] out) {
        return call(destinations.joined(memories(in, "in")),
                sources.joined(memories(out, "out")));
    }

    private static Memory[] memories(Span[] spans, String name) {
        Memory[] memories = new Memory[Errors.required(spans, name).length];
        for (int i = 0; i < memories.length; i++) {
            memories[i] = memory(spans[i]);
        }
        return memories;
    }
}
