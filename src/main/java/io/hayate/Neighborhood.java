// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.fmpl.CollectiveCall;
import io.hayate.internal.fmpl.CollectiveOperation;
import io.hayate.internal.fmpl.NeighborGraph;
import io.hayate.internal.fmpl.NeighborSide;
import io.hayate.internal.pcoll.OperationState;
import java.util.Arrays;

/**
 * The neighbours of this rank in a directed graph on the members of a {@link Communicator}, with
 * which it exchanges blocks of data: like the neighbourhood collectives of MPI on a distributed
 * graph. Made by {@link Communicator#neighbors} of any graph, and by {@link Cartesian#neighbors} of
 * a grid.
 *
 * <p>Each member has a list of sources, from which it receives, and a list of destinations, to
 * which it sends. A member may be in a list several times, and this rank itself may be. The first
 * block that a member sends to another one is the first that this one receives from it, and so on.
 * In place of a member, {@link Fmpl#NO_RANK} means that nothing is sent, or that the block of
 * {@code out} does not change.
 *
 * <p>All members call the same collectives in the same order, also those without neighbours; only
 * neighbours exchange messages and wait for each other. They are collectives of the communicator,
 * which runs one at a time. What {@link Communicator} says about memory, non-blocking forms, giving
 * up and exceptions holds here, and what {@link PersistentColl} says about preparation.
 *
 * <!-- java: Fmpl fmpl; int left, right; double[] mine; -->
 * <pre>{@code
 * Neighborhood ring = fmpl.world().neighbors(new int[] {left, right}, new int[] {left, right});
 * double[] theirs = new double[2 * mine.length];
 * ring.allgather(Span.of(mine), Span.of(theirs));        // of the left one, of the right one
 * }</pre>
 *
 * <p>Blocks of {@code in} may overlap, those of {@code out} must not. Blocks of unequal length have
 * sizes and offsets in bytes, one for each neighbour in its list; without offsets they follow each
 * other. If a list names a member several times, its side is copied, and must not consist of blocks
 * ({@link Span#strided}).
 *
 * <p>Any number of threads may use it. It lives as long as its communicator.
 */
public final class Neighborhood {
    private final Communicator communicator;
    private final NeighborSide sources;
    private final NeighborSide destinations;
    private final NeighborCalls calls;

    private Neighborhood(Communicator communicator, NeighborGraph graph) {
        this.communicator = communicator;
        sources = graph.sources;
        destinations = graph.destinations;
        calls = new NeighborCalls(communicator.state, sources, destinations);
    }

    /** Collective; flip as in NeighborSide, of the destinations. */
    static Neighborhood of(Communicator communicator, int[] sources, int[] destinations,
            int flip) {
        if (!communicator.isMember()) {
            throw Errors.argument("this rank is not a member of the communicator");
        }
        int size = communicator.size();
        NeighborGraph graph = new NeighborGraph(communicator.state,
                new NeighborSide("sources", sources, size, 0),
                new NeighborSide("destinations", destinations, size, flip));
        long[] heard = new long[size];
        communicator.alltoall(Span.of(graph.told()), Span.of(heard));
        long[] verdict = {graph.verdict(heard)};
        communicator.allreduce(Span.of(verdict), Reduction.LONG_MAX);
        if (verdict[0] != 0) {
            throw new MismatchException(graph.reason(heard, verdict[0]),
                    graph.culprit(heard, verdict[0]));
        }
        return new Neighborhood(communicator, graph);
    }

    /**
     * Returns the communicator.
     *
     * @return that on whose members the graph is
     */
    public Communicator communicator() {
        return communicator;
    }

    /**
     * Returns the members from which this rank receives.
     *
     * @return a copy of the list, in the order of the blocks
     */
    public int[] sources() {
        return sources.peers();
    }

    /**
     * Returns the members to which this rank sends.
     *
     * @return a copy of the list, in the order of the blocks
     */
    public int[] destinations() {
        return destinations.peers();
    }

