// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.internal.bindings.MemoryBinding;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Copies the data of a datatype between a buffer of the program and consecutive bytes. These are
 * the bytes of the memory: the byte order of the program's buffer does not matter.
 */
final class Packing implements Piece.Leaves {
    private final Mover mover;
    private final boolean packing;
    private final int shift;
    /** Bytes that are to be copied. */
    private long left;
    /** The place in the packed bytes. */
    private long packed;

    private Packing(Mover mover, boolean packing, int element, long bytes) {
        this.mover = mover;
        this.packing = packing;
        shift = Integer.numberOfTrailingZeros(element);
        left = bytes;
    }

    /**
     * Appends the data of some elements to a buffer.
     *
     * @param buf a buffer that {@link Layout#check} accepted with these elements
     * @param byteOffset bytes from its index 0 to the first element
     * @param to receives the bytes from its position on, which is advanced
     */
    static void pack(Object buf, long byteOffset, int count, Datatype type, ByteBuffer to) {
        long bytes = Layout.bytesNeeded(count, type);
        if (bytes > to.remaining()) {
            throw new MPIException(ErrorClass.TRUNCATE, count + " elements of the datatype " + type
                    + " are " + bytes + " bytes, and there is room for " + to.remaining());
        }
        copy(true, buf, byteOffset, count, type, to, bytes);
    }

    /**
     * Stores packed data, all or the first ones of some elements.
     *
     * @param from contains the bytes from its position on, which is advanced; if there are more
     *     than the elements need, they are left
     * @param buf a buffer that {@link Layout#checkReceive} accepted with these elements
     * @param byteOffset bytes from its index 0 to the first element
     */
    static void unpack(ByteBuffer from, Object buf, long byteOffset, int count, Datatype type) {
        long bytes = Math.min(from.remaining(), Layout.bytesNeeded(count, type));
        copy(false, buf, byteOffset, count, type, from, bytes);
    }

    private static void copy(boolean packing, Object buf, long byteOffset, int count,
            Datatype type, ByteBuffer packed, long bytes) {
        boolean memory = buf instanceof ByteBuffer;
        if (bytes > 0 && !memory && !Layout.isOfElements(buf, byteOffset, count, type, bytes)) {
            long room = Layout.capacity(buf);
            if (buf instanceof Buffer user && Payload.direct(buf) >= 0
                    && room <= Integer.MAX_VALUE) {
                copy(packing, MemoryBinding.buffer(MemoryBinding.address(user), room), byteOffset,
                        count, type, packed, bytes);
                Reference.reachabilityFence(buf);
                return;
            }
            ByteBuffer image = image(buf);
            copy(packing, image, byteOffset, count, type, packed, bytes);
            if (!packing) {
                storeTouched(image, buf, byteOffset, type, bytes);
            }
            return;
        }
        if (bytes > 0) {
            TypeMap map = type.map;
            Kind kind = memory ? widest(map.granularity(count) | byteOffset | bytes)
                    : Kind.of(buf);
            long needed = (bytes + map.size - 1) / map.size;
            Packing copy = new Packing(mover(packing, kind, buf, packed.slice()), packing,
                    kind.bytes, bytes);
            map.visit(byteOffset, needed, copy);
        }
        packed.position(packed.position() + (int) bytes);
    }

    /** Only elements with received bytes: others may store into the others meanwhile. */
    private static void storeTouched(ByteBuffer image, Object buf, long byteOffset, Datatype type,
            long bytes) {
        Kind kind = Kind.of(buf);
        Mover back = mover(false, kind, buf, image);
        long[] left = {bytes};
        type.map.visit(byteOffset, (bytes + type.map.size - 1) / type.map.size,
                (offset, block, count, stride) -> {
                    for (long i = 0; i < count && left[0] > 0; i++) {
                        long begin = offset + i * stride;
                        long length = Math.min(block, left[0]);
                        int first = (int) (begin / kind.bytes);
                        back.copy(first, first,
                                (int) ((begin + length + kind.bytes - 1) / kind.bytes) - first);
                        left[0] -= length;
                    }
                });
    }

