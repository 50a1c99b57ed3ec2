// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import mpi.Datatype;

/** Where the elements of a message are in memory: blocks in regular distances. */
enum Shape {
    PLAIN(1, 1, 1), PAIRS(3, 2, 5), COLUMN(4, 1, 3), DENSE(2, 3, 3);

    private final int blocks;
    private final int block;
    private final int stride;
    /** The elements of one item of the datatype. */
    final int elements;
    private final int extent;
    private final Map<Element, Datatype> types = new EnumMap<>(Element.class);

    Shape(int blocks, int block, int stride) {
        this.blocks = blocks;
        this.block = block;
        this.stride = stride;
        elements = blocks * block;
        extent = (blocks - 1) * stride + block;
    }

    /** The datatypes of all shapes. */
    static void commit() {
        for (Shape shape : values()) {
            for (Element element : Element.values()) {
                shape.types.put(element, shape.committed(element));
            }
        }
    }

    private Datatype committed(Element element) {
        if (this == PLAIN) {
            return element.type();
        }
        Datatype type = Datatype.createVector(blocks, block, stride, element.type());
        type.commit();
        return type;
    }

    Datatype type(Element element) {
        return types.get(element);
    }

    /** One of those that so many elements can have; Open MPI refuses none in gaps of an array. */
    static Shape draw(Random random, int count) {
        Shape shape = Seeds.percent(random, 75) ? PLAIN : Seeds.oneOf(random, values());
        return count > 0 && count % shape.elements == 0 ? shape : PLAIN;
    }

    /** The elements of memory that a number of elements of data takes, with the gaps. */
    int span(int count) {
        return count / elements * extent;
    }

    /** Copies a number of elements of data into an image of memory, or out of it. */
    void copy(Element element, int count, byte[] data, byte[] image, boolean out) {
        int bytes = element.bytes;
        int length = this == PLAIN ? count : block;
        for (int i = 0; i < count; i += length) {
            int inside = i % elements;
            int place = this == PLAIN ? 0 : i / elements * extent + inside / block * stride;
            int moved = Math.min(length, count - i) * bytes;
            if (out) {
                System.arraycopy(image, place * bytes, data, i * bytes, moved);
            } else {
                System.arraycopy(data, i * bytes, image, place * bytes, moved);
            }
        }
    }
}
