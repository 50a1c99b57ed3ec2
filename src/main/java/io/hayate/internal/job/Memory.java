// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import io.hayate.internal.Errors;
import io.hayate.internal.MemoryBinding;
import io.hayate.internal.NativeLoader;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * The memory of a span: a range of an array, of native memory, or of a block of the symmetric heap.
 * Immutable. It keeps its memory reachable, so operations in progress hold this object.
 */
public final class Memory {
    /** The way from a span of the program to its memory; set once, by the class of the spans. */
    private static volatile Function<Object, Memory> ofSpan;

    /** The array, or null: native memory. */
    public final Object array;
    /** The address, or the offset in bytes from the first element of the array. */
    public final long start;
    public final long bytes;
    public final boolean readOnly;
    /** The allocation that contains it; null outside the heap. */
    private final HeapBlock block;
    /** Tells whether the memory still exists; null: it exists as long as this object. */
    private final BooleanSupplier alive;
    /** An object that must stay reachable for the memory to exist. */
    @SuppressWarnings("unused")
    private final Object keep;

    private Memory(Object array, long start, long bytes, boolean readOnly, HeapBlock block,
            BooleanSupplier alive, Object keep) {
        this.array = array;
        this.start = start;
        this.bytes = bytes;
        this.readOnly = readOnly;
        this.block = block;
        this.alive = alive;
        this.keep = keep;
    }

    /**
     * Describes memory outside the heap.
     *
     * @param alive tells whether it still exists; null: as long as {@code keep} is reachable
     * @param keep an object that must stay reachable for it to exist; null: the array
     */
    public Memory(Object array, long start, long bytes, boolean readOnly, BooleanSupplier alive,
            Object keep) {
        this(array, start, bytes, readOnly, null, alive, keep);
    }

    /** Called by the class of the spans, when it is initialized. */
    public static void setOfSpan(Function<Object, Memory> only) {
        ofSpan = only;
    }

    /** Returns the memory of a span of the program, for other packages than that of the spans. */
    public static Memory of(Object span) {
        return ofSpan.apply(span);
    }

    /** Describes a whole allocation. */
    public Memory(HeapBlock block) {
        this(null, block.start, block.bytes, false, block, null, null);
    }

    /** Describes the memory of a direct buffer, from its first byte to its limit. */
    public static Memory ofDirect(ByteBuffer buffer) {
        NativeLoader.load();
        BooleanSupplier alive = Runtime.version().feature() < 22 ? null : () -> isAlive(buffer);
        return new Memory(null, MemoryBinding.address(buffer), buffer.remaining(),
                buffer.isReadOnly(), alive, buffer);
    }

    /** A buffer over a memory segment ends with its arena, which a read detects. */
    private static boolean isAlive(ByteBuffer buffer) {
        try {
            if (buffer.limit() > 0) {
                buffer.get(0);
            }
            return true;
        } catch (RuntimeException closed) {
            return false;
        }
    }

    public Memory slice(long offset, long length) {
        return new Memory(array, at(offset, length), length, readOnly, block, alive, keep);
    }

    /** Returns whether it is in the symmetric heap of a job. */
    public boolean isOfHeap() {
        return block != null;
    }

    /**
     * Returns whether the memory can disappear while this object is reachable, other than by a
     * close of its heap span.
     */
    public boolean perishes() {
        return alive != null;
    }

    /** Returns the start of a range, which must be inside this memory; the memory must exist. */
    public long at(long offset, long length) {
        Windows.requireWithin(offset, length, bytes, "span");
        if (block != null) {
            block.requireOpen();
        }
        if (alive != null && !alive.getAsBoolean()) {
            throw Errors.exception(Errors.CLOSED,
                    "the memory segment is closed, or belongs to another thread", -1);
        }
        return start + offset;
    }

    /** Returns the start of a range that an operation of this job may read. */
    public long readable(Job job, long offset, long length) {
        long from = at(offset, length);
        if (block != null && block.job() != job) {
            block.job().requireOpen();
            throw Errors.argument("the heap span belongs to another job");
        }
        return from;
    }

    /** Returns the start of a range that an operation of this job may write. */
    public long writable(Job job, long offset, long length) {
        long from = readable(job, offset, length);
        if (readOnly) {
            throw Errors.argument("the memory is read-only: it can only be sent from");
        }
        return from;
    }

    /** Prevents a close of its heap block until unpin() has been called as often as this method. */
    public void pin() {
        if (block != null) {
            block.pin();
        }
    }

    public void unpin() {
        if (block != null) {
            block.unpin();
        }
    }
}
