// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * mpiJava: a communicator whose processes are the nodes of a graph. All such objects are
 * {@link GraphComm}s, so programs can use the names of both dialects.
 */
public class Graphcomm extends Intracomm {
    /** One of the two, the other one is null. */
    final Graph graph;
    final DistGraph own;

    Graphcomm(Graph graph, DistGraph own) {
        this.graph = graph;
        this.own = own;
    }

    @Override
    GraphComm fresh() {
        return graph != null ? new GraphComm(graph) : new GraphComm(own);
    }

    @Override
    final int topology() {
        return graph != null ? Constants.GRAPH : Constants.DIST_GRAPH;
    }

    @Override
    final int[] sources() {
        return graph != null ? graph.neighbors(rank) : own.sources();
    }

    @Override
    final int[] destinations() {
        return graph != null ? graph.neighbors(rank) : own.destinations();
    }

    @Override
    public Graphcomm dup() {
        return (Graphcomm) super.dup();
    }

    @Override
    public Graphcomm clone() {
        return dup();
    }

    private Graph known() {
        requireOpen();
        if (graph == null) {
            throw noTopology();
        }
        return graph;
    }

    /**
     * Returns the graph.
     *
     * @return the arrays of {@link Intracomm#createGraph}
     */
    public final GraphParms getDims() {
        return known().parms();
    }

    /**
     * Returns the neighbours of a rank.
     *
     * @param rank 0 to size - 1
     * @return the ranks
     */
    public final int[] getNeighbors(int rank) {
        Graph all = known();
        return guarded(() -> all.neighbors(rank));
    }

    /**
     * Returns the best rank of this process in a graph.
     *
     * @param index for each node the number of its neighbours and those of all nodes before it
     * @param edges the neighbours of all nodes
     * @return the rank, or {@code MPI.UNDEFINED}
     */
    public final int map(int[] index, int[] edges) {
        requireOpen();
        return guarded(() -> new Graph(index, edges).requireFits(members.size()).map(rank));
    }

    /**
     * Returns the graph, as {@link #getDims}.
     *
     * @return the arrays
     */
    public GraphParms Get() {
        return getDims();
    }

    /**
     * Returns the neighbours of a rank, as {@link #getNeighbors}.
     *
     * @param rank 0 to size - 1
     * @return the ranks
     */
    public int[] Neighbours(int rank) {
        return getNeighbors(rank);
    }

    /**
     * Returns the best rank of this process in a graph, as {@link #map}.
     *
     * @param index for each node the number of its neighbours and those of all nodes before it
     * @param edges the neighbours of all nodes
     * @return the rank, or {@code MPI.UNDEFINED}
     */
    public int Map(int[] index, int[] edges) {
        return map(index, edges);
    }
}
