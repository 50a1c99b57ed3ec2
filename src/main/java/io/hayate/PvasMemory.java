// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Windows;
import io.hayate.internal.lifetime.PvasReach;
import io.hayate.internal.pvas.PvasAccess;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory that a task exports, accessed without a copy. Each side sees at once what the other side
 * writes. The memory and its contents stay when its owner has ended.
 *
 * <p>The access ends when this object, its {@link PvasTask} or the {@link Pvas} is closed. From
 * then on
 * <ul>
 * <li>the methods of this object throw {@link ClosedException};
 * <li>memory segments ({@code PvasSegments.of}, JDK 22 and later) throw
 *     {@link IllegalStateException};
 * <li>a {@link ByteBuffer} created here cannot be revoked. It stays readable and writable, and
 *     keeps the last contents of the memory. The memory of the task is freed only when the garbage
 *     collector has found that neither the buffer nor anything derived from it (slices, duplicates,
 *     {@code DoubleBuffer} views, a {@link Span}) is reachable. Programs that take buffers of many
 *     tasks should drop their references to them, or use {@link #read} and {@link #write}, which
 *     keep no buffer.
 * </ul>
 *
 * <p>None of these accesses faults, with one exception that cannot be avoided: there is no
 * protection between tasks, so a task can unmap memory that it has exported. A C program must not
 * free or unmap what it exports; a Java program cannot (see {@link PvasSelf#export}).
 *
 * <p>Memory ordering: a thread that gets this object sees everything that the owner wrote before
 * the export. Later accesses are ordered by {@link #getLongAcquire} and {@link #putLongRelease}, or
 * by atomic operations of C. Any thread may use it. Offsets and lengths are in bytes.
 */
public final class PvasMemory implements AutoCloseable {
    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle INTS =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final PvasAccess access;
    private final String name;
    /** Buffers over the memory; used only between {@code access.enter()} and {@code leave()}. */
    private volatile ByteBuffer[] windows;

    /** Takes ownership of the access. */
    PvasMemory(PvasAccess access, String name) {
        this.access = access;
        this.name = name;
        PvasReach.onUnreachable(this, access::close);
    }

    PvasAccess access() {
        return access;
    }

    /**
     * Returns the name under which the memory is exported.
     *
     * @return the name; valid also after close
     */
    public String name() {
        return name;
    }

    /**
     * Returns the length of the memory.
     *
     * @return bytes; valid also after close
     */
    public long bytes() {
        return access.bytes;
    }

    /**
     * Returns whether its owner has mapped the memory for reading only, as it does for the
     * constants of a program.
     *
     * @return whether the memory can only be read; valid also after close
     */
    public boolean isReadOnly() {
        return access.readOnly;
    }

    /**
     * Returns the whole memory as a buffer.
     *
     * @return a new direct buffer with position 0, in native order; read-only if the memory is
     * @throws ArgumentException if the memory is larger than a buffer can be, 2 GiB - 1 bytes; use
     *     {@link #buffer(long, int)}
     * @throws ClosedException after close
     */
    public ByteBuffer buffer() {
        return buffer(0, Windows.whole(access.bytes));
    }

    /**
     * Returns part of the memory as a buffer.
     *
     * @param offset bytes from the beginning
     * @param bytes length
     * @return a new direct buffer with position 0, in native order; read-only if the memory is
     * @throws ArgumentException if the range is not inside the memory
     * @throws ClosedException after close
     */
    public ByteBuffer buffer(long offset, int bytes) {
        requireWithin(offset, bytes);
        ByteBuffer view = access.view(offset, bytes);
        return access.readOnly ? readOnly(view) : view;
    }

    /**
     * Returns the whole memory as a read-only buffer.
     *
     * @return a new read-only direct buffer with position 0, in native order
     * @throws ArgumentException if the memory is larger than a buffer can be, 2 GiB - 1 bytes
     * @throws ClosedException after close
     */
    public ByteBuffer readOnlyBuffer() {
        return readOnly(buffer());
    }

    private static ByteBuffer readOnly(ByteBuffer view) {
        return view.asReadOnlyBuffer().order(view.order());
    }

    /**
     * Copies from the memory into a buffer, from its position to its limit.
     *
     * @param offset bytes from the beginning
     * @param target filled from its position to its limit
     * @throws ArgumentException if target is null or read-only, or the memory is too short
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
     * @param source the buffer to copy from
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
     * @param offset bytes from the beginning; the address must be a multiple of 8
     * @return the word
     * @throws ArgumentException if the word is not inside the memory, or is misaligned
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
     * Writes a word, and orders it after all earlier reads and writes of this thread.
     *
     * @param offset bytes from the beginning; the address must be a multiple of 8
     * @param value the word
     * @throws ArgumentException if the word is not inside the memory or is misaligned, or if the
     *     memory is read-only
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
     * @param offset bytes from the beginning; the address must be a multiple of 4
     * @return the word
     * @throws ArgumentException if the word is not inside the memory, or is misaligned
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
     * Writes a word, and orders it after all earlier reads and writes of this thread.
     *
     * @param offset bytes from the beginning; the address must be a multiple of 4
     * @param value the word
     * @throws ArgumentException if the word is not inside the memory or is misaligned, or if the
     *     memory is read-only
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
            throw Errors.argument("offset " + offset + " is misaligned for a word of " + length
                    + " bytes");
        }
    }

    private void requireWritable() {
        if (access.readOnly) {
            throw Errors.argument("the memory is read-only");
        }
    }

    /** Must be called between {@code access.enter()} and {@code leave()}. */
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
     * Ends the access; idempotent.
     *
     * @throws BusyException if a call of another thread uses a memory segment of it at this moment;
     *     nothing is done then
     */
    @Override
    public void close() {
        access.close();
    }
}
