// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;

/**
 * Collectives of neighbours in a topology, by the names of Open MPI's Java binding. They throw
 * ERR_TOPOLOGY if the communicator has none.
 */
class NeighborCollectives extends StartedCollectives {
    NeighborCollectives() {
    }

    /**
     * Sends a block to each neighbour, the same to all, and receives one from each.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     */
    public final void neighborAllGather(Object sendbuf, int sendcount, Datatype sendtype,
            Object recvbuf, int recvcount, Datatype recvtype) {
        gatherOfNeighbors(Block.of(sendbuf, sendcount, sendtype),
                Block.of(recvbuf, recvcount, recvtype)::part, true);
    }

    /**
     * Starts {@link #neighborAllGather(Object, int, Datatype, Object, int, Datatype)}. No
     * buffer may be used until the request is complete.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     * @return the request
     */
    public final Request iNeighborAllGather(Buffer sendbuf, int sendcount, Datatype sendtype,
            Buffer recvbuf, int recvcount, Datatype recvtype) {
        return gatherOfNeighbors(Block.of(sendbuf, sendcount, sendtype),
                Block.of(recvbuf, recvcount, recvtype)::part, false);
    }

    /**
     * Sends a block to each neighbour, the same to all, and receives one of another length
     * from each.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param displs where the block of each rank begins, in elements
     * @param recvtype their type
     */
    public final void neighborAllGatherv(Object sendbuf, int sendcount, Datatype sendtype,
            Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) {
        gatherOfNeighbors(Block.of(sendbuf, sendcount, sendtype),
                incoming(Vector.of(recvbuf, recvcount, displs, recvtype)), true);
    }

    /**
     * Starts {@link #neighborAllGatherv(Object, int, Datatype, Object, int[], int[],
     * Datatype)}. No buffer may be used until the request is complete.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param displs where the block of each rank begins, in elements
     * @param recvtype their type
     * @return the request
     */
    public final Request iNeighborAllGatherv(Buffer sendbuf, int sendcount, Datatype sendtype,
            Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype) {
        return gatherOfNeighbors(Block.of(sendbuf, sendcount, sendtype),
                incoming(Vector.of(recvbuf, recvcount, displs, recvtype)), false);
    }

    /**
     * Sends another block to each neighbour, and receives one from each.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     */
    public final void neighborAllToAll(Object sendbuf, int sendcount, Datatype sendtype,
            Object recvbuf, int recvcount, Datatype recvtype) {
        collective(() -> exchangeWithNeighbors(Block.of(sendbuf, sendcount, sendtype)::part,
                Block.of(recvbuf, recvcount, recvtype)::part, true));
    }

    /**
     * Starts {@link #neighborAllToAll(Object, int, Datatype, Object, int, Datatype)}. No
     * buffer may be used until the request is complete.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     * @return the request
     */
    public final Request iNeighborAllToAll(Buffer sendbuf, int sendcount, Datatype sendtype,
            Buffer recvbuf, int recvcount, Datatype recvtype) {
        return collective(() ->
                exchangeWithNeighbors(Block.of(sendbuf, sendcount, sendtype)::part,
                Block.of(recvbuf, recvcount, recvtype)::part, false));
    }

    /**
     * Sends a block of another length to each neighbour, and receives one from each.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sdispls where they begin, in elements
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param rdispls where they go, in elements
     * @param recvtype their type
     */
    public final void neighborAllToAllv(Object sendbuf, int[] sendcount, int[] sdispls,
            Datatype sendtype, Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) {
        collective(() ->
                exchangeWithNeighbors(outgoing(Vector.of(sendbuf, sendcount, sdispls, sendtype)),
                incoming(Vector.of(recvbuf, recvcount, rdispls, recvtype)), true));
    }

    /**
     * Starts {@link #neighborAllToAllv(Object, int[], int[], Datatype, Object, int[],
     * int[], Datatype)}. No buffer may be used until the request is complete.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sdispls where they begin, in elements
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param rdispls where they go, in elements
     * @param recvtype their type
     * @return the request
     */
    public final Request iNeighborAllToAllv(Buffer sendbuf, int[] sendcount, int[] sdispls,
            Datatype sendtype, Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) {
        return collective(() ->
                exchangeWithNeighbors(outgoing(Vector.of(sendbuf, sendcount, sdispls, sendtype)),
                incoming(Vector.of(recvbuf, recvcount, rdispls, recvtype)), false));
    }

    private Request gatherOfNeighbors(Block own, Blocks all, boolean waits) {
        return collective(() -> exchangeWithNeighbors(i -> own, all, waits));
    }

    private Blocks incoming(Vector blocks) {
        return i -> blocks.requireFor(sources().length).of(i);
    }

    private Blocks outgoing(Vector blocks) {
        return i -> blocks.requireFor(destinations().length).of(i);
    }
}