    private void run(CollectiveCall what) {
        communicator.fmpl.collectives().twoSided(what, communicator.state);
    }

    private Request start(CollectiveCall what) {
        return new Request(CollectiveOperation.start(
                communicator.fmpl, communicator.state, what));
    }

    /** Unless the program decides, an algorithm in which only neighbours signal each other. */
    private PersistentOperation open(CollectiveCall what, CollOptions options) {
        CollOptions near = Errors.required(options, "options").algorithm().isEmpty()
                ? options.algorithm("linear") : options;
        if (near.sync() == CollOptions.Sync.AUTO) {
            near = near.sync(CollOptions.Sync.COUNTERS);
        }
        return OperationState.open(communicator.fmpl, communicator.state, what, near.toString(),
                "", PersistentOperation::new);
    }

    /**
     * Sends one block to all destinations, and receives one of each source.
     *
     * @param in the block of this rank, of the same length on every member; may be null without
     *     destinations
     * @param out a block for each source; may be null without sources
     * @throws HayateException the exceptions that {@link Communicator} describes
     */
    public void allgather(Span in, Span out) {
        run(calls.allgather(in, out));
    }

    /**
     * Sends one block to all destinations, and receives one of each source, of any lengths.
     *
     * @param in the block of this rank
     * @param out the blocks of the sources
     * @param sizes the length of the block of each source
     * @param offsets where it begins in {@code out}; null: the blocks follow each other
     * @throws HayateException the exceptions that {@link Communicator} describes
     */
    public void allgatherv(Span in, Span out, long[] sizes, long[] offsets) {
        run(calls.allgatherv(in, out, sizes, offsets));
    }

    /**
     * Sends a block to each destination, and receives one of each source.
     *
     * @param in a block for each destination, all of the same length, which is that of all members;
     *     may be null without destinations
     * @param out a block for each source; may be null without sources
     * @throws HayateException the exceptions that {@link Communicator} describes
     */
    public void alltoall(Span in, Span out) {
        run(calls.alltoall(in, out));
    }

    /**
     * Sends a block to each destination, and receives one of each source, of any lengths.
     *
     * @param in the blocks for the destinations
     * @param inSizes the length of the block for each destination
     * @param inOffsets where it begins in {@code in}; null: the blocks follow each other
     * @param out the blocks of the sources
     * @param outSizes the length of the block of each source
     * @param outOffsets where it begins in {@code out}; null: the blocks follow each other
     * @throws HayateException the exceptions that {@link Communicator} describes
     */
    public void alltoallv(Span in, long[] inSizes, long[] inOffsets, Span out, long[] outSizes,
            long[] outOffsets) {
        run(calls.alltoallv(in, inSizes, inOffsets, out, outSizes, outOffsets));
    }

    /**
     * Sends a block to each destination, and receives one of each source. Each block is a span of
     * its own, such as a face of a grid ({@link Span#strided}); both sides are copied.
     *
     * @param in the block for each destination; null: an empty one
     * @param out the memory for the block of each source; null: an empty one
     * @throws HayateException the exceptions that {@link Communicator} describes
     */
    public void alltoallw(Span[] in, Span[] out) {
        run(calls.alltoallw(in, out));
    }

    /**
     * Starts {@link #allgather(Span, Span)}.
     *
     * @param in as there
     * @param out as there
     * @return the request of the collective
     * @throws HayateException the exceptions that {@link Communicator} describes
     */
    public Request iallgather(Span in, Span out) {
        return start(calls.allgather(in, out));
    }

    /**
     * Starts {@link #allgatherv(Span, Span, long[], long[])}.
     *
     * @param in as there
     * @param out as there
     * @param sizes as there
     * @param offsets as there
     * @return the request of the collective
     * @throws HayateException the exceptions that {@link Communicator} describes
     */
    public Request iallgatherv(Span in, Span out, long[] sizes, long[] offsets) {
        return start(calls.allgatherv(in, out, sizes, offsets));
    }

