// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;

/** Memory of the kind that the command line names, zeroed. Close it after what uses it. */
final class Buffers implements AutoCloseable {
    private final Hayate job;
    private final MemoryKind kind;
    private final List<HeapSpan> taken = new ArrayList<>();

    Buffers(Hayate job, MemoryKind kind) {
        this.job = job;
        this.kind = kind;
    }

    Doubles doubles(int count) {
        if (kind == MemoryKind.ARRAY) {
            double[] array = new double[count];
            return new Doubles(DoubleBuffer.wrap(array), Span.of(array));
        }
        ByteBuffer memory = bytes((long) count * Double.BYTES);
        return new Doubles(memory.asDoubleBuffer(), span(memory));
    }

    Ints ints(int count) {
        if (kind == MemoryKind.ARRAY) {
            int[] array = new int[count];
            return new Ints(IntBuffer.wrap(array), Span.of(array));
        }
        ByteBuffer memory = bytes((long) count * Integer.BYTES);
        return new Ints(memory.asIntBuffer(), span(memory));
    }

    /** Of memory taken last. */
    private Span span(ByteBuffer memory) {
        return kind == MemoryKind.HEAP ? taken.get(taken.size() - 1) : Span.of(memory);
    }

    private ByteBuffer bytes(long size) {
        if (kind == MemoryKind.DIRECT) {
            return ByteBuffer.allocateDirect(Math.toIntExact(size)).order(ByteOrder.nativeOrder());
        }
        HeapSpan memory = job.allocate(Math.max(size, 1));
        taken.add(memory);
        return memory.buffer();
    }

    @Override
    public void close() {
        taken.forEach(HeapSpan::close);
        taken.clear();
    }
}
