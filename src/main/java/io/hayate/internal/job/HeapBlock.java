// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import io.hayate.internal.errors.Errors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * An allocation in this rank's part of the symmetric heap. It cannot be freed while it is in use:
 * by operations in progress, which its job knows, or by long-lived users, which pin it.
 */
public final class HeapBlock {
    final long start;
    final long bytes;
    private final Job job;
    private final ByteBuffer[] windows;
    private final AtomicInteger pins = new AtomicInteger();
    private volatile boolean closed;

    /** Describes memory that belongs to the job. */
    public HeapBlock(Job job, long start, long bytes) {
        this.job = job;
        this.start = start;
        this.bytes = bytes;
        windows = Windows.over(bytes, this::view);
    }

    /** Allocates a block, and returns the object that the maker creates from it for the program. */
    public static <T> T allocate(Job job, long bytes, Function<HeapBlock, T> maker) {
        long address = job.allocate(bytes);
        try {
            return maker.apply(new HeapBlock(job, address, bytes));
        } catch (RuntimeException | Error e) {
            job.release(address);
            throw e;
        }
    }

    private ByteBuffer view(long offset, long length) {
        return job.anchor().buffer(start + offset, length).order(ByteOrder.nativeOrder());
    }

    public Job job() {
        return job;
    }

    /** Returns its address. */
    public long start() {
        return start;
    }

    /** Returns the address of a range, which must be inside the block. */
    public long at(long offset, long length) {
        Windows.requireWithin(offset, length, bytes, "span");
        requireOpen();
        return start + offset;
    }

    /** Returns the buffers through which elements are accessed. */
    public ByteBuffer[] windows() {
        return windows;
    }

    /** Creates a direct buffer in native order over a range, which must be inside the block. */
    public ByteBuffer buffer(long offset, int length) {
        ByteBuffer slice = Windows.slice(windows, offset, length);
        return slice == null ? view(offset, length) : slice.order(ByteOrder.nativeOrder());
    }

    boolean isClosed() {
        return closed || job.isClosed();
    }

    void requireOpen() {
        if (closed) {
            throw Errors.closed("the heap span");
        }
    }

    /** Prevents close until unpin() has been called as often as this method. */
    public void pin() {
        pins.incrementAndGet();
    }

    public void unpin() {
        pins.decrementAndGet();
    }

    /**
     * Returns the memory to the heap; idempotent.
     *
     * @throws io.hayate.BusyException if it is in use
     */
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true; // first, so that operations that start from now on see it
        try {
            requireUnused();
            job.release(start);
        } catch (RuntimeException | Error e) {
            closed = false;
            throw e;
        }
    }

    private void requireUnused() {
        if (pins.get() > 0 || job.uses(start, bytes)) {
            throw Errors.busy(
                    "the heap span is in use: wait for the operations, flush the Ompl, close"
                            + " persistent operations, or close the Fmpl");
        }
    }
}
