// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.PvasReach;
import io.hayate.internal.job.Windows;
import io.hayate.internal.pvas.PvasAccess;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory that a task exports, looked at without a copy. What its owner writes is seen at once, and
 * the other way round. It stays there when its owner has died, with what was in it then.
 *
 * <p>It ends with {@link #close()}, with that of the {@link PvasTask} or with that of the
 * {@link Pvas}. From then on
 * <ul>
 * <li>the methods of this object throw {@link ClosedException};
 * <li>memory segments ({@code PvasSegments.of}, JDK 22 and later) throw
 *     {@link IllegalStateException};
 * <li>a {@link ByteBuffer} made here cannot be taken back from those who have it. It stays readable
 *     and writable, and has the last state of the memory. The task's memory is given back to the
 *     system only when the collector has found that neither the buffer nor anything made of it
 *     (slices, duplicates, {@code DoubleBuffer} views, a {@link Span}) can be reached. Programs
 *     that take buffers of many tasks should let go of them, or use {@link #read} and
 *     {@link #write}, which end at once.
 * </ul>
 *
 * <p>Nothing of this ever faults, with one exception that cannot be helped: there is no protection
 * between tasks, so a task can take memory out of the address space that it has exported. A C
 * program must not free or unmap what it exports; a Java one cannot (see {@link PvasSelf#export}).
 *
 * <p>Memory ordering: whoever gets this object sees all that the owner wrote before the export.
 * What is written later is ordered by {@link #getLongAcquire} and {@link #putLongRelease}, or by
 * atomic operations of C. Any thread may use it. Offsets and lengths are in bytes.
 */
public final class PvasMemory implements AutoCloseable {
    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle INTS =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final PvasAccess access;
    private final String name;
    /** Not for others: used by those inside only. */
    private volatile ByteBuffer[] windows;

    /** Takes over the access. */
    PvasMemory(PvasAccess access, String name) {
        this.access = access;
        this.name = name;
        PvasReach.onUnreachable(this, access::close);
    }

    PvasAccess access() {
        return access;
    }

    /**
     * What it is exported as.
     *
     * @return the name; also after close
     */
    public String name() {
        return name;
    }

    /**
     * Its length.
     *
     * @return bytes; also after close
     */
    public long bytes() {
        return access.bytes;
    }

    /**
     * Whether its owner has it mapped for reading only, as constants of a program are.
     *
     * @return if so, it can only be read here; also after close
     */
    public boolean isReadOnly() {
        return access.readOnly;
    }

    /**
     * The whole memory.
     *
     * @return a new direct buffer with position 0, in native order; read-only if this is
     * @throws ArgumentException if it is larger than a buffer can be, 2 GiB - 1: see
     *     {@link #buffer(long, int)}
     * @throws ClosedException after close
     */
    public ByteBuffer buffer() {
        return buffer(0, Windows.whole(access.bytes));
    }

    /**
     * A part of the memory.
     *
     * @param offset bytes from the beginning
     * @param bytes length
     * @return a new direct buffer with position 0, in native order; read-only if this is
     * @throws ArgumentException if the range is not within it
     * @throws ClosedException after close
     */
    public ByteBuffer buffer(long offset, int bytes) {
        requireWithin(offset, bytes);
        ByteBuffer view = access.view(offset, bytes);
        return access.readOnly ? readOnly(view) : view;
    }

    /**
     * The whole memory, for looking at only.
     *
     * @return a new read-only direct buffer with position 0, in native order
     * @throws ArgumentException if it is larger than a buffer can be, 2 GiB - 1
     * @throws ClosedException after close
     */
    public ByteBuffer readOnlyBuffer() {
        return readOnly(buffer());
    }

    private static ByteBuffer readOnly(ByteBuffer view) {
        return view.asReadOnlyBuffer().order(view.order());
    }

    /**
     * Copies from the memory into a buffer, as much as that has room for.
     *
     * @param offset bytes from the beginning
     * @param target filled from its position to its limit
     * @throws ArgumentException if target is null or read-only, or there is less
     * @throws ClosedException after close
     */
    public void read(long offset, ByteBuffer target) {
        if (Errors.required(target, "target").isReadOnly()) {
            throw Errors.argument("a read-only target");
        }
        requireWithin(offset, target.remaining());
        access.enter();
        try {
            target.put(inside(offset, target.remaining()));
        } finally {
            access.leave();
        }
    }

    /**
     * Copies a buffer, from its position to its limit, into the memory.
     *
     * @param offset bytes from the beginning
     * @param source what to write
     * @throws ArgumentException if source is null, the memory is read-only, or is too short
     * @throws ClosedException after close
     */
    public void write(long offset, ByteBuffer source) {
        Errors.required(source, "source");
        requireWritable();
        requireWithin(offset, source.remaining());
        access.enter();
        try {
            inside(offset, source.remaining()).put(source);
        } finally {
            access.leave();
        }
    }

    /**
     * Reads a word and orders it before all later reads and writes of this thread.
     *
     * @param offset bytes from the beginning, where the address is a multiple of 8
     * @return the word
     * @throws ArgumentException if it is not within the memory, or misaligned
     * @throws ClosedException after close
     */
    public long getLongAcquire(long offset) {
        requireWord(offset, Long.BYTES);
        access.enter();
        try {
            return (long) LONGS.getAcquire(window(offset), Windows.index(offset));
        } finally {
            access.leave();
        }
    }

    /**
     * Writes a word behind all earlier reads and writes of this thread.
     *
     * @param offset bytes from the beginning, where the address is a multiple of 8
     * @param value the word
     * @throws ArgumentException if it is not within the memory, misaligned, or read-only
     * @throws ClosedException after close
     */
    public void putLongRelease(long offset, long value) {
        requireWritable();
        requireWord(offset, Long.BYTES);
        access.enter();
        try {
            LONGS.setRelease(window(offset), Windows.index(offset), value);
        } finally {
            access.leave();
        }
    }

    /**
     * Reads a word and orders it before all later reads and writes of this thread.
     *
     * @param offset bytes from the beginning, where the address is a multiple of 4
     * @return the word
     * @throws ArgumentException if it is not within the memory, or misaligned
     * @throws ClosedException after close
     */
    public int getIntAcquire(long offset) {
        requireWord(offset, Integer.BYTES);
        access.enter();
        try {
            return (int) INTS.getAcquire(window(offset), Windows.index(offset));
        } finally {
            access.leave();
        }
    }

    /**
     * Writes a word behind all earlier reads and writes of this thread.
     *
     * @param offset bytes from the beginning, where the address is a multiple of 4
     * @param value the word
     * @throws ArgumentException if it is not within the memory, misaligned, or read-only
     * @throws ClosedException after close
     */
    public void putIntRelease(long offset, int value) {
        requireWritable();
        requireWord(offset, Integer.BYTES);
        access.enter();
        try {
            INTS.setRelease(window(offset), Windows.index(offset), value);
        } finally {
            access.leave();
        }
    }

    private void requireWithin(long offset, long length) {
        Windows.requireWithin(offset, length, access.bytes, "memory");
    }

    private void requireWord(long offset, int length) {
        requireWithin(offset, length);
        if ((access.address + offset & length - 1) != 0) {
            throw Errors.argument("offset " + offset + " is not where a word of " + length
                    + " bytes may be");
        }
    }

    private void requireWritable() {
        if (access.readOnly) {
            throw Errors.argument("the memory is read-only");
        }
    }

    /** To be called inside. */
    private ByteBuffer window(long offset) {
        ByteBuffer[] all = windows;
        if (all == null) {
            all = Windows.over(access.bytes, this::inside);
            windows = all;
        }
        return Windows.of(all, offset);
    }

    private ByteBuffer inside(long offset, long length) {
        return PvasReach.view(access.address + offset, length);
    }

    /**
     * Ends it; idempotent.
     *
     * @throws BusyException if a call of another thread uses a memory segment of it at this
     *     moment; then nothing was done
     */
    @Override
    public void close() {
        access.close();
    }
}
