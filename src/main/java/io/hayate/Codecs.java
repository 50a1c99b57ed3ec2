// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/** The codecs of strings and of arrays; numbers are little-endian. */
final class Codecs {
    static final Codec<String> STRINGS = new Strings();
    static final Codec<byte[]> BYTES = new Numbers<>(Byte.BYTES, byte[]::new, a -> a.length,
            (a, out) -> out.put(a), (in, a) -> in.get(a));
    static final Codec<int[]> INTS = new Numbers<>(Integer.BYTES, int[]::new, a -> a.length,
            (a, out) -> out.asIntBuffer().put(a), (in, a) -> in.asIntBuffer().get(a));
    static final Codec<long[]> LONGS = new Numbers<>(Long.BYTES, long[]::new, a -> a.length,
            (a, out) -> out.asLongBuffer().put(a), (in, a) -> in.asLongBuffer().get(a));
    static final Codec<float[]> FLOATS = new Numbers<>(Float.BYTES, float[]::new, a -> a.length,
            (a, out) -> out.asFloatBuffer().put(a), (in, a) -> in.asFloatBuffer().get(a));
    static final Codec<double[]> DOUBLES = new Numbers<>(Double.BYTES, double[]::new,
            a -> a.length, (a, out) -> out.asDoubleBuffer().put(a),
            (in, a) -> in.asDoubleBuffer().get(a));

    private Codecs() {
    }

    /** UTF-8, without replacing what it does not have. */
    private static final class Strings implements Codec<String> {
        @Override
        public byte[] encode(String value) throws CharacterCodingException {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
            byte[] exact = new byte[bytes.remaining()];
            bytes.get(exact);
            return exact;
        }

        @Override
        public String decode(byte[] bytes) throws CharacterCodingException {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        }
    }

    /** An array of numbers of one type. */
    private static final class Numbers<A> implements Codec<A> {
        private final int each;
        private final IntFunction<A> maker;
        private final ToIntFunction<A> length;
        private final BiConsumer<A, ByteBuffer> put;
        private final BiConsumer<ByteBuffer, A> get;

        Numbers(int each, IntFunction<A> maker, ToIntFunction<A> length,
                BiConsumer<A, ByteBuffer> put, BiConsumer<ByteBuffer, A> get) {
            this.each = each;
            this.maker = maker;
            this.length = length;
            this.put = put;
            this.get = get;
        }

        @Override
        public byte[] encode(A value) {
            byte[] bytes = new byte[Math.multiplyExact(length.applyAsInt(value), each)];
            put.accept(value, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
            return bytes;
        }

        @Override
        public A decode(byte[] bytes) {
            if (bytes.length % each != 0) {
                throw new IllegalArgumentException(
                        bytes.length + " bytes: expected a multiple of " + each);
            }
            A value = maker.apply(bytes.length / each);
            get.accept(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), value);
            return value;
        }
    }
}
