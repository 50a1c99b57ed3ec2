// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.HeapSpan;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Every kind of memory that Hayate sends from and receives into. */
public enum BufferKind {
    HEAP {
        @Override
        Memory room(Rank rank, int bytes) {
            HeapSpan span = rank.job.allocate(bytes);
            ByteBuffer view = span.buffer();
            return new Memory(span, image -> view.put(0, image), image -> view.get(0, image),
                    span::close);
        }
    },
    DIRECT {
        @Override
        Memory room(Rank rank, int bytes) {
            ByteBuffer memory = Rank.direct(bytes);
            return plain(Span.of(memory), memory);
        }
    },
    WRAPPED {
        @Override
        Memory room(Rank rank, int bytes) {
            ByteBuffer memory = ByteBuffer.allocate(bytes);
            return plain(Span.of(memory), memory);
        }
    },
    BYTES {
        @Override
        Memory room(Rank rank, int bytes) {
            byte[] memory = new byte[bytes];
            return plain(Span.of(memory), ByteBuffer.wrap(memory));
        }
    },
    INTS {
        @Override
        Memory room(Rank rank, int bytes) {
            int[] memory = new int[bytes / 4];
            return new Memory(Span.of(memory), image -> bytes(image).asIntBuffer().get(memory),
                    image -> bytes(image).asIntBuffer().put(memory), () -> { });
        }
    },
    LONGS {
        @Override
        Memory room(Rank rank, int bytes) {
            long[] memory = new long[bytes / 8];
            return new Memory(Span.of(memory), image -> bytes(image).asLongBuffer().get(memory),
                    image -> bytes(image).asLongBuffer().put(memory), () -> { });
        }
    },
    FLOATS {
        @Override
        Memory room(Rank rank, int bytes) {
            float[] memory = new float[bytes / 4];
            return new Memory(Span.of(memory), image -> bytes(image).asFloatBuffer().get(memory),
                    image -> bytes(image).asFloatBuffer().put(memory), () -> { });
        }
    },
    DOUBLES {
        @Override
        Memory room(Rank rank, int bytes) {
            double[] memory = new double[bytes / 8];
            return new Memory(Span.of(memory), image -> bytes(image).asDoubleBuffer().get(memory),
                    image -> bytes(image).asDoubleBuffer().put(memory), () -> { });
        }
    },
    SHORTS {
        @Override
        Memory room(Rank rank, int bytes) {
            short[] memory = new short[bytes / 2];
            return new Memory(Span.of(memory), image -> bytes(image).asShortBuffer().get(memory),
                    image -> bytes(image).asShortBuffer().put(memory), () -> { });
        }
    },
    CHARS {
        @Override
        Memory room(Rank rank, int bytes) {
            char[] memory = new char[bytes / 2];
            return new Memory(Span.of(memory), image -> bytes(image).asCharBuffer().get(memory),
                    image -> bytes(image).asCharBuffer().put(memory), () -> { });
        }
    };

    /** Memory of a multiple of 8 bytes. */
    abstract Memory room(Rank rank, int bytes);

    /** Memory of so many bytes, with guards around it. */
    public Memory of(Rank rank, int bytes) {
        return room(rank, Memory.roomFor(bytes)).within(bytes);
    }

    private static Memory plain(Span span, ByteBuffer memory) {
        return new Memory(span, image -> memory.put(0, image), image -> memory.get(0, image),
                () -> { });
    }

    private static ByteBuffer bytes(byte[] image) {
        return ByteBuffer.wrap(image).order(ByteOrder.nativeOrder());
    }
}
