// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;

/** A graph topology in MPI's form, which every rank knows as a whole. Immutable. */
final class Graph {
    private final int[] index;
    private final int[] edges;

    /**
     * A graph of index.length nodes: the neighbours of node i are edges[index[i - 1]] to
     * edges[index[i] - 1]. A node may be its own neighbour, and one may be given several times.
     */
    Graph(int[] index, int[] edges) {
        this.index = Bounds.required(index, "index").clone();
        int count = Bounds.required(edges, "edges").length;
        int before = 0;
        for (int end : this.index) {
            if (end < before || end > count) {
                throw new MPIException(ErrorClass.ARG, "index has " + end + " behind " + before
                        + ", with " + count + " edges: expected for each node the number of"
                        + " its neighbours and of those of all nodes before it");
            }
            before = end;
        }
        this.edges = Arrays.copyOf(edges, before);
        checkEdges();
    }

    private void checkEdges() {
        for (int node : edges) {
            if (node < 0 || node >= index.length) {
                throw new MPIException(ErrorClass.ARG, "edges has node " + node
                        + ": expected 0 to " + (index.length - 1));
            }
        }
    }

    /** Returns this graph if a communicator has enough ranks for it. */
    Graph requireFits(int ranks) {
        if (index.length > ranks) {
            throw new MPIException(ErrorClass.ARG, "a graph of " + index.length + " nodes on "
                    + ranks + " ranks: expected at most one node for each rank");
        }
        return this;
    }

    /** Returns the number of nodes. */
    int size() {
        return index.length;
    }

    /** Returns the neighbours of a rank, in the order in which they were given. */
    int[] neighbors(int rank) {
        RankRanges.checkRank(rank, index.length);
        return Arrays.copyOfRange(edges, rank == 0 ? 0 : index[rank - 1], index[rank]);
    }

    /** Returns the arrays. */
    GraphParms parms() {
        return new GraphParms(index.clone(), edges.clone());
    }

    /** Returns the best rank for a process: the one it has, UNDEFINED if the graph is smaller. */
    int map(int rank) {
        return rank < index.length ? rank : Constants.UNDEFINED;
    }
}
