// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;

/**
 * Collectives that move data, by the names of Open MPI's Java binding: the non-blocking forms,
 * several of which can be under way, also of one communicator.
 */
class StartedCollectives extends DataCollectives {
    StartedCollectives() {
    }

    /**
     * Starts {@link #barrier()}. No buffer may be used until the request is complete.
     *
     * @return the request
     */
    public final Request iBarrier() {
        return barrier(false);
    }

    /**
     * Starts {@link #bcast(Object, int, Datatype, int)}. No buffer may be used until the
     * request is complete.
     *
     * @param buf the data of the root; the room for them on the others
     * @param count the number of elements
     * @param type their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     * @return the request
     */
    public final Request iBcast(Buffer buf, int count, Datatype type, int root) {
        return bcast(Block.of(buf, count, type), root, false);
    }

    /**
     * Starts {@link #gather(Object, int, Datatype, Object, int, Datatype, int)}. No buffer
     * may be used until the request is complete.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the blocks of all ranks, in their order; only the root needs it
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     * @return the request
     */
    public final Request iGather(Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf,
            int recvcount, Datatype recvtype, int root) {
        return gather(Block.of(sendbuf, sendcount, sendtype),
                Block.of(recvbuf, recvcount, recvtype), root, false);
    }

    /**
     * Starts {@link #gather(Object, int, Datatype, int)}. No buffer may be used until the
     * request is complete.
     *
     * @param buf on the root the blocks of all ranks, on the others the block to send
     * @param count the number of elements
     * @param type their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     * @return the request
     */
    public final Request iGather(Buffer buf, int count, Datatype type, int root) {
        return gather(isRoot(root) ? null : Block.of(buf, count, type),
                Block.of(buf, count, type), root, false);
    }

