// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Communicator;
import java.util.Arrays;

/**
 * A communicator of one group of processes. Processes that do not belong to a new communicator get
 * one that is null ({@link #isNull}) from methods with names of Open MPI, and null from those with
 * names of mpiJava.
 */
public class Intracomm extends DynamicProcesses {
    Intracomm() {
    }

    @Override
    Intracomm fresh() {
        return new Intracomm();
    }

    @Override
    public Intracomm dup() {
        return (Intracomm) super.dup();
    }

    @Override
    public Intracomm dupWithInfo(Info info) {
        return (Intracomm) super.dupWithInfo(info);
    }

    @Override
    public Intracomm iDup() {
        return (Intracomm) super.iDup();
    }

    @Override
    public Intracomm clone() {
        return dup();
    }

    // ---- parts ----

    /**
     * Makes communicators of the members that pass the same color, ordered by key, then by rank.
     *
     * @param color 0 or more, or {@code MPI.UNDEFINED}: this process joins none
     * @param key any number
     * @return the communicator
     */
    public final Intracomm split(int color, int key) {
        requireOpen();
        if (color < 0 && color != Constants.UNDEFINED) {
            throw fails(ErrorClass.ARG, "the color is " + color
                    + ": expected 0 or more, or MPI.UNDEFINED");
        }
        return guarded(() -> part(new Intracomm(), color, key));
    }

    /** Makes a part of an object, which stays null if the color is below 0. */
    final <C extends Intracomm> C part(C fresh, int color, int key) {
        Communicator local = collectives.split(Math.max(color, -1), key);
        return local.isMember() ? made(fresh, local) : fresh;
    }

    /** The same if it has as many members as expected; else the members disagree about it. */
    final <C extends Intracomm> C part(C fresh, int size, boolean joins, int color, int key) {
        Communicator local = collectives.split(joins ? color : -1, key);
        if (!local.isMember()) {
            return fresh;
        }
        if (local.size() != size) {
            local.close();
            throw new MPIException(ErrorClass.ARG, local.size() + " processes join the new"
                    + " communicator, whose size here is " + size + ": expected the same arguments"
                    + " on all members");
        }
        return made(fresh, local);
    }

    /**
     * Makes communicators of the members that have something in common.
     *
     * @param splitType {@link #TYPE_SHARED}: the same node; {@code MPI.UNDEFINED}: joins none
     * @param key orders the members
     * @param info hints, without effect
     * @return the communicator
     */
    public final Intracomm splitType(int splitType, int key, Info info) {
        Engine its = requireOpen();
        if (splitType != TYPE_SHARED && splitType != Constants.UNDEFINED) {
            throw fails(ErrorClass.ARG, "the type of the split is " + splitType
                    + ": expected Comm.TYPE_SHARED or MPI.UNDEFINED");
        }
        return guarded(() -> part(new Intracomm(),
                splitType == TYPE_SHARED ? its.nodeOf(its.job.rank()) : -1, key));
    }

    /**
     * Makes a communicator of a group; collective over all members of this communicator. Different
     * members may pass different groups if these have no member in common.
     *
     * @param group some members
     * @return the communicator
     */
    public final Intracomm create(Group group) {
        requireOpen();
        return guarded(() -> {
            Members part = partOf(group);
            int place = part.rankOf(engine.job.rank());
            Intracomm made = part(new Intracomm(), part.size(), place >= 0,
                    part.size() == 0 ? 0 : part.world(0), place);
            if (!made.isNull() && made.members.compare(part) != Constants.IDENT) {
                made.free();
                throw new MPIException(ErrorClass.GROUP, "the processes that join the new"
                        + " communicator are not those of the group: expected the same group on all"
                        + " its members");
            }
            return made;
        });
    }

    /** Returns the members of a group, all of which are members of this communicator. */
    private Members partOf(Group group) {
        if (group == null) {
            throw new MPIException(ErrorClass.GROUP, "the group is null: expected one of members of"
                    + " this communicator");
        }
        Members part = group.members();
        if (part.minus(members).size() > 0) {
            throw new MPIException(ErrorClass.GROUP, "ranks " + Arrays.toString(
                    part.minus(members).worlds()) + " of the job are in the group, and not in the"
                    + " communicator: expected a part of it");
        }
        return part;
    }

    /**
     * Makes a communicator of a group; collective over the group only.
     *
     * @param group some members
     * @param tag the same on all, 0 or more; another one for each thread that creates at the time
     * @return the communicator
     */
    public final Intracomm createGroup(Group group, int tag) {
        requireOpen();
        if (tag < 0) {
            throw fails(ErrorClass.TAG, "the tag is " + tag + ": expected 0 or more");
        }
        return guarded(() -> {
            Members part = partOf(group);
            Intracomm fresh = new Intracomm();
            return part.rankOf(engine.job.rank()) < 0 ? fresh
                    : made(fresh, Meeting.of(engine, part, Meeting.byMessages(engine, part,
                            SetupMessages.tagOfGroup(tag))));
        });
    }

    // ---- topologies ----

