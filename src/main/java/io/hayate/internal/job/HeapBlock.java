// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import io.hayate.internal.Errors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * An allocation in this rank's part of the symmetric heap. It refuses to be given back while
 * anybody uses it: operations that are under way, which its job asks for, and lasting users, which
 * pin it.
 */
public final class HeapBlock {
    final long start;
    final long bytes;
    private final Job job;
    private final ByteBuffer[] windows;
    private final AtomicInteger pins = new AtomicInteger();
    private volatile boolean closed;

    /** Of memory that belongs to the job. */
    public HeapBlock(Job job, long start, long bytes) {
        this.job = job;
        this.start = start;
        this.bytes = bytes;
        windows = Windows.over(bytes, this::view);
    }

    /** Allocates. What the maker makes of the block is for the program. */
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

    /** Its address. */
    public long start() {
        return start;
    }

    /** Start of a range that is within it. */
    public long at(long offset, long length) {
        Windows.requireWithin(offset, length, bytes, "span");
        requireOpen();
        return start + offset;
    }

    /** Its buffers, by which elements are found. */
    public ByteBuffer[] windows() {
        return windows;
    }

    /** A new direct buffer, in native order, over a range that is within the block. */
    public ByteBuffer buffer(long offset, int length) {
        ByteBuffer slice = Windows.slice(windows, offset, length);
        return slice == null ? view(offset, length) : slice.order(ByteOrder.nativeOrder());
    }

    void requireOpen() {
        if (closed) {
            throw Errors.closed("the heap span");
        }
    }

    /** Refuses close until as many unpin(). */
    public void pin() {
        pins.incrementAndGet();
    }

    public void unpin() {
        pins.decrementAndGet();
    }

    /**
     * Gives the memory back to the heap; idempotent.
     *
     * @throws io.hayate.BusyException if somebody uses it
     */
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true; // first: an operation that begins from now on sees it
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
                    "the heap span is in use: wait for the operations, flush the Ompl, close the"
                            + " persistent ones, or close the Fmpl");
        }
    }
}
