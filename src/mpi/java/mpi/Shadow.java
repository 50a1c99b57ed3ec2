// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.internal.bindings.MemoryBinding;
import io.hayate.internal.job.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The copy, in the heap, of memory of the program that no other process reaches. Others access the
 * copy. When its owner synchronises, what it has stored since the last time goes into the copy, and
 * what others have stored comes back; who has stored a byte, tells the value of the last time.
 */
final class Shadow {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class,
            ByteOrder.nativeOrder());

    private final Buffer owner; // keeps the memory
    private final HeapSpan span;
    private final ByteBuffer mine;
    private final ByteBuffer shared;
    private final ByteBuffer last;
    private final int bytes;
    private boolean closed; // guarded by this

    /** Copies memory at an address, which is in a direct buffer; at least one byte. */
    Shadow(Hayate job, Buffer owner, long address, int bytes) {
        this.owner = owner;
        this.bytes = bytes;
        mine = MemoryBinding.buffer(address, bytes).order(ByteOrder.nativeOrder());
        int padded = Math.addExact(bytes, Long.BYTES - 1) & -Long.BYTES;
        last = ByteBuffer.allocateDirect(padded).order(ByteOrder.nativeOrder());
        span = job.allocate(padded);
        shared = Engine.cleared(span.buffer()).order(ByteOrder.nativeOrder());
        last.put(0, mine, 0, bytes);
        shared.put(0, last, 0, bytes);
    }

    HeapSpan memory() {
        return span;
    }

    /** Lets the program and the others see what each has stored. */
    synchronized void merge() {
        if (closed || !Memory.isAlive(owner)) {
            return; // its memory may be another object's
        }
        int at = 0;
        for (; at + Long.BYTES <= bytes; at += Long.BYTES) {
            long before = last.getLong(at);
            if (mine.getLong(at) != before || (long) LONGS.getVolatile(shared, at) != before) {
                mergeLong(at, before);
            }
        }
        if (at < bytes) {
            mergeTail(at);
        }
        VarHandle.fullFence();
    }

    /** Stores with one access on both sides: another one that looks meanwhile sees no mixture. */
    private void mergeLong(int at, long before) {
        long stored = mine.getLong(at);
        long changed = changedBytes(stored ^ before);
        long seen;
        long merged;
        do {
            seen = (long) LONGS.getVolatile(shared, at);
            merged = seen & ~changed | stored & changed;
        } while (merged != seen && !LONGS.compareAndSet(shared, at, seen, merged));
        if (merged != stored) {
            mine.putLong(at, merged);
        }
        last.putLong(at, merged);
    }

    /** The last 1 to 7 bytes: the copies are padded by zeros, the program's memory is not. */
    private void mergeTail(int at) {
        long before = last.getLong(at);
        long stored = loadTail(at);
        long changed = changedBytes(stored ^ before);
        long seen;
        long merged;
        do {
            seen = (long) LONGS.getVolatile(shared, at);
            merged = seen & ~changed | stored & changed;
        } while (merged != seen && !LONGS.compareAndSet(shared, at, seen, merged));
        storeTail(at, stored ^ merged, merged);
        last.putLong(at, merged);
    }

    /** Each int, short and byte by one access, as an element of the program is. */
    private long loadTail(int at) {
        long tail = 0;
        for (int unit = Integer.BYTES, done = 0; unit > 0; unit >>= 1) {
            if ((bytes - at & unit) != 0) {
                long part = unit == Integer.BYTES ? Integer.toUnsignedLong(mine.getInt(at + done))
                        : unit == Short.BYTES ? Short.toUnsignedLong(mine.getShort(at + done))
                        : Byte.toUnsignedLong(mine.get(at + done));
                tail |= part << done * Byte.SIZE;
                done += unit;
            }
        }
        return tail;
    }

    /** Stores those of which a bit differs. */
    private void storeTail(int at, long differs, long tail) {
        for (int unit = Integer.BYTES, done = 0; unit > 0; unit >>= 1) {
            if ((bytes - at & unit) == 0) {
                continue;
            }
            long part = tail >>> done * Byte.SIZE;
            boolean stores = (differs >>> done * Byte.SIZE & -1L >>> Long.SIZE - unit * Byte.SIZE)
                    != 0;
            if (stores && unit == Integer.BYTES) {
                mine.putInt(at + done, (int) part);
            } else if (stores && unit == Short.BYTES) {
                mine.putShort(at + done, (short) part);
            } else if (stores) {
                mine.put(at + done, (byte) part);
            }
            done += unit;
        }
    }

    /** Returns ones in each byte that has a one. */
    private static long changedBytes(long bits) {
        long low = bits | bits >>> 4;
        low |= low >>> 2;
        low |= low >>> 1;
        return (low & 0x0101010101010101L) * 0xFF;
    }

    synchronized void close() {
        closed = true;
        span.close();
    }
}
