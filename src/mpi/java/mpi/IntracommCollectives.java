// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;

/**
 * Collectives that only intracommunicators have, by the names of Open MPI's Java binding.
 */
class IntracommCollectives extends OffsetCollectives {
    IntracommCollectives() {
    }

    /**
     * Combines the data of the members up to this one, in rank order.
     *
     * @param sendbuf the data to send
     * @param recvbuf the room for what comes
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     */
    public final void scan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        scan(Block.of(sendbuf, count, type), Block.of(recvbuf, count, type), op, true);
    }

    /**
     * Starts {@link #scan(Object, Object, int, Datatype, Op)}. No buffer may be used until
     * the request is complete.
     *
     * @param sendbuf the data to send
     * @param recvbuf the room for what comes
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     * @return the request
     */
    public final Request iScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) {
        return scan(Block.of(sendbuf, count, type), Block.of(recvbuf, count, type), op,
                false);
    }

    /**
     * Combines the data of the members up to this one, in rank order, in place.
     *
     * @param buf the data, then the result
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     */
    public final void scan(Object buf, int count, Datatype type, Op op) {
        scan(null, Block.of(buf, count, type), op, true);
    }

    /**
     * Starts {@link #scan(Object, int, Datatype, Op)}. No buffer may be used until the
     * request is complete.
     *
     * @param buf the data, then the result
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     * @return the request
     */
    public final Request iScan(Buffer buf, int count, Datatype type, Op op) {
        return scan(null, Block.of(buf, count, type), op, false);
    }

    /**
     * Combines the data of the members before this one, in rank order. Nothing is stored on
     * rank 0.
     *
     * @param sendbuf the data to send
     * @param recvbuf the room for what comes
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     */
    public final void exScan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        exScan(Block.of(sendbuf, count, type), Block.of(recvbuf, count, type), op, true);
    }

    /**
     * Starts {@link #exScan(Object, Object, int, Datatype, Op)}. No buffer may be used
     * until the request is complete.
     *
     * @param sendbuf the data to send
     * @param recvbuf the room for what comes
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     * @return the request
     */
    public final Request iExScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) {
        return exScan(Block.of(sendbuf, count, type), Block.of(recvbuf, count, type), op,
                false);
    }

    /**
     * Combines the data of the members before this one, in rank order, in place. Nothing is
     * stored on rank 0.
     *
     * @param buf the data, then the result
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     */
    public final void exScan(Object buf, int count, Datatype type, Op op) {
        exScan(null, Block.of(buf, count, type), op, true);
    }

    /**
     * Starts {@link #exScan(Object, int, Datatype, Op)}. No buffer may be used until the
     * request is complete.
     *
     * @param buf the data, then the result
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     * @return the request
     */
    public final Request iExScan(Buffer buf, int count, Datatype type, Op op) {
        return exScan(null, Block.of(buf, count, type), op, false);
    }
}
