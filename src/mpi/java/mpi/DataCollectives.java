// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;

/**
 * Collectives that move data, by the names of Open MPI's Java binding: the blocking forms.
 *
 * <p>All members call the same collectives in the same order, with arguments that match; blocking
 * and non-blocking forms do not match each other. All throw {@link MPIException} before anything
 * is sent: ERR_COMM, ERR_ROOT, ERR_COUNT, ERR_TYPE, ERR_BUFFER, ERR_ARG (an array is null or too
 * short); later ERR_PROC_FAILED if a member ends meanwhile, ERR_TRUNCATE and others if members
 * pass arguments that do not match. Only one thread at a time may call collectives of a
 * communicator.
 */
class DataCollectives extends ReducingCollectives {
    DataCollectives() {
    }

    /**
     * Waits until all members have called this method.
     */
    public final void barrier() {
        barrier(true);
    }

    /**
     * Sends the data of the root to all members.
     *
     * @param buf the data of the root; the room for them on the others
     * @param count the number of elements
     * @param type their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public final void bcast(Object buf, int count, Datatype type, int root) {
        bcast(Block.of(buf, count, type), root, true);
    }

    /**
     * Gathers a block of each member on the root.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the blocks of all ranks, in their order; only the root needs it
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public final void gather(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf,
            int recvcount, Datatype recvtype, int root) {
        gather(Block.of(sendbuf, sendcount, sendtype),
                Block.of(recvbuf, recvcount, recvtype), root, true);
    }

    /**
     * Gathers a block of each member on the root, whose own block is at its place already.
     *
     * @param buf on the root the blocks of all ranks, on the others the block to send
     * @param count the number of elements
     * @param type their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public final void gather(Object buf, int count, Datatype type, int root) {
        gather(isRoot(root) ? null : Block.of(buf, count, type), Block.of(buf, count, type),
                root, true);
    }

    /**
     * Gathers blocks of different lengths on the root.
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
     */
    public final void gatherv(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf,
            int[] recvcount, int[] displs, Datatype recvtype, int root) {
        gatherv(Block.of(sendbuf, sendcount, sendtype),
                Vector.of(recvbuf, recvcount, displs, recvtype), root, true);
    }

