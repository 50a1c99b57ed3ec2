// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import io.hayate.internal.Errors;
import io.hayate.internal.MemoryBinding;
import io.hayate.internal.NativeLoader;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/**
 * What a span describes: a range of an array, of native memory, or of a block of the symmetric
 * heap. Immutable. It keeps its memory reachable, so operations that go on keep this object.
 */
public final class Memory {
    /** The array, or null: native memory. */
    public final Object array;
    /** Address, or bytes from the first element of the array. */
    public final long start;
    public final long bytes;
    public final boolean readOnly;
    /** The allocation that it is in; null outside of the heap. */
    private final HeapBlock block;
    /** Does the memory still exist? null: as long as this object. */
    private final BooleanSupplier alive;
    /** What must stay reachable for the memory to exist. */
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
     * Memory outside of the heap.
     *
     * @param alive whether it still exists; null: as long as {@code keep} is reachable
     * @param keep what must stay reachable for it to exist; null: the array
     */
    public Memory(Object array, long start, long bytes, boolean readOnly, BooleanSupplier alive,
            Object keep) {
        this(array, start, bytes, readOnly, null, alive, keep);
    }

    /** All of an allocation. */
    public Memory(HeapBlock block) {
        this(null, block.start, block.bytes, false, block, null, null);
    }

    /** That of a direct buffer, from its first byte to its limit. */
    public static Memory ofDirect(ByteBuffer buffer) {
        NativeLoader.load();
        BooleanSupplier alive = Runtime.version().feature() < 22 ? null : () -> isAlive(buffer);
        return new Memory(null, MemoryBinding.address(buffer), buffer.remaining(),
                buffer.isReadOnly(), alive, buffer);
    }

    /** A buffer over a memory segment dies with its arena; reading it tells. */
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

    /** Whether it is of the symmetric heap of some job. */
    public boolean isOfHeap() {
        return block != null;
    }

    /** May the memory go away while this object is reachable, and not only that of the heap? */
    public boolean perishes() {
        return alive != null;
    }

    /** Start of a range that is within this memory, which exists. */
    public long at(long offset, long length) {
        Windows.requireWithin(offset, length, bytes, "span");
        if (block != null) {
            block.requireOpen();
        }
        if (alive != null && !alive.getAsBoolean()) {
            throw Errors.exception(Errors.CLOSED,
                    "the memory segment is closed, or of another thread", -1);
        }
        return start + offset;
    }

    /** Start of a range that an operation of this job may read. */
    public long readable(Job job, long offset, long length) {
        long from = at(offset, length);
        if (block != null && block.job() != job) {
            block.job().requireOpen();
            throw Errors.argument("the heap span is of another job");
        }
        return from;
    }

    /** Start of a range that an operation of this job may write. */
    public long writable(Job job, long offset, long length) {
        long from = readable(job, offset, length);
        if (readOnly) {
            throw Errors.argument("the memory is read-only: it can be sent from only");
        }
        return from;
    }

    /** Refuses, of the heap, to be given back until as many unpin(). */
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