    /**
     * Starts {@link #gatherv(Object, int, Datatype, Object, int[], int[], Datatype, int)}.
     * No buffer may be used until the request is complete.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the blocks of all ranks, in their order; only the root needs it
     * @param recvcount the number of elements from each sender
     * @param displs where the block of each rank begins, in elements
     * @param recvtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     * @return the request
     */
    public final Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf,
            int[] recvcount, int[] displs, Datatype recvtype, int root) {
        return gatherv(Block.of(sendbuf, sendcount, sendtype),
                Vector.of(recvbuf, recvcount, displs, recvtype), root, false);
    }

    /**
     * Starts {@link #gatherv(Object, int[], int[], Datatype, int)}. No buffer may be used
     * until the request is complete.
     *
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param displs where the block of each rank begins, in elements
     * @param recvtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     * @return the request
     */
    public final Request iGatherv(Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype,
            int root) {
        return gatherv(null, Vector.of(recvbuf, recvcount, displs, recvtype),
                requireRoot(root), false);
    }

    /**
     * Starts {@link #gatherv(Object, int, Datatype, int)}. No buffer may be used until the
     * request is complete.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     * @return the request
     */
    public final Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype, int root) {
        return gatherv(Block.of(sendbuf, sendcount, sendtype), null, requireOther(root),
                false);
    }

    /**
     * Starts {@link #scatter(Object, int, Datatype, Object, int, Datatype, int)}. No buffer
     * may be used until the request is complete.
     *
     * @param sendbuf the blocks of all ranks, in their order; only the root needs it
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     * @return the request
     */
    public final Request iScatter(Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf,
            int recvcount, Datatype recvtype, int root) {
        return scatter(Block.of(sendbuf, sendcount, sendtype),
                Block.of(recvbuf, recvcount, recvtype), root, false);
    }

    /**
     * Starts {@link #scatter(Object, int, Datatype, int)}. No buffer may be used until the
     * request is complete.
     *
     * @param buf on the root the blocks of all ranks, on the others the room for a block
     * @param count the number of elements
     * @param type their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     * @return the request
     */
    public final Request iScatter(Buffer buf, int count, Datatype type, int root) {
        return scatter(Block.of(buf, count, type), isRoot(root) ?
                null : Block.of(buf, count, type), root, false);
    }

    /**
     * Starts {@link #scatterv(Object, int[], int[], Datatype, Object, int, Datatype, int)}.
     * No buffer may be used until the request is complete.
     *
     * @param sendbuf the blocks of all ranks, in their order; only the root needs it
     * @param sendcount their number of elements, for each receiver
     * @param displs where the block of each rank begins, in elements
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     * @return the request
     */
    public final Request iScatterv(Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype,
            Buffer recvbuf, int recvcount, Datatype recvtype, int root) {
        return scatterv(Vector.of(sendbuf, sendcount, displs, sendtype),
                Block.of(recvbuf, recvcount, recvtype), root, false);
    }

    /**
     * Starts {@link #scatterv(Object, int[], int[], Datatype, int)}. No buffer may be used
     * until the request is complete.
     *
     * @param sendbuf the blocks of all ranks, in their order; only the root needs it
     * @param sendcount their number of elements, for each receiver
     * @param displs where the block of each rank begins, in elements
     * @param sendtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     * @return the request
     */
    public final Request iScatterv(Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype,
            int root) {
        return scatterv(Vector.of(sendbuf, sendcount, displs, sendtype), null,
                requireRoot(root), false);
    }

    /**
     * Starts {@link #scatterv(Object, int, Datatype, int)}. No buffer may be used until the
     * request is complete.
     *
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     * @return the request
     */
    public final Request iScatterv(Buffer recvbuf, int recvcount, Datatype recvtype, int root) {
        return scatterv(null, Block.of(recvbuf, recvcount, recvtype), requireOther(root),
                false);
    }

    /**
     * Starts {@link #allGather(Object, int, Datatype, Object, int, Datatype)}. No buffer
     * may be used until the request is complete.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     * @return the request
     */
    public final Request iAllGather(Buffer sendbuf, int sendcount, Datatype sendtype,
            Buffer recvbuf, int recvcount, Datatype recvtype) {
        return allGather(Block.of(sendbuf, sendcount, sendtype),
                Block.of(recvbuf, recvcount, recvtype), false);
    }

    /**
     * Starts {@link #allGather(Object, int, Datatype)}. No buffer may be used until the
     * request is complete.
     *
     * @param buf the blocks of all ranks, in their order
     * @param count the number of elements of a block
     * @param type their type
     * @return the request
     */
    public final Request iAllGather(Buffer buf, int count, Datatype type) {
        return allGather(null, Block.of(buf, count, type), false);
    }

    /**
     * Starts {@link #allGatherv(Object, int, Datatype, Object, int[], int[], Datatype)}. No
     * buffer may be used until the request is complete.
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
    public final Request iAllGatherv(Buffer sendbuf, int sendcount, Datatype sendtype,
            Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype) {
        return allGatherv(Block.of(sendbuf, sendcount, sendtype),
                Vector.of(recvbuf, recvcount, displs, recvtype), false);
    }

    /**
     * Starts {@link #allGatherv(Object, int[], int[], Datatype)}. No buffer may be used
     * until the request is complete.
     *
     * @param buf the blocks of all ranks
     * @param count the number of elements of each block
     * @param displs where the block of each rank begins, in elements
     * @param type their type
     * @return the request
     */
    public final Request iAllGatherv(Buffer buf, int[] count, int[] displs, Datatype type) {
        return allGatherv(null, Vector.of(buf, count, displs, type), false);
    }

    /**
     * Starts {@link #allToAll(Object, int, Datatype, Object, int, Datatype)}. No buffer may
     * be used until the request is complete.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     * @return the request
     */
    public final Request iAllToAll(Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf,
            int recvcount, Datatype recvtype) {
        return allToAll(Block.of(sendbuf, sendcount, sendtype),
                Block.of(recvbuf, recvcount, recvtype), false);
    }

    /**
     * Starts {@link #allToAllv(Object, int[], int[], Datatype, Object, int[], int[],
     * Datatype)}. No buffer may be used until the request is complete.
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
    public final Request iAllToAllv(Buffer sendbuf, int[] sendcount, int[] sdispls,
            Datatype sendtype, Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) {
        return allToAllv(Vector.of(sendbuf, sendcount, sdispls, sendtype),
                Vector.of(recvbuf, recvcount, rdispls, recvtype), false);
    }

    /**
     * Starts {@link #allToAllw(Object, int[], int[], Datatype[], Object, int[], int[],
     * Datatype[])}. No buffer may be used until the request is complete.
     *
     * @param sendBuf the data to send
     * @param sendCounts the number of elements for each rank
     * @param sDispls where they begin, in bytes
     * @param sendTypes their types, for each rank
     * @param recvBuf the room for what comes
     * @param recvCounts the number of elements from each rank
     * @param rDispls where they go, in bytes
     * @param recvTypes their types, for each rank
     * @return the request
     */
    public final Request iAllToAllw(Buffer sendBuf, int[] sendCounts, int[] sDispls,
            Datatype[] sendTypes, Buffer recvBuf, int[] recvCounts, int[] rDispls,
            Datatype[] recvTypes) {
        return allToAllw(sendBuf, sendCounts, sDispls, sendTypes, recvBuf, recvCounts,
                rDispls, recvTypes, false);
    }
}
