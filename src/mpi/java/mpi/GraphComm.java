// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * A communicator whose processes are the nodes of a graph: one that all know, see
 * {@link Intracomm#createGraph}, or of which each knows its neighbours, see
 * {@link Intracomm#createDistGraphAdjacent}.
 */
public final class GraphComm extends Graphcomm {
    GraphComm(Graph graph) {
        super(graph, null);
    }

    GraphComm(DistGraph own) {
        super(null, own);
    }

    @Override
    public GraphComm dup() {
        return (GraphComm) super.dup();
    }

    @Override
    public GraphComm dupWithInfo(Info info) {
        return (GraphComm) super.dupWithInfo(info);
    }

    @Override
    public GraphComm iDup() {
        return (GraphComm) super.iDup();
    }

    @Override
    public GraphComm clone() {
        return dup();
    }

    /**
     * Returns the neighbours of this process in a distributed graph.
     *
     * @return the neighbours, and their weights
     */
    public DistGraphNeighbors getDistGraphNeighbors() {
        requireOpen();
        if (own == null) {
            throw noTopology();
        }
        return new DistGraphNeighbors(own);
    }
}
