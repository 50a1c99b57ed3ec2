// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.internal.bindings.MemoryBinding;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The data of an access to a file as buffers of bytes ("windows") that follow each other: the
 * program's memory if it is one direct block or an array of bytes, else copies of some elements at
 * a time, so that no copy of all is ever made. For one thread.
 */
abstract class FileData {
    private static final int COPIED = 1 << 18;
    private static final int LONGEST = 1 << 30;

    final Block data;
    private final long bytes;
    /** The bytes in windows before the current one. */
    private long done;
    private ByteBuffer current;

    private FileData(Block data) {
        this.data = data;
        bytes = Layout.bytesNeeded(data.count(), data.type());
    }

    static FileData of(Block data) {
        boolean plain = data.type().plain;
        return plain && Payload.direct(data.buf()) >= 0 ? new Direct(data)
                : plain && data.buf() instanceof byte[] ? new Bytes(data) : new Copies(data);
    }

    /** Returns the next window; for a write it contains the data. Null: there is no more. */
    final ByteBuffer next(boolean written) {
        done += current == null ? 0 : current.capacity();
        current = done == bytes ? null : window(done, bytes - done, written);
        return current;
    }

    /** Stores what was read into the current window, up to its position. */
    void store() {
    }

    /** Returns a window that begins at its index 0 and has at least one byte. */
    abstract ByteBuffer window(long at, long left, boolean written);

    /** Memory that the system can write from and read into. */
    private static final class Direct extends FileData {
        Direct(Block data) {
            super(data);
        }

        @Override
        ByteBuffer window(long at, long left, boolean written) {
            Layout.requireMemory(data.buf());
            long begin = data.offset() + at;
            int length = (int) Math.min(left, LONGEST);
            return data.buf() instanceof ByteBuffer memory
                    ? memory.duplicate().clear().slice((int) begin, length)
                    : MemoryBinding.buffer(MemoryBinding.address((Buffer) data.buf()) + begin,
                            length);
        }
    }

    private static final class Bytes extends FileData {
        Bytes(Block data) {
            super(data);
        }

        @Override
        ByteBuffer window(long at, long left, boolean written) {
            return ByteBuffer.wrap((byte[]) data.buf(), (int) (data.offset() + at),
                    (int) Math.min(left, COPIED)).slice();
        }
    }

    /** Whole elements, at least one. */
    private static final class Copies extends FileData {
        private ByteBuffer copy;
        private long first;

        Copies(Block data) {
            super(data);
        }

        @Override
        ByteBuffer window(long at, long left, boolean written) {
            long size = data.type().bytes;
            first = at / size;
            int elements = (int) Math.min(data.count() - first, Math.max(1, COPIED / size));
            copy = room(elements * size);
            if (written) {
                Packing.pack(data.buf(), place(), elements, data.type(), copy);
            }
            return copy.clear();
        }

        private ByteBuffer room(long length) {
            if (length > Integer.MAX_VALUE - 8) {
                throw new MPIException(ErrorClass.TYPE, "an element of the datatype " + data.type()
                        + " has " + length + " bytes that are not one block: expected less than"
                        + " 2 GiB");
            }
            return copy != null && copy.capacity() == length ? copy.clear()
                    : ByteBuffer.allocate((int) length).order(ByteOrder.nativeOrder());
        }

        @Override
        void store() {
            copy.flip();
            if (copy.hasRemaining()) {
                int elements = (int) ((copy.remaining() - 1) / data.type().bytes + 1);
                Packing.unpack(copy, data.buf(), place(), elements, data.type());
            }
        }

        /** The bytes to the first element; its type may have been freed meanwhile. */
        private long place() {
            return data.offset() + first * data.type().map.extent();
        }
    }
}
