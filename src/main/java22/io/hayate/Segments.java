// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Memory;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;

/**
 * Describes memory segments as {@link Span}s, on JDK 22 and later.
 *
 * <p>A span checks at the beginning of each operation that the segment's arena is open and that
 * this thread may access it. The arena must not be closed while an operation is in progress: a
 * non-blocking receive, for example, is in progress until its {@link Request} is known to be
 * complete, and would write into memory that has another use by then.
 *
 * <p>A blocking send does not leave the memory of a segment behind, because {@code try} usually
 * closes the arena next. A {@code send} whose time limit is over, or whose thread is interrupted,
 * therefore goes on until the receiver has taken the message, or has died; then it returns as
 * usual, and the interrupt status of the thread stays set. A send to the own rank, whose receiver
 * may be what follows, does end: where a limit or an interrupt can end it, up to 2<sup>31</sup> - 9
 * bytes are copied first. Neither holds for a {@code ByteBuffer} over a segment: use this class
 * instead. Where a time limit has to end a send, use an
 * array or {@link Hayate#allocate}. After a collective that failed, other members may still use the
 * memory: keep its arena open until the {@link Fmpl} is closed ({@link Communicator}).
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
