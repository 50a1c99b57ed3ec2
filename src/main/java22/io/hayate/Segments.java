// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.job.Memory;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;

/**
 * Describes memory segments as {@link Span}s, on JDK 22 and later.
 *
 * <p>A span checks at the beginning of each operation that the segment's arena is open and that
 * this thread may access it. The arena must not be closed while an operation is in progress.
 */
public final class Segments {
    private Segments() {
    }

    /**
     * Returns the memory of a segment, native or of an array, as a span.
     *
     * @param segment the segment; a read-only one can be sent from only
     * @return the memory of the segment
     * @throws ArgumentException if the segment is null, or is read-only and of an array
     * @throws ClosedException if its arena is closed, or the segment belongs to another thread
     */
    public static Span of(MemorySegment segment) {
        Errors.required(segment, "segment");
        BooleanSupplier alive = () -> segment.scope().isAlive()
                && segment.isAccessibleBy(Thread.currentThread());
        Object array = segment.heapBase().orElse(null);
        if (array == null && !segment.isNative()) {
            throw Errors.argument("a read-only segment of an array: its memory cannot be reached");
        }
        Memory memory = new Memory(array, segment.address(), segment.byteSize(),
                segment.isReadOnly(), alive, segment);
        memory.at(0, 0);
        return new Span(memory);
    }
}
