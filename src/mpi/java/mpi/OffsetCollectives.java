// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * Collectives of intracommunicators, by the names of mpiJava. Offsets are in elements of the
 * buffers.
 */
class OffsetCollectives extends Comm {
    OffsetCollectives() {
    }

    /**
     * Waits until all members have called this method, as {@link #barrier()}.
     */
    public void Barrier() {
        barrier(true);
    }

    /**
     * Sends the data of the root to all members, as {@link #bcast(Object, int, Datatype,
     * int)}.
     *
     * @param buf the data
     * @param offset the element of the buffer with which they begin
     * @param count the number of elements
     * @param type their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public void Bcast(Object buf, int offset, int count, Datatype type, int root) {
        bcast(Block.of(buf, offset, count, type), root, true);
    }

    /**
     * Gathers a block of each member on the root.
     *
     * @param sendbuf the data to send
     * @param sendoffset the element of the buffer with which they begin
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the blocks of all ranks, in their order; only the root needs it
     * @param recvoffset the element of the buffer with which it begins
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public void Gather(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
            Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int root) {
        gather(Block.of(sendbuf, sendoffset, sendcount, sendtype),
                Block.of(recvbuf, recvoffset, recvcount, recvtype), root, true);
    }

    /**
     * Gathers blocks of different lengths on the root.
     *
     * @param sendbuf the data to send
     * @param sendoffset the element of the buffer with which they begin
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the blocks of all ranks, in their order; only the root needs it
     * @param recvoffset the element of the buffer with which it begins
     * @param recvcount the number of elements from each sender
     * @param displs where the block of each rank begins, in elements
     * @param recvtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public void Gatherv(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
            Object recvbuf, int recvoffset, int[] recvcount, int[] displs, Datatype recvtype,
            int root) {
        gatherv(Block.of(sendbuf, sendoffset, sendcount, sendtype),
                Vector.of(recvbuf, recvoffset, recvcount, displs, recvtype), root, true);
    }

    /**
     * Sends a block of the root to each member.
     *
     * @param sendbuf the blocks of all ranks, in their order; only the root needs it
     * @param sendoffset the element of the buffer with which they begin
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvoffset the element of the buffer with which it begins
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public void Scatter(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
            Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int root) {
        scatter(Block.of(sendbuf, sendoffset, sendcount, sendtype),
                Block.of(recvbuf, recvoffset, recvcount, recvtype), root, true);
    }

    /**
     * Sends blocks of different lengths of the root to the members.
     *
     * @param sendbuf the blocks of all ranks, in their order; only the root needs it
     * @param sendoffset the element of the buffer with which they begin
     * @param sendcount their number of elements, for each receiver
     * @param displs where the block of each rank begins, in elements
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvoffset the element of the buffer with which it begins
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public void Scatterv(Object sendbuf, int sendoffset, int[] sendcount, int[] displs,
            Datatype sendtype, Object recvbuf, int recvoffset, int recvcount, Datatype recvtype,
            int root) {
        scatterv(Vector.of(sendbuf, sendoffset, sendcount, displs, sendtype),
                Block.of(recvbuf, recvoffset, recvcount, recvtype), root, true);
    }

    /**
     * Gathers a block of each member on all.
     *
     * @param sendbuf the data to send
     * @param sendoffset the element of the buffer with which they begin
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvoffset the element of the buffer with which it begins
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     */
    public void Allgather(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
            Object recvbuf, int recvoffset, int recvcount, Datatype recvtype) {
        allGather(Block.of(sendbuf, sendoffset, sendcount, sendtype),
                Block.of(recvbuf, recvoffset, recvcount, recvtype), true);
    }

