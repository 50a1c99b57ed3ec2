// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The neighbours of a process in a distributed graph, in the order of its collectives. */
public final class DistGraphNeighbors {
    private final DistGraph graph;

    DistGraphNeighbors(DistGraph graph) {
        this.graph = graph;
    }

    /**
     * Returns the number of sources: edges to this process.
     *
     * @return 0 or more
     */
    public int getInDegree() {
        return graph.sources().length;
    }

    /**
     * Returns the number of destinations: edges from this process.
     *
     * @return 0 or more
     */
    public int getOutDegree() {
        return graph.destinations().length;
    }

    /**
     * Says whether the edges have weights.
     *
     * @return true if the graph was created with weights
     */
    public boolean isWeighted() {
        return graph.isWeighted();
    }

    /**
     * Returns a source.
     *
     * @param i its number, from 0
     * @return a rank
     * @throws MPIException {@code ERR_ARG} if there is no such source
     */
    public int getSource(int i) {
        return Bounds.at(graph.sources(), i, "source");
    }

    /**
     * Returns the weight of the edge from a source.
     *
     * @param i the number of the source, from 0
     * @return the weight, or 1 if the graph has none
     * @throws MPIException {@code ERR_ARG} if there is no such source
     */
    public int getSourceWeight(int i) {
        return graph.sourceWeight(Bounds.check(i, getInDegree(), "source"));
    }

    /**
     * Returns a destination.
     *
     * @param i its number, from 0
     * @return a rank
     * @throws MPIException {@code ERR_ARG} if there is no such destination
     */
    public int getDestination(int i) {
        return Bounds.at(graph.destinations(), i, "destination");
    }

    /**
     * Returns the weight of the edge to a destination.
     *
     * @param i the number of the destination, from 0
     * @return the weight, or 1 if the graph has none
     * @throws MPIException {@code ERR_ARG} if there is no such destination
     */
    public int getDestinationWeight(int i) {
        return graph.destinationWeight(Bounds.check(i, getOutDegree(), "destination"));
    }
}
