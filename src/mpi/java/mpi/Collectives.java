// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.util.Arrays;

/**
 * Collectives that combine data, by the names of Open MPI's Java binding.
 *
 * <p>They throw {@link MPIException} as all collectives do, and with ERR_OP if the operation is
 * null, was freed, or does not combine elements of the datatype. What a function of the program
 * throws ends the collective on this rank.
 */
class Collectives extends NeighborCollectives {
    Collectives() {
    }

    /**
     * Combines the data of all members, element by element, on the root.
     *
     * @param sendbuf the data to send
     * @param recvbuf the room for the result; only the root needs it
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public final void reduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op,
            int root) {
        reduce(Block.of(sendbuf, count, type), Block.of(recvbuf, count, type), op, root,
                true);
    }

    /**
     * Starts {@link #reduce(Object, Object, int, Datatype, Op, int)}. No buffer may be used
     * until the request is complete.
     *
     * @param sendbuf the data to send
     * @param recvbuf the room for the result; only the root needs it
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     * @return the request
     */
    public final Request iReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op,
            int root) {
        return reduce(Block.of(sendbuf, count, type), Block.of(recvbuf, count, type), op,
                root, false);
    }

    /**
     * Combines the data of all members, element by element, in place on the root.
     *
     * @param buf the data; on the root then the result
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     */
    public final void reduce(Object buf, int count, Datatype type, Op op, int root) {
        reduce(isRoot(root) ? null : Block.of(buf, count, type), Block.of(buf, count, type),
                op, root, true);
    }

    /**
     * Starts {@link #reduce(Object, int, Datatype, Op, int)}. No buffer may be used until
     * the request is complete.
     *
     * @param buf the data; on the root then the result
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     * @param root the rank of the root; of an intercommunicator in the group of the root {@code
     *     MPI.ROOT} or {@code MPI.PROC_NULL}
     * @return the request
     */
    public final Request iReduce(Buffer buf, int count, Datatype type, Op op, int root) {
        return reduce(isRoot(root) ? null : Block.of(buf, count, type),
                Block.of(buf, count, type), op, root, false);
    }

    /**
     * Combines the data of all members, element by element, on all.
     *
     * @param sendbuf the data to send
     * @param recvbuf the room for what comes
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     */
    public final void allReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) {
        allReduce(Block.of(sendbuf, count, type), Block.of(recvbuf, count, type), op, true);
    }

    /**
     * Starts {@link #allReduce(Object, Object, int, Datatype, Op)}. No buffer may be used
     * until the request is complete.
     *
     * @param sendbuf the data to send
     * @param recvbuf the room for what comes
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     * @return the request
     */
    public final Request iAllReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op)
            {
        return allReduce(Block.of(sendbuf, count, type), Block.of(recvbuf, count, type), op,
                false);
    }

    /**
     * Combines the data of all members, element by element, in place on all.
     *
     * @param buf the data, then the result
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     */
    public final void allReduce(Object buf, int count, Datatype type, Op op) {
        allReduce(null, Block.of(buf, count, type), op, true);
    }

    /**
     * Starts {@link #allReduce(Object, int, Datatype, Op)}. No buffer may be used until the
     * request is complete.
     *
     * @param buf the data, then the result
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     * @return the request
     */
    public final Request iAllReduce(Buffer buf, int count, Datatype type, Op op) {
        return allReduce(null, Block.of(buf, count, type), op, false);
    }

    /**
     * Combines the data of all members, and gives each a block of the result.
     *
     * @param sendbuf the data to send
     * @param recvbuf the room for what comes
     * @param count the number of elements that each member gets
     * @param type their type
     * @param op the operation
     */
    public final void reduceScatterBlock(Object sendbuf, Object recvbuf, int count, Datatype type,
            Op op) {
        reduceScatter(Block.of(sendbuf, 0, type), Block.of(recvbuf, 0, type), same(count),
                op, true);
    }

    /**
     * Starts {@link #reduceScatterBlock(Object, Object, int, Datatype, Op)}. No buffer may
     * be used until the request is complete.
     *
     * @param sendbuf the data to send
     * @param recvbuf the room for what comes
     * @param count the number of elements that each member gets
     * @param type their type
     * @param op the operation
     * @return the request
     */
    public final Request iReduceScatterBlock(Buffer sendbuf, Buffer recvbuf, int count,
            Datatype type, Op op) {
        return reduceScatter(Block.of(sendbuf, 0, type), Block.of(recvbuf, 0, type),
                same(count), op, false);
    }

    /**
     * Combines the data of all members in place, and gives each a block of the result.
     *
     * @param buf the data; its beginning then has the result
     * @param count the number of elements that each member gets
     * @param type their type
     * @param op the operation
     */
    public final void reduceScatterBlock(Object buf, int count, Datatype type, Op op) {
        reduceScatter(null, Block.of(buf, 0, type), same(count), op, true);
    }

    /**
     * Starts {@link #reduceScatterBlock(Object, int, Datatype, Op)}. No buffer may be used
     * until the request is complete.
     *
     * @param buf the data; its beginning then has the result
     * @param count the number of elements that each member gets
     * @param type their type
     * @param op the operation
     * @return the request
     */
    public final Request iReduceScatterBlock(Buffer buf, int count, Datatype type, Op op) {
        return reduceScatter(null, Block.of(buf, 0, type), same(count), op, false);
    }

    /**
     * Combines the data of all members, and gives each a block of the result.
     *
     * @param sendbuf the data to send
     * @param recvbuf the room for what comes
     * @param counts the number of elements that each member gets
     * @param type their type
     * @param op the operation
     */
    public final void reduceScatter(Object sendbuf, Object recvbuf, int[] counts, Datatype type,
            Op op) {
        reduceScatter(Block.of(sendbuf, 0, type), Block.of(recvbuf, 0, type), counts, op,
                true);
    }

    /**
     * Starts {@link #reduceScatter(Object, Object, int[], Datatype, Op)}. No buffer may be
     * used until the request is complete.
     *
     * @param sendbuf the data to send
     * @param recvbuf the room for what comes
     * @param counts the number of elements that each member gets
     * @param type their type
     * @param op the operation
     * @return the request
     */
    public final Request iReduceScatter(Buffer sendbuf, Buffer recvbuf, int[] counts, Datatype type,
            Op op) {
        return reduceScatter(Block.of(sendbuf, 0, type), Block.of(recvbuf, 0, type), counts,
                op, false);
    }

    /**
     * Combines the data of all members in place, and gives each a block of the result.
     *
     * @param buf the data; its beginning then has the result
     * @param counts the number of elements that each member gets
     * @param type their type
     * @param op the operation
     */
    public final void reduceScatter(Object buf, int[] counts, Datatype type, Op op) {
        reduceScatter(null, Block.of(buf, 0, type), counts, op, true);
    }

    /**
     * Starts {@link #reduceScatter(Object, int[], Datatype, Op)}. No buffer may be used
     * until the request is complete.
     *
     * @param buf the data; its beginning then has the result
     * @param counts the number of elements that each member gets
     * @param type their type
     * @param op the operation
     * @return the request
     */
    public final Request iReduceScatter(Buffer buf, int[] counts, Datatype type, Op op) {
        return reduceScatter(null, Block.of(buf, 0, type), counts, op, false);
    }

    /**
     * Combines two vectors: inOut[i] becomes in[i] op inOut[i].
     *
     * @param in the left operands
     * @param inOut the right operands, then the results
     * @param count the number of elements
     * @param type their type
     * @param op the operation
     */
    public static void reduceLocal(Object in, Object inOut, int count, Datatype type, Op op) {
        combine(Block.of(in, count, type), Block.of(inOut, count, type), op);
    }

    private static void combine(Block in, Block inOut, Op op) {
        Engine.get();
        Op.check(op, in.type());
        in.requireSent();
        inOut.requireRoom();
        Operands both = new Operands(op, inOut, 2);
        in.copyTo(both.room(0));
        inOut.copyTo(both.room(1));
        both.store(inOut);
    }

    private int[] same(int count) {
        requireOpen();
        int[] counts = new int[members.size()];
        Arrays.fill(counts, count);
        return counts;
    }
}