    /**
     * Starts {@link #alltoall(Span, Span)}.
     *
     * @param in as there
     * @param out as there
     * @return the request of the collective
     * @throws HayateException the exceptions that {@link Communicator} describes
     */
    public Request ialltoall(Span in, Span out) {
        return start(calls.alltoall(in, out));
    }

    /**
     * Starts {@link #alltoallv(Span, long[], long[], Span, long[], long[])}.
     *
     * @param in as there
     * @param inSizes as there
     * @param inOffsets as there
     * @param out as there
     * @param outSizes as there
     * @param outOffsets as there
     * @return the request of the collective
     * @throws HayateException the exceptions that {@link Communicator} describes
     */
    public Request ialltoallv(Span in, long[] inSizes, long[] inOffsets, Span out, long[] outSizes,
            long[] outOffsets) {
        return start(calls.alltoallv(in, inSizes, inOffsets, out, outSizes, outOffsets));
    }

    /**
     * Starts {@link #alltoallw(Span[], Span[])}.
     *
     * @param in as there
     * @param out as there
     * @return the request of the collective
     * @throws HayateException the exceptions that {@link Communicator} describes
     */
    public Request ialltoallw(Span[] in, Span[] out) {
        return start(calls.alltoallw(in, out));
    }

    /**
     * Prepares {@link #allgather(Span, Span)}.
     *
     * @param in as there
     * @param out as there
     * @param options options of an alltoall; the algorithm is linear if they leave it open
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that {@link PersistentColl} describes
     */
    public PersistentOperation prepareAllgather(Span in, Span out, CollOptions options) {
        return open(calls.allgather(in, out), options);
    }

    /**
     * Prepares {@link #allgatherv(Span, Span, long[], long[])}.
     *
     * @param in as there
     * @param out as there
     * @param sizes as there
     * @param offsets as there
     * @param options options of an alltoall; the algorithm is linear if they leave it open
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that {@link PersistentColl} describes
     */
    public PersistentOperation prepareAllgatherv(Span in, Span out, long[] sizes, long[] offsets,
            CollOptions options) {
        return open(calls.allgatherv(in, out, sizes, offsets), options);
    }

    /**
     * Prepares {@link #alltoall(Span, Span)}.
     *
     * @param in as there
     * @param out as there
     * @param options options of an alltoall; the algorithm is linear if they leave it open
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that {@link PersistentColl} describes
     */
    public PersistentOperation prepareAlltoall(Span in, Span out, CollOptions options) {
        return open(calls.alltoall(in, out), options);
    }

    /**
     * Prepares {@link #alltoallv(Span, long[], long[], Span, long[], long[])}.
     *
     * @param in as there
     * @param inSizes as there
     * @param inOffsets as there
     * @param out as there
     * @param outSizes as there
     * @param outOffsets as there
     * @param options options of an alltoall; the algorithm is linear if they leave it open
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that {@link PersistentColl} describes
     */
    public PersistentOperation prepareAlltoallv(Span in, long[] inSizes, long[] inOffsets, Span out,
            long[] outSizes, long[] outOffsets, CollOptions options) {
        return open(calls.alltoallv(in, inSizes, inOffsets, out, outSizes, outOffsets), options);
    }

    /**
     * Prepares {@link #alltoallw(Span[], Span[])}.
     *
     * @param in as there
     * @param out as there
     * @param options options of an alltoall; the algorithm is linear if they leave it open
     * @return the operation; the caller closes it
     * @throws HayateException the exceptions that {@link PersistentColl} describes
     */
    public PersistentOperation prepareAlltoallw(Span[] in, Span[] out, CollOptions options) {
        return open(calls.alltoallw(in, out), options);
    }

    /**
     * Returns a human-readable description.
     *
     * @return a text with both lists
     */
    @Override
    public String toString() {
        return "neighbourhood from " + Arrays.toString(sources.peers()) + " to "
                + Arrays.toString(destinations.peers());
    }
}
