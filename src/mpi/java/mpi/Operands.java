// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The data of several ranks that an operation combines, in rank order. Those for predefined
 * operations are packed bytes; a function of the program gets arrays or direct buffers in which
 * elements are placed as in its own buffers.
 */
final class Operands {
    private final Op op;
    private final int count;
    private final Datatype type;
    private final Object[] memories;

    /** to: where the result goes. */
    Operands(Op op, Block to, int ranks) {
        this(op, to.count(), to, ranks);
    }

    /** count: the elements of each rank. to: tells their type, also that of arrays of objects. */
    Operands(Op op, int count, Block to, int ranks) {
        this.op = op;
        this.count = count;
        type = to.type();
        memories = new Object[ranks];
        for (int i = 0; i < ranks; i++) {
            memories[i] = memory(to.buf());
        }
    }

    private Object memory(Object like) {
        if (op.operator != null) {
            return bytes(Layout.bytesNeeded(count, type));
        }
        TypeMap map = type.map;
        if (map.trueLb < 0 || map.extent() < 0) {
            throw new MPIException(ErrorClass.TYPE, "the datatype " + type + " has data before its"
                    + " beginning: an operation needs one whose elements begin at 0 or later");
        }
        long length = count == 0 ? 0
                : Math.max(count * map.extent(), map.trueUb + (count - 1) * map.extent());
        if (!op.takesArrays(type)) {
            return bytes(length);
        }
        return type.kind.element == Kind.OBJECT
                ? Arrays.copyOf(like == null ? new Object[0] : Arrays.copyOf((Object[]) like, 0),
                        Math.toIntExact(length))
                : array(type.kind.element, Math.toIntExact(length / type.kind.element.bytes));
    }

    private static ByteBuffer bytes(long length) {
        if (length > Integer.MAX_VALUE - 8) {
            throw new MPIException(ErrorClass.COUNT, "the operands have " + length
                    + " bytes: expected less than 2 GiB; reduce them in several steps");
        }
        return ByteBuffer.allocateDirect((int) length).order(ByteOrder.nativeOrder());
    }

    /** Returns the room for the data of a rank. */
    Block room(int rank) {
        return part(rank, 0, count);
    }

    private Block part(int rank, long first, int number) {
        return op.operator == null ? Block.of(memories[rank], number, type).at(first, number)
                : new Block(memories[rank], first * type.bytes, (int) (number * type.bytes),
                        Types.BYTE);
    }

    /** Combines all, and stores the result. */
    void store(Block to) {
        store(0, to);
    }

    /** Combines all, and stores some elements of the result. */
    void store(long first, Block to) {
        int last = memories.length - 1;
        for (int i = last - 1; i >= 0; i--) {
            combine(memories[i], memories[last]);
        }
        part(last, first, to.count()).copyTo(to);
    }

    private void combine(Object in, Object inOut) {
        if (op.operator == null) {
            op.call(in, inOut, count, type);
        } else {
            Combining.combine(op.operator, type.kind, (ByteBuffer) in, (ByteBuffer) inOut);
        }
    }

    /** Returns a whole buffer, in the byte order of the machine. */
    static ByteBuffer view(Object memory) {
        return ((ByteBuffer) memory).duplicate().clear().order(ByteOrder.nativeOrder());
    }

    static Object array(Kind kind, int length) {
        return switch (kind) {
            case BOOLEAN -> new boolean[length];
            case CHAR -> new char[length];
            case SHORT -> new short[length];
            case INT -> new int[length];
            case LONG -> new long[length];
            case FLOAT -> new float[length];
            case DOUBLE -> new double[length];
            default -> new byte[length];
        };
    }

    /** Returns the predefined datatype of the elements of an array. */
    static Datatype basic(Kind kind) {
        return switch (kind) {
            case BOOLEAN -> Types.BOOLEAN;
            case CHAR -> Types.CHAR;
            case SHORT -> Types.SHORT;
            case INT -> Types.INT;
            case LONG -> Types.LONG;
            case FLOAT -> Types.FLOAT;
            case DOUBLE -> Types.DOUBLE;
            default -> Types.BYTE;
        };
    }
}