    /**
     * Gathers blocks of different lengths; the call of the root, whose own block is at its
     * place already.
     *
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param displs where the block of each rank begins, in elements
     * @param recvtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public final void gatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype,
            int root) {
        gatherv(null, Vector.of(recvbuf, recvcount, displs, recvtype), requireRoot(root),
                true);
    }

    /**
     * Gathers blocks of different lengths; the call of all but the root.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public final void gatherv(Object sendbuf, int sendcount, Datatype sendtype, int root) {
        gatherv(Block.of(sendbuf, sendcount, sendtype), null, requireOther(root), true);
    }

    /**
     * Sends a block of the root to each member.
     *
     * @param sendbuf the blocks of all ranks, in their order; only the root needs it
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public final void scatter(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf,
            int recvcount, Datatype recvtype, int root) {
        scatter(Block.of(sendbuf, sendcount, sendtype),
                Block.of(recvbuf, recvcount, recvtype), root, true);
    }

    /**
     * Sends a block of the root to each member, but its own, which stays at its place.
     *
     * @param buf on the root the blocks of all ranks, on the others the room for a block
     * @param count the number of elements
     * @param type their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public final void scatter(Object buf, int count, Datatype type, int root) {
        scatter(Block.of(buf, count, type), isRoot(root) ?
                null : Block.of(buf, count, type), root, true);
    }

    /**
     * Sends blocks of different lengths of the root to the members.
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
     */
    public final void scatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype,
            Object recvbuf, int recvcount, Datatype recvtype, int root) {
        scatterv(Vector.of(sendbuf, sendcount, displs, sendtype),
                Block.of(recvbuf, recvcount, recvtype), root, true);
    }

    /**
     * Sends blocks of different lengths; the call of the root, whose own block stays at its
     * place.
     *
     * @param sendbuf the blocks of all ranks, in their order; only the root needs it
     * @param sendcount their number of elements, for each receiver
     * @param displs where the block of each rank begins, in elements
     * @param sendtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public final void scatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype,
            int root) {
        scatterv(Vector.of(sendbuf, sendcount, displs, sendtype), null, requireRoot(root),
                true);
    }

    /**
     * Receives a block of the root; the call of all but the root.
     *
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public final void scatterv(Object recvbuf, int recvcount, Datatype recvtype, int root) {
        scatterv(null, Block.of(recvbuf, recvcount, recvtype), requireOther(root), true);
    }

    /**
     * Gathers a block of each member on all.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     */
    public final void allGather(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf,
            int recvcount, Datatype recvtype) {
        allGather(Block.of(sendbuf, sendcount, sendtype),
                Block.of(recvbuf, recvcount, recvtype), true);
    }

    /**
     * Gathers a block of each member on all; the own one is at its place already.
     *
     * @param buf the blocks of all ranks, in their order
     * @param count the number of elements of a block
     * @param type their type
     */
    public final void allGather(Object buf, int count, Datatype type) {
        allGather(null, Block.of(buf, count, type), true);
    }

    /**
     * Gathers blocks of different lengths on all.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param displs where the block of each rank begins, in elements
     * @param recvtype their type
     */
    public final void allGatherv(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf,
            int[] recvcount, int[] displs, Datatype recvtype) {
        allGatherv(Block.of(sendbuf, sendcount, sendtype),
                Vector.of(recvbuf, recvcount, displs, recvtype), true);
    }

    /**
     * Gathers blocks of different lengths on all; the own one is at its place already.
     *
     * @param buf the blocks of all ranks
     * @param count the number of elements of each block
     * @param displs where the block of each rank begins, in elements
     * @param type their type
     */
    public final void allGatherv(Object buf, int[] count, int[] displs, Datatype type) {
        allGatherv(null, Vector.of(buf, count, displs, type), true);
    }

    /**
     * Sends a block from each member to each.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     */
    public final void allToAll(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf,
            int recvcount, Datatype recvtype) {
        allToAll(Block.of(sendbuf, sendcount, sendtype),
                Block.of(recvbuf, recvcount, recvtype), true);
    }

    /**
     * Sends a block of another length from each member to each.
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
    public final void allToAllv(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
            Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) {
        allToAllv(Vector.of(sendbuf, sendcount, sdispls, sendtype),
                Vector.of(recvbuf, recvcount, rdispls, recvtype), true);
    }

    /**
     * Sends a block of another length and type from each member to each.
     *
     * @param sendBuf the data to send
     * @param sendCounts the number of elements for each rank
     * @param sDispls where they begin, in bytes
     * @param sendTypes their types, for each rank
     * @param recvBuf the room for what comes
     * @param recvCounts the number of elements from each rank
     * @param rDispls where they go, in bytes
     * @param recvTypes their types, for each rank
     */
    public final void allToAllw(Object sendBuf, int[] sendCounts, int[] sDispls,
            Datatype[] sendTypes, Object recvBuf, int[] recvCounts, int[] rDispls,
            Datatype[] recvTypes) {
        allToAllw(sendBuf, sendCounts, sDispls, sendTypes, recvBuf, recvCounts, rDispls,
                recvTypes, true);
    }

    /**
     * The same, as class files have it that were compiled for Open MPI 4.
     *
     * @param sendBuf the blocks that are sent
     * @param sendCounts for each process the elements
     * @param sDispls for each process the beginning of its block, in bytes
     * @param sendTypes for each process the type of its elements
     * @param recvBuf the room
     * @param recvCounts for each process the elements
     * @param rDispls for each process the beginning of its block, in bytes
     * @param recvTypes for each process the type of its elements
     */
    public final void allToAllw(Buffer sendBuf, int[] sendCounts, int[] sDispls,
            Datatype[] sendTypes, Buffer recvBuf, int[] recvCounts, int[] rDispls,
            Datatype[] recvTypes) {
        allToAllw((Object) sendBuf, sendCounts, sDispls, sendTypes, recvBuf, recvCounts, rDispls,
                recvTypes);
    }

    /** Returns the root, which must be this rank. */
    final int requireRoot(int root) {
        requireOpen();
        if (!isRoot(root)) {
            throw fails(ErrorClass.ROOT, "this is not the root, which is rank " + root
                    + ": only it calls the form with an array of counts");
        }
        return root;
    }

    /** Returns the root, which must be another rank. */
    final int requireOther(int root) {
        requireOpen();
        if (isRoot(root)) {
            throw fails(ErrorClass.ROOT, "this is the root, rank " + rank
                    + ": it calls the form with an array of counts");
        }
        return root;
    }
}
