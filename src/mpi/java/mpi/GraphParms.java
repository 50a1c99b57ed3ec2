// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * The graph topology of a communicator: the neighbours of node 0, of node 1, and so on, one after
 * the other, and for each node where its neighbours end.
 */
public class GraphParms {
    /** For each node the number of its neighbours and those of all nodes before it. */
    public int[] index;

    /** The neighbours of all nodes. */
    public int[] edges;

    /** Creates an object without nodes. */
    public GraphParms() {
        this(new int[0], new int[0]);
    }

    /** Takes the arrays, which nobody else changes from now on. */
    GraphParms(int[] index, int[] edges) {
        this.index = index;
        this.edges = edges;
    }

    /**
     * Returns the number of nodes.
     *
     * @return the length of {@link #index}
     */
    public final int getIndexCount() {
        return index.length;
    }

    /**
     * Returns where the neighbours of a node end.
     *
     * @param i the node, from 0
     * @return an index in {@link #edges}, behind the last neighbour
     * @throws MPIException {@code ERR_ARG} if there is no such node
     */
    public final int getIndex(int i) {
        return Bounds.at(index, i, "node");
    }

    /**
     * Returns the number of neighbours of all nodes.
     *
     * @return the length of {@link #edges}
     */
    public final int getEdgeCount() {
        return edges.length;
    }

    /**
     * Returns an entry of {@link #edges}.
     *
     * @param i the number of the entry, from 0
     * @return a neighbour
     * @throws MPIException {@code ERR_ARG} if there is no such entry
     */
    public final int getEdge(int i) {
        return Bounds.at(edges, i, "edge");
    }
}
