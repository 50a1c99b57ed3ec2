// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static io.hayate.internal.bindings.PcollBinding.ALLGATHER;
import static io.hayate.internal.bindings.PcollBinding.ALLREDUCE;
import static io.hayate.internal.bindings.PcollBinding.ALLTOALL;
import static io.hayate.internal.bindings.PcollBinding.BARRIER;
import static io.hayate.internal.bindings.PcollBinding.BCAST;
import static io.hayate.internal.bindings.PcollBinding.EXSCAN;
import static io.hayate.internal.bindings.PcollBinding.GATHER;
import static io.hayate.internal.bindings.PcollBinding.IN_COUNTS;
import static io.hayate.internal.bindings.PcollBinding.IN_OFFSETS;
import static io.hayate.internal.bindings.PcollBinding.IN_SIZES;
import static io.hayate.internal.bindings.PcollBinding.OUT_OFFSETS;
import static io.hayate.internal.bindings.PcollBinding.OUT_SIZES;
import static io.hayate.internal.bindings.PcollBinding.REDUCE;
import static io.hayate.internal.bindings.PcollBinding.REDUCE_SCATTER;
import static io.hayate.internal.bindings.PcollBinding.SCAN;
import static io.hayate.internal.bindings.PcollBinding.SCATTER;

import io.hayate.internal.fmpl.CollectiveCall;
import io.hayate.internal.fmpl.CommunicatorState;

/**
 * The arguments of the collectives of a communicator, blocking and non-blocking. Each method checks
 * what can be checked before the call; its rules are those of the method of {@link Communicator}.
 */
final class CommunicatorCalls {
    private final CommunicatorState state;
    /** Created at the first use. */
    private volatile NeighborCalls all;

    CommunicatorCalls(CommunicatorState state) {
        this.state = state;
    }

    /** A null span means that this rank has no buffer on that side. */
    private CollectiveCall call(int collective, Span in, Span out) {
        return new CollectiveCall(collective, state, in == null ? null : in.memory,
                out == null ? null : out.memory);
    }

    CollectiveCall barrier() {
        return call(BARRIER, null, null);
    }

    CollectiveCall bcast(Span buffer, int root) {
        return call(BCAST, null, buffer).countOfOut("buffer").root(root);
    }

    CollectiveCall reduce(Span buffer, Reduction reduction, int root) {
        return call(REDUCE, null, buffer).reduction(Reduction.op(reduction)).countOfOut("buffer")
                .root(root);
    }

    CollectiveCall allreduce(Span buffer, Reduction reduction) {
        return call(ALLREDUCE, null, buffer).reduction(Reduction.op(reduction))
                .countOfOut("buffer");
    }

    CollectiveCall reduce(Span in, Span out, Reduction reduction, int root) {
        return call(REDUCE, in, out).apart().reduction(Reduction.op(reduction)).countOfIn("in")
                .root(root);
    }

    CollectiveCall allreduce(Span in, Span out, Reduction reduction) {
        return call(ALLREDUCE, in, out).apart().reduction(Reduction.op(reduction))
                .countOfIn("in");
    }

    CollectiveCall gather(Span in, Span out, int root) {
        return call(GATHER, in, out).countOfIn("in").root(root);
    }

    CollectiveCall gatherv(Span in, Span out, long[] sizes, long[] offsets, int root) {
        return call(GATHER, in, out).uneven().countOfIn("in").root(root)
                .blocks(OUT_SIZES, sizes, "sizes").blocks(OUT_OFFSETS, offsets, "offsets");
    }

    CollectiveCall scatter(Span in, Span out, int root) {
        return call(SCATTER, in, out).countOfOut("out").root(root);
    }

    CollectiveCall scatterv(Span in, long[] sizes, long[] offsets, Span out, int root) {
        return call(SCATTER, in, out).uneven().countOfOut("out").root(root)
                .blocks(IN_SIZES, sizes, "sizes").blocks(IN_OFFSETS, offsets, "offsets");
    }

    CollectiveCall allgather(Span in, Span out) {
        return call(ALLGATHER, in, out).countOfIn("in");
    }

    CollectiveCall allgatherv(Span in, Span out, long[] sizes, long[] offsets) {
        return call(ALLGATHER, in, out).uneven().blocks(OUT_SIZES, sizes, "sizes")
                .blocks(OUT_OFFSETS, offsets, "offsets");
    }

    CollectiveCall alltoall(Span in, Span out) {
        return call(ALLTOALL, in, out).countOfEachIn("in");
    }

    CollectiveCall alltoallv(Span in, long[] inSizes, long[] inOffsets, Span out, long[] outSizes,
            long[] outOffsets) {
        return call(ALLTOALL, in, out).uneven()
                .blocks(IN_SIZES, inSizes, "inSizes").blocks(IN_OFFSETS, inOffsets, "inOffsets")
                .blocks(OUT_SIZES, outSizes, "outSizes")
                .blocks(OUT_OFFSETS, outOffsets, "outOffsets");
    }

    CollectiveCall alltoallw(Span[] in, Span[] out) {
        NeighborCalls known = all;
        if (known == null) {
            known = NeighborCalls.ofAll(state);
            all = known;
        }
        return known.alltoallw(in, out);
    }

    CollectiveCall reduceScatter(Span in, Span out, Reduction reduction) {
        return call(REDUCE_SCATTER, in, out).reduction(Reduction.op(reduction)).countOfOut("out");
    }

    CollectiveCall reduceScatterv(Span in, Span out, long[] counts, Reduction reduction) {
        return call(REDUCE_SCATTER, in, out).uneven().reduction(Reduction.op(reduction))
                .blocks(IN_COUNTS, counts, "counts");
    }

    CollectiveCall scan(Span in, Span out, Reduction reduction) {
        return call(SCAN, in, out).reduction(Reduction.op(reduction)).countOfIn("in");
    }

    CollectiveCall exscan(Span in, Span out, Reduction reduction) {
        return call(EXSCAN, in, out).reduction(Reduction.op(reduction)).countOfIn("in");
    }
}
