// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/** What a datatype repeats: a primitive type of Java, a pair of them, an object. */
enum Kind {
    /** Nothing: the null datatype, and the markers of bounds. */
    NONE(-1, 0),
    BYTE(1, 1),
    CHAR(2, 2),
    SHORT(3, 2),
    BOOLEAN(4, 1),
    INT(5, 4),
    LONG(6, 8),
    FLOAT(7, 4),
    DOUBLE(8, 8),
    /** Bytes that {@code pack} wrote. */
    PACKED(9, BYTE),
    /** One place of an array of objects counts as one byte. */
    OBJECT(12, 1),
    /** Primitive types of several kinds; their memory is bytes. */
    MIXED(1, BYTE),
    SHORT2(SHORT, SHORT, SHORT),
    INT2(INT, INT, BYTE),
    LONG2(LONG, LONG, LONG),
    FLOAT2(FLOAT, FLOAT, FLOAT),
    DOUBLE2(DOUBLE, DOUBLE, DOUBLE),
    SHORT_INT(SHORT, INT, BYTE),
    LONG_INT(LONG, INT, BYTE),
    FLOAT_INT(FLOAT, INT, BYTE),
    DOUBLE_INT(DOUBLE, INT, BYTE),
    FLOAT_COMPLEX(FLOAT, FLOAT, FLOAT),
    DOUBLE_COMPLEX(DOUBLE, DOUBLE, DOUBLE);

    /** The number of the type of its array elements in mpiJava. */
    final int code;
    /** The size of one without gaps, in bytes. */
    final int bytes;
    /** The elements of an array of it: itself, or those of both parts, or BYTE if they differ. */
    final Kind element;
    /** Open MPI measures extents of the predefined type in elements of this kind. */
    final Kind base;
    /** The first part of a pair, a value or a real part; otherwise null. */
    final Kind first;
    /** The second part of a pair, an index, a value or an imaginary part; otherwise null. */
    final Kind second;

    Kind(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
        element = this;
        base = this;
        first = null;
        second = null;
    }

    Kind(int code, Kind element) {
        this.code = code;
        bytes = element.bytes;
        this.element = element;
        base = element;
        first = null;
        second = null;
    }

    Kind(Kind first, Kind second, Kind base) {
        element = first == second ? first : base;
        code = element.code;
        bytes = first.bytes + second.bytes;
        this.base = base;
        this.first = first;
        this.second = second;
    }

    /** Returns what a datatype that contains both repeats. */
    Kind with(Kind other) {
        if (this == other || other == NONE) {
            return this;
        }
        if (this == NONE) {
            return other;
        }
        return element == other.element && isUniform() && other.isUniform() ? element : MIXED;
    }

    /** Returns whether all parts are of the same primitive type. */
    boolean isUniform() {
        return this != MIXED && first == second;
    }

    /** Returns whether an array of elements of this kind can hold values of a datatype. */
    boolean holds(Datatype type) {
        return this == type.kind.element || this == type.base;
    }

    /** Returns the kind of the elements of an array or buffer; null if it is something else. */
    static Kind of(Object memory) {
        return memory instanceof Buffer buffer ? ofBuffer(buffer) : ofArray(memory);
    }

    private static Kind ofBuffer(Buffer buffer) {
        return buffer instanceof ByteBuffer ? BYTE
                : buffer instanceof DoubleBuffer ? DOUBLE
                : buffer instanceof IntBuffer ? INT
                : buffer instanceof LongBuffer ? LONG
                : buffer instanceof FloatBuffer ? FLOAT
                : buffer instanceof CharBuffer ? CHAR
                : buffer instanceof ShortBuffer ? SHORT
                : null;
    }

    private static Kind ofArray(Object array) {
        return array instanceof double[] ? DOUBLE
                : array instanceof int[] ? INT
                : array instanceof byte[] ? BYTE
                : array instanceof long[] ? LONG
                : array instanceof float[] ? FLOAT
                : array instanceof char[] ? CHAR
                : array instanceof short[] ? SHORT
                : array instanceof boolean[] ? BOOLEAN
                : array instanceof Object[] ? OBJECT
                : null;
    }
}