    /**
     * Gathers blocks of different lengths on all.
     *
     * @param sendbuf the data to send
     * @param sendoffset the element of the buffer with which they begin
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvoffset the element of the buffer with which it begins
     * @param recvcount the number of elements from each sender
     * @param displs where the block of each rank begins, in elements
     * @param recvtype their type
     */
    public void Allgatherv(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
            Object recvbuf, int recvoffset, int[] recvcount, int[] displs, Datatype recvtype) {
        allGatherv(Block.of(sendbuf, sendoffset, sendcount, sendtype),
                Vector.of(recvbuf, recvoffset, recvcount, displs, recvtype), true);
    }

    /**
     * Sends a block from each member to each.
     *
     * @param sendbuf the data to send
     * @param sendoffset the element of the buffer with which they begin
     * @param sendcount their number of elements, for each receiver
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvoffset the element of the buffer with which it begins
     * @param recvcount the number of elements from each sender
     * @param recvtype their type
     */
    public void Alltoall(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
            Object recvbuf, int recvoffset, int recvcount, Datatype recvtype) {
        allToAll(Block.of(sendbuf, sendoffset, sendcount, sendtype),
                Block.of(recvbuf, recvoffset, recvcount, recvtype), true);
    }

    /**
     * Sends a block of another length from each member to each.
     *
     * @param sendbuf the data to send
     * @param sendoffset the element of the buffer with which they begin
     * @param sendcount their number of elements, for each receiver
     * @param sdispls where they begin, in elements
     * @param sendtype their type
     * @param recvbuf the room for what comes
     * @param recvoffset the element of the buffer with which it begins
     * @param recvcount the number of elements from each sender
     * @param rdispls where they go, in elements
     * @param recvtype their type
     */
    public void Alltoallv(Object sendbuf, int sendoffset, int[] sendcount, int[] sdispls,
            Datatype sendtype, Object recvbuf, int recvoffset, int[] recvcount, int[] rdispls,
            Datatype recvtype) {
        allToAllv(Vector.of(sendbuf, sendoffset, sendcount, sdispls, sendtype),
                Vector.of(recvbuf, recvoffset, recvcount, rdispls, recvtype), true);
    }

    /**
     * Combines the data of all members, element by element, on the root.
     *
     * @param sendbuf the data to send
     * @param sendoffset the element of the buffer with which they begin
     * @param recvbuf the room for the result; only the root needs it
     * @param recvoffset the element of the buffer with which it begins
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public void Reduce(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count,
            Datatype type, Op op, int root) {
        reduce(Block.of(sendbuf, sendoffset, count, type),
                Block.of(recvbuf, recvoffset, count, type), op, root, true);
    }

    /**
     * Combines the data of all members, element by element, on all.
     *
     * @param sendbuf the data to send
     * @param sendoffset the element of the buffer with which they begin
     * @param recvbuf the room for what comes
     * @param recvoffset the element of the buffer with which it begins
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     */
    public void Allreduce(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count,
            Datatype type, Op op) {
        allReduce(Block.of(sendbuf, sendoffset, count, type),
                Block.of(recvbuf, recvoffset, count, type), op, true);
    }

    /**
     * Combines the data of all members, and gives each a block of the result.
     *
     * @param sendbuf the data to send
     * @param sendoffset the element of the buffer with which they begin
     * @param recvbuf the room for what comes
     * @param recvoffset the element of the buffer with which it begins
     * @param recvcounts the number of elements that each member gets
     * @param type their type
     * @param op the operation
     */
    public void Reduce_scatter(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset,
            int[] recvcounts, Datatype type, Op op) {
        reduceScatter(Block.of(sendbuf, sendoffset, 0, type),
                Block.of(recvbuf, recvoffset, 0, type), recvcounts, op, true);
    }

    /**
     * Combines the data of the members up to this one, in rank order.
     *
     * @param sendbuf the data to send
     * @param sendoffset the element of the buffer with which they begin
     * @param recvbuf the room for what comes
     * @param recvoffset the element of the buffer with which it begins
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     */
    public void Scan(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count,
            Datatype type, Op op) {
        scan(Block.of(sendbuf, sendoffset, count, type),
                Block.of(recvbuf, recvoffset, count, type), op, true);
    }
}
