// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import mpi.Datatype;
import mpi.MPI;

/** A primitive type, with its arrays and buffers. An image is memory as bytes in native order. */
enum Element {
    BYTE(1), CHAR(2), SHORT(2), INT(4), LONG(8), FLOAT(4), DOUBLE(8), BOOLEAN(1);

    final int bytes;
    /** What memory has where no message writes. */
    final byte filler;

    Element(int bytes) {
        this.bytes = bytes;
        filler = (byte) (bytes == 1 ? 1 : 0x5A); // a boolean is 0 or 1
    }

    Datatype type() {
        return switch (this) {
            case BYTE -> MPI.BYTE;
            case CHAR -> MPI.CHAR;
            case SHORT -> MPI.SHORT;
            case INT -> MPI.INT;
            case LONG -> MPI.LONG;
            case FLOAT -> MPI.FLOAT;
            case DOUBLE -> MPI.DOUBLE;
            case BOOLEAN -> MPI.BOOLEAN;
        };
    }

    /** Data that a number determines. */
    byte[] content(long id, int count) {
        byte[] data = new byte[count * bytes];
        ByteBuffer words = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
        long word = id;
        int i = 0;
        for (; i + Long.BYTES <= data.length; i += Long.BYTES) {
            word = Seeds.mix(word, i);
            words.putLong(i, word);
        }
        word = Seeds.mix(word, i);
        for (; i < data.length; i++, word >>>= Byte.SIZE) {
            data[i] = (byte) word;
        }
        for (int b = 0; this == BOOLEAN && b < data.length; b++) {
            data[b] &= 1;
        }
        return data;
    }

    Object array(int length) {
        return switch (this) {
            case BYTE -> new byte[length];
            case CHAR -> new char[length];
            case SHORT -> new short[length];
            case INT -> new int[length];
            case LONG -> new long[length];
            case FLOAT -> new float[length];
            case DOUBLE -> new double[length];
            case BOOLEAN -> new boolean[length];
        };
    }

    void store(byte[] image, Object array) {
        ByteBuffer from = ByteBuffer.wrap(image).order(ByteOrder.nativeOrder());
        switch (this) {
            case BYTE -> from.get((byte[]) array);
            case CHAR -> from.asCharBuffer().get((char[]) array);
            case SHORT -> from.asShortBuffer().get((short[]) array);
            case INT -> from.asIntBuffer().get((int[]) array);
            case LONG -> from.asLongBuffer().get((long[]) array);
            case FLOAT -> from.asFloatBuffer().get((float[]) array);
            case DOUBLE -> from.asDoubleBuffer().get((double[]) array);
            case BOOLEAN -> {
                for (int i = 0; i < image.length; i++) {
                    ((boolean[]) array)[i] = image[i] != 0;
                }
            }
        }
    }

    void load(Object array, byte[] image) {
        ByteBuffer to = ByteBuffer.wrap(image).order(ByteOrder.nativeOrder());
        switch (this) {
            case BYTE -> to.put((byte[]) array);
            case CHAR -> to.asCharBuffer().put((char[]) array);
            case SHORT -> to.asShortBuffer().put((short[]) array);
            case INT -> to.asIntBuffer().put((int[]) array);
            case LONG -> to.asLongBuffer().put((long[]) array);
            case FLOAT -> to.asFloatBuffer().put((float[]) array);
            case DOUBLE -> to.asDoubleBuffer().put((double[]) array);
            case BOOLEAN -> {
                for (int i = 0; i < image.length; i++) {
                    image[i] = (byte) (((boolean[]) array)[i] ? 1 : 0);
                }
            }
        }
    }

    /** A buffer of an array's elements; the array itself where java.nio has none. */
    Object wrapped(Object array) {
        return switch (this) {
            case BYTE -> ByteBuffer.wrap((byte[]) array);
            case CHAR -> CharBuffer.wrap((char[]) array);
            case SHORT -> ShortBuffer.wrap((short[]) array);
            case INT -> IntBuffer.wrap((int[]) array);
            case LONG -> LongBuffer.wrap((long[]) array);
            case FLOAT -> FloatBuffer.wrap((float[]) array);
            case DOUBLE -> DoubleBuffer.wrap((double[]) array);
            case BOOLEAN -> array;
        };
    }

    /** A buffer of elements in the memory of a direct one. */
    Buffer view(ByteBuffer direct) {
        return switch (this) {
            case BYTE, BOOLEAN -> direct;
            case CHAR -> direct.asCharBuffer();
            case SHORT -> direct.asShortBuffer();
            case INT -> direct.asIntBuffer();
            case LONG -> direct.asLongBuffer();
            case FLOAT -> direct.asFloatBuffer();
            case DOUBLE -> direct.asDoubleBuffer();
        };
    }

    byte[] untouched(int length) {
        byte[] image = new byte[length * bytes];
        Arrays.fill(image, filler);
        return image;
    }
}
