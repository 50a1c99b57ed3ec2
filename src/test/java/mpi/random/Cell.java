// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import mpi.Datatype;
import mpi.MPI;

/** The memory of one message: an array, a buffer of it, or a direct buffer. */
final class Cell {
    /** What a program passes to MPI. */
    enum Memory {
        ARRAY, HEAP_BUFFER, DIRECT_BYTES, DIRECT_ELEMENTS;

        static Memory draw(Random random, boolean blocking) {
            return blocking ? Seeds.oneOf(random, values())
                    : Seeds.oneOf(random, DIRECT_BYTES, DIRECT_ELEMENTS);
        }
    }

    private final Element element;
    private final Shape shape;
    private final int count;
    private final Object array;
    private final ByteBuffer direct;
    private final Object passed;

    /** Memory for so many elements. */
    Cell(Element element, Shape shape, int count, Memory memory) {
        this.element = element;
        this.shape = shape;
        this.count = count;
        int length = shape.span(count);
        if (memory == Memory.ARRAY || memory == Memory.HEAP_BUFFER) {
            direct = null;
            array = element.array(length);
            passed = memory == Memory.ARRAY ? array : element.wrapped(array);
        } else {
            array = null;
            direct = MPI.newByteBuffer(length * element.bytes).order(ByteOrder.nativeOrder());
            passed = memory == Memory.DIRECT_BYTES ? direct : element.view(direct);
        }
    }

    Object passed() {
        return passed;
    }

    Buffer buffer() {
        return (Buffer) passed;
    }

    Datatype type() {
        return shape.type(element);
    }

    /** The number of items of the datatype. */
    int items() {
        return count / shape.elements;
    }

    /** Stores the data of a message; all else is filler. */
    void fill(byte[] data) {
        byte[] image = element.untouched(shape.span(count));
        shape.copy(element, data.length / element.bytes, data, image, false);
        if (array != null) {
            element.store(image, array);
        } else {
            direct.duplicate().clear().put(image);
        }
    }

    /**
     * Whether memory is as a message with these data leaves it. Open MPI copies arrays, also the
     * elements that no message writes, from memory that has other values.
     */
    boolean has(byte[] data) {
        if (array != null && RandomProgram.underOpenMpi()) {
            return Arrays.equals(data, data(data.length / element.bytes));
        }
        byte[] expected = element.untouched(shape.span(count));
        shape.copy(element, data.length / element.bytes, data, expected, false);
        return Arrays.equals(expected, image());
    }

    /** The first elements of the data that it has. */
    byte[] data(int elements) {
        byte[] data = new byte[elements * element.bytes];
        shape.copy(element, elements, data, image(), true);
        return data;
    }

    private byte[] image() {
        byte[] image = new byte[shape.span(count) * element.bytes];
        if (array != null) {
            element.load(array, image);
        } else {
            direct.duplicate().clear().get(image);
        }
        return image;
    }
}