    /**
     * Makes a communicator whose processes are a grid, of the first members. Ranks are not
     * reordered.
     *
     * @param dims the extents
     * @param periods for each dimension, whether its ends are neighbours
     * @param reorder without effect
     * @return the communicator
     */
    public final CartComm createCart(int[] dims, boolean[] periods, boolean reorder) {
        requireOpen();
        return guarded(() -> {
            CartGrid grid = new CartGrid(dims, periods).requireFits(members.size());
            return part(new CartComm(grid), grid.size(), rank < grid.size(), 0, rank);
        });
    }

    /**
     * Makes a communicator whose processes are the nodes of a graph that all of them know. Ranks
     * are not reordered.
     *
     * @param index for each node the number of its neighbours and those of all nodes before it
     * @param edges the neighbours of all nodes
     * @param reorder without effect
     * @return the communicator
     */
    public final GraphComm createGraph(int[] index, int[] edges, boolean reorder) {
        requireOpen();
        return guarded(() -> {
            Graph graph = new Graph(index, edges).requireFits(members.size());
            return part(new GraphComm(graph), graph.size(), rank < graph.size(), 0, rank);
        });
    }

    /**
     * Makes a communicator whose processes are the nodes of a graph, of which each gives any edges.
     *
     * @param sources where they begin
     * @param degrees for each source the number of its edges
     * @param destinations where they end
     * @param weights for each edge, 0 or more
     * @param info hints, without effect
     * @param reorder without effect
     * @return the communicator
     */
    public final GraphComm createDistGraph(int[] sources, int[] degrees, int[] destinations,
            int[] weights, Info info, boolean reorder) {
        requireOpen();
        return guarded(() -> distributed(DistGraph.edges(sources, degrees, destinations,
                Bounds.required(weights, "the array of weights"), members.size()), true));
    }

    /**
     * Makes a communicator as the other method, of edges without weights.
     *
     * @param sources where they begin
     * @param degrees for each source the number of its edges
     * @param destinations where they end
     * @param info hints, without effect
     * @param reorder without effect
     * @return the communicator
     */
    public final GraphComm createDistGraph(int[] sources, int[] degrees, int[] destinations,
            Info info, boolean reorder) {
        requireOpen();
        return guarded(() -> distributed(
                DistGraph.edges(sources, degrees, destinations, null, members.size()), false));
    }

    private GraphComm distributed(int[] edges, boolean weighted) {
        int[] all = Gathering.ints(collectives, edges);
        return neighbors(DistGraph.of(rank, all, weighted));
    }

    private GraphComm neighbors(DistGraph graph) {
        return made(new GraphComm(graph), collectives.dup());
    }

    /**
     * Makes a communicator whose processes are the nodes of a graph, of which each gives its own
     * edges. Both ends of an edge give it.
     *
     * @param sources the neighbours from which this process receives
     * @param sourceWeights for each of these, 0 or more
     * @param destinations the neighbours to which it sends
     * @param destWeights for each of these, 0 or more
     * @param info hints, without effect
     * @param reorder without effect
     * @return the communicator
     */
    public final GraphComm createDistGraphAdjacent(int[] sources, int[] sourceWeights,
            int[] destinations, int[] destWeights, Info info, boolean reorder) {
        requireOpen();
        return guarded(() -> neighbors(DistGraph.adjacent(sources,
                Bounds.required(sourceWeights, "the array of weights"), destinations,
                Bounds.required(destWeights, "the array of weights"), members.size())));
    }

    /**
     * Makes a communicator as the other method, of edges without weights.
     *
     * @param sources the neighbours from which this process receives
     * @param destinations the neighbours to which it sends
     * @param info hints, without effect
     * @param reorder without effect
     * @return the communicator
     */
    public final GraphComm createDistGraphAdjacent(int[] sources, int[] destinations, Info info,
            boolean reorder) {
        requireOpen();
        return guarded(() -> neighbors(
                DistGraph.adjacent(sources, null, destinations, null, members.size())));
    }

    // ---- mpiJava ----

    private static <C extends Intracomm> C orNull(C comm) {
        return comm.isNull() ? null : comm;
    }

    /**
     * mpiJava: makes a communicator of a group, as {@link #create}.
     *
     * @param group some members
     * @return the communicator, or null
     */
    public Intracomm Create(Group group) {
        return orNull(create(group));
    }

    /**
     * mpiJava: makes communicators of members of the same color, as {@link #split}.
     *
     * @param color 0 or more, or {@code MPI.UNDEFINED}
     * @param key any number
     * @return the communicator, or null
     */
    public Intracomm Split(int color, int key) {
        return orNull(split(color, key));
    }

    /**
     * mpiJava: makes a communicator of a grid, as {@link #createCart}.
     *
     * @param dims the extents
     * @param periods for each dimension, whether its ends are neighbours
     * @param reorder without effect
     * @return the communicator, or null
     */
    public Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder) {
        return orNull(createCart(dims, periods, reorder));
    }

    /**
     * mpiJava: makes a communicator of a graph, as {@link #createGraph}.
     *
     * @param index for each node the number of its neighbours and those of all nodes before it
     * @param edges the neighbours of all nodes
     * @param reorder without effect
     * @return the communicator, or null
     */
    public Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) {
        return orNull(createGraph(index, edges, reorder));
    }
}
