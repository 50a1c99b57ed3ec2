// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that values come back from their bytes, and what codecs refuse. */
class CodecTest {
    private record Point(int x, String name) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    private static <T> T again(Codec<T> codec, T value) throws Exception {
        return codec.decode(codec.encode(value));
    }

    @Test
    void should_bring_strings_back() throws Exception {
        for (String text : List.of("", "plain", "J\u00fcrgen, \u6e6f\u5ddd \ud83d\ude00", "a\0b")) {
            assertEquals(text, again(Codec.strings(), text));
        }
        assertEquals(2, Codec.strings().encode("\u00fc").length);
        assertThrows(CharacterCodingException.class, () -> Codec.strings().encode("x\ud800"));
        assertThrows(CharacterCodingException.class,
                () -> Codec.strings().decode(new byte[] {(byte) 0xff}));
    }

    @Test
    void should_bring_arrays_back() throws Exception {
        assertArrayEquals(new byte[] {1, -1}, again(Codec.bytes(), new byte[] {1, -1}));
        int[] ints = {0, -1, Integer.MIN_VALUE};
        assertArrayEquals(ints, again(Codec.ints(), ints));
        long[] longs = {1L << 62, Long.MIN_VALUE};
        assertArrayEquals(longs, again(Codec.longs(), longs));
        float[] floats = {1.5f, Float.NaN, -0f};
        assertArrayEquals(floats, again(Codec.floats(), floats));
        double[] doubles = {Math.PI, Double.NEGATIVE_INFINITY};
        assertArrayEquals(doubles, again(Codec.doubles(), doubles));
        assertArrayEquals(new double[0], again(Codec.doubles(), new double[0]));
        assertArrayEquals(new byte[] {1, 2, 0, 0}, Codec.ints().encode(new int[] {0x201}));
        assertThrows(IllegalArgumentException.class, () -> Codec.longs().decode(new byte[9]));
    }

    @Test
    void should_bring_objects_back() throws Exception {
        Point point = new Point(3, "p");
        assertEquals(point, again(Codec.objects(Point.class), point));
        @SuppressWarnings({"unchecked", "rawtypes"})
        Codec<ArrayList<Point>> lists = (Codec) Codec.objects(ArrayList.class);
        ArrayList<Point> list = new ArrayList<>(List.of(point, new Point(4, "q")));
        assertEquals(list, again(lists, list));
    }

    @Test
    void should_refuse_objects_of_other_types_and_those_that_cannot_be_written() throws Exception {
        byte[] text = Codec.objects(String.class).encode("text");
        assertThrows(ClassCastException.class, () -> Codec.objects(Point.class).decode(text));
        @SuppressWarnings({"unchecked", "rawtypes"})
        Codec<ArrayList<Object>> lists = (Codec) Codec.objects(ArrayList.class);
        assertThrows(NotSerializableException.class,
                () -> lists.encode(new ArrayList<>(List.of(new Object()))));
        assertThrows(ArgumentException.class, () -> Codec.objects(null));
        assertThrows(ArgumentException.class, () -> Codec.objects(Point.class, null));
    }

    @Test
    void should_decode_only_what_a_filter_admits() throws Exception {
        ObjectInputFilter filter = ObjectInputFilter.Config.createFilter("java.lang.*;!*");
        byte[] point = Codec.objects(Point.class).encode(new Point(1, "x"));
        assertThrows(InvalidClassException.class,
                () -> Codec.objects(Point.class, filter).decode(point));
        assertEquals(7, again(Codec.objects(Integer.class, filter), 7));
    }
}
