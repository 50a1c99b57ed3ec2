// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.scalapack;

import io.hayate.internal.bindings.MemoryBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Memory;
import io.hayate.internal.job.Windows;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The memory of a process's part of a distributed matrix, whose elements are of type s, d, c, z or
 * i. Elements are numbered in the order of the memory. It may be longer than a buffer.
 */
public final class LocalPart {
    private final Memory memory;
    private final char type;
    private final int elementBytes;
    private final long bytes;
    private final ByteBuffer[] windows;

    /** Describes the part; checks that the memory can be used. */
    public LocalPart(Memory memory, char type, int elementBytes, long rows, long columns) {
        this.memory = memory;
        this.type = type;
        this.elementBytes = elementBytes;
        bytes = rows * columns * elementBytes;
        if (memory.array != null) {
            throw Errors.argument("the memory of a matrix must not be a Java array: use the"
                    + " symmetric heap, a direct buffer or a native segment");
        }
        if (memory.readOnly) {
            throw Errors.argument("the memory of a matrix must not be read-only");
        }
        int part = isComplex() ? elementBytes / 2 : elementBytes;
        if (memory.start % part != 0) {
            throw Errors.argument("the memory of the matrix is not aligned to its numbers of "
                    + part + " bytes");
        }
        long start = memory.at(0, bytes);
        windows = bytes == 0 ? new ByteBuffer[0] : Windows.over(bytes, (offset, length) ->
                MemoryBinding.buffer(start + offset, length).order(ByteOrder.nativeOrder()));
    }

    private boolean isComplex() {
        return type == 'c' || type == 'z';
    }

    /** Fails if the memory is closed, also if the part has no elements. */
    public void requireOpen() {
        memory.at(0, bytes);
    }

    /** Returns the address for a call. The memory must be {@linkplain #pin pinned}. */
    public long address() {
        return memory.at(0, bytes);
    }

    /** Prevents a close of the memory until unpin() has been called as often as this method. */
    public void pin() {
        memory.pin();
    }

    public void unpin() {
        memory.unpin();
    }

    /** Returns the real (0) or imaginary (1) part of an element. */
    public double get(long index, int part) {
        long offset = offset(index);
        return getAt(isComplex() ? offset + part * elementBytes / 2 : offset);
    }

    /** Sets an element. */
    public void set(long index, double real, double imaginary) {
        long offset = offset(index);
        putAt(offset, real);
        if (isComplex()) {
            putAt(offset + elementBytes / 2, imaginary);
        }
    }

    /** Adds to an element. */
    public void add(long index, double real, double imaginary) {
        set(index, get(index, 0) + real, isComplex() ? get(index, 1) + imaginary : 0);
    }

    /** Returns the place of an element; the memory must exist. */
    private long offset(long index) {
        long offset = index * elementBytes;
        memory.at(offset, elementBytes);
        return offset;
    }

    private double getAt(long offset) {
        ByteBuffer window = Windows.of(windows, offset);
        int at = Windows.index(offset);
        return switch (type) {
            case 'i' -> window.getInt(at);
            case 's', 'c' -> window.getFloat(at);
            default -> window.getDouble(at);
        };
    }

    private void putAt(long offset, double value) {
        ByteBuffer window = Windows.of(windows, offset);
        int at = Windows.index(offset);
        switch (type) {
            case 'i' -> window.putInt(at, (int) value);
            case 's', 'c' -> window.putFloat(at, (float) value);
            default -> window.putDouble(at, value);
        }
    }

    /** Sets all elements to 0. */
    public void clear() {
        long count = bytes / elementBytes;
        for (long index = 0; index < count; index++) {
            set(index, 0, 0);
        }
    }
}