    /** Returns the bytes of an array or buffer, for data that are not whole elements of it. */
    private static ByteBuffer image(Object buf) {
        long bytes = Layout.capacity(buf);
        if (bytes > Integer.MAX_VALUE - 8) {
            throw new MPIException(ErrorClass.TYPE, "the data are not whole elements of the buffer"
                    + " of " + bytes + " bytes: expected less than 2 GiB, or use a ByteBuffer");
        }
        ByteBuffer image = ByteBuffer.allocate((int) bytes);
        mover(true, Kind.of(buf), buf, image).copy(0, 0, lengthOf(buf));
        return image;
    }

    private static int lengthOf(Object buf) {
        return (int) (Layout.capacity(buf) / Kind.of(buf).bytes);
    }

    /** Returns the largest kind whose size divides all of some numbers, combined by OR. */
    private static Kind widest(long numbers) {
        return switch ((int) Long.lowestOneBit(numbers | Long.BYTES)) {
            case Long.BYTES -> Kind.LONG;
            case Integer.BYTES -> Kind.INT;
            case Short.BYTES -> Kind.SHORT;
            default -> Kind.BYTE;
        };
    }

    private static Mover mover(boolean packing, Kind kind, Object buf, ByteBuffer packed) {
        if (buf instanceof boolean[] booleans) {
            return packing ? Mover.from(booleans, packed) : Mover.to(booleans, packed);
        }
        Buffer user = buf instanceof ByteBuffer bytes ? view(kind, bytes.duplicate().clear()
                .order(ByteOrder.nativeOrder())) : buffer(buf);
        Buffer other = view(kind, packed.order(orderOf(user)));
        return packing ? Mover.between(kind, user, other) : Mover.between(kind, other, user);
    }

    private static Buffer buffer(Object buf) {
        return buf instanceof Buffer buffer ? buffer.duplicate().clear()
                : buf instanceof double[] array ? DoubleBuffer.wrap(array)
                : buf instanceof int[] array ? IntBuffer.wrap(array)
                : buf instanceof byte[] array ? ByteBuffer.wrap(array)
                : buf instanceof long[] array ? LongBuffer.wrap(array)
                : buf instanceof float[] array ? FloatBuffer.wrap(array)
                : buf instanceof char[] array ? CharBuffer.wrap(array)
                : ShortBuffer.wrap((short[]) buf);
    }

    private static Buffer view(Kind kind, ByteBuffer bytes) {
        return switch (kind) {
            case CHAR -> bytes.asCharBuffer();
            case SHORT -> bytes.asShortBuffer();
            case INT -> bytes.asIntBuffer();
            case LONG -> bytes.asLongBuffer();
            case FLOAT -> bytes.asFloatBuffer();
            case DOUBLE -> bytes.asDoubleBuffer();
            default -> bytes;
        };
    }

    /** Returns the byte order of a buffer; of bytes, that of the machine. */
    static ByteOrder orderOf(Buffer buffer) {
        return buffer instanceof DoubleBuffer doubles ? doubles.order()
                : buffer instanceof IntBuffer ints ? ints.order()
                : buffer instanceof LongBuffer longs ? longs.order()
                : buffer instanceof FloatBuffer floats ? floats.order()
                : buffer instanceof CharBuffer chars ? chars.order()
                : buffer instanceof ShortBuffer shorts ? shorts.order()
                : ByteOrder.nativeOrder();
    }

    @Override
    public void blocks(long offset, long block, long count, long stride) {
        long whole = Math.min(count, left / block);
        if (whole > 0) {
            move(offset, stride, (int) whole, block);
        }
        if (whole < count && left > 0) {
            move(offset + whole * stride, 0, 1, left);
        }
    }

    private void move(long offset, long stride, int count, long block) {
        int user = (int) (offset >> shift);
        int step = (int) (stride >> shift);
        int other = (int) (packed >> shift);
        int length = (int) (block >> shift);
        if (packing) {
            mover.move(user, step, other, length, count, length);
        } else {
            mover.move(other, length, user, step, count, length);
        }
        packed += count * block;
        left -= count * block;
    }
}
