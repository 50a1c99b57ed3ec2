// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.internal.bindings.MemoryBinding;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * Some elements of a buffer of the program.
 *
 * @param offset bytes, or places of objects, from its index 0 to the first element
 */
record Block(Object buf, long offset, int count, Datatype type) {
    static Block of(Object buf, int count, Datatype type) {
        return new Block(buf, 0, count, type);
    }

    /** Elements of an array or buffer by the units of mpiJava. */
    static Block of(Object buf, int offset, int count, Datatype type) {
        return new Block(buf, Payload.offset(buf, offset), count, type);
    }

    /** Returns elements behind this place. */
    Block at(long elements, int number) {
        return new Block(buf, offset + elements * Datatype.required(type).map.extent(), number,
                type);
    }

    /** Returns the block of a rank, of blocks that follow each other. */
    Block part(int i) {
        return at((long) i * count, count);
    }

    /** Returns this and the blocks that follow it as one. */
    Block times(int blocks) {
        long all = (long) count * blocks;
        if (all > Integer.MAX_VALUE) {
            throw new MPIException(ErrorClass.COUNT, blocks + " blocks of " + count + " elements:"
                    + " expected less than 2^31 elements; use a larger datatype");
        }
        return new Block(buf, offset, (int) all, type);
    }

    /** Says whether both are the same elements of the same memory. */
    boolean isAt(Block other) {
        return buf == other.buf && offset == other.offset && count == other.count
                && type == other.type;
    }

    boolean isObjects() {
        return Datatype.usable(type).kind.element == Kind.OBJECT;
    }

    void requireSent() {
        Layout.check(buf, offset, count, type);
    }

    void requireRoom() {
        Layout.checkReceive(buf, offset, count, type);
    }

    Payload sent() {
        return Payload.ofSend(buf, offset, count, type);
    }

    Payload copied() {
        return Payload.ofCopy(buf, offset, count, type);
    }

    Payload room() {
        return Payload.ofReceive(buf, offset, count, type);
    }

    /** Stores the same data in another block, of the same kind. */
    void copyTo(Block to) {
        if (copyPlain(to)) {
            return;
        }
        if (isObjects()) {
            byte[] stream = Objects.serialize(buf, offset, count, type);
            Objects.deserialize(ByteBuffer.wrap(stream), to.buf, to.offset, to.count, to.type);
        } else {
            Payload copy = copied();
            Packing.unpack(((ByteBuffer) copy.memory).duplicate().clear(), to.buf, to.offset,
                    to.count, to.type);
        }
    }

    /** Copies data that are one block in arrays of the same type, or in direct buffers. */
    private boolean copyPlain(Block to) {
        long bytes = Layout.bytesNeeded(count, type);
        if (!type.plain || !to.type.plain || bytes > Layout.bytesNeeded(to.count, to.type)) {
            return false;
        }
        if (bytes == 0) {
            return true;
        }
        if (buf instanceof ByteBuffer from && to.buf instanceof ByteBuffer room
                && offset + bytes <= from.limit() && to.offset + bytes <= room.limit()) {
            room.put((int) to.offset, from, (int) offset, (int) bytes);
            return true;
        }
        if (Payload.direct(buf) >= 0 && Payload.direct(to.buf) >= 0) {
            MemoryBinding.copy(MemoryBinding.address((Buffer) to.buf) + to.offset,
                    MemoryBinding.address((Buffer) buf) + offset, bytes);
            Reference.reachabilityFence(to.buf);
            Reference.reachabilityFence(buf);
            return true;
        }
        if (buf instanceof Buffer || buf.getClass() != to.buf.getClass()) {
            return false;
        }
        int each = Kind.of(buf).bytes;
        if (((offset | to.offset | bytes) & each - 1) != 0) {
            return false;
        }
        System.arraycopy(buf, (int) (offset / each), to.buf, (int) (to.offset / each),
                (int) (bytes / each));
        return true;
    }
}
