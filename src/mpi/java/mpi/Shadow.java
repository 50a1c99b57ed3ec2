// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.internal.bindings.MemoryBinding;
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

    @SuppressWarnings("unused")
    private final Buffer owner; // keeps the memory
    private final HeapSpan span;
    private final ByteBuffer mine;
    private final ByteBuffer shared;
    private final ByteBuffer last;
    private final int bytes;

    /** Copies memory at an address, which is in a direct buffer; at least one byte. */
    Shadow(Hayate job, Buffer owner, long address, int bytes) {
        this.owner = owner;
        this.bytes = bytes;
        mine = MemoryBinding.buffer(address, bytes).order(ByteOrder.nativeOrder());
        last = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        span = job.allocate(bytes);
        shared = span.buffer();
        last.put(0, mine, 0, bytes);
        shared.put(0, last, 0, bytes);
    }

    HeapSpan memory() {
        return span;
    }

    /** Lets the program and the others see what each has stored. */
    synchronized void merge() {
        int at = 0;
        for (; at + Long.BYTES <= bytes; at += Long.BYTES) {
            long before = last.getLong(at);
            if (mine.getLong(at) != before || (long) LONGS.getVolatile(shared, at) != before) {
                mergeLong(at, before);
            }
        }
        for (; at < bytes; at++) {
            byte before = last.get(at);
            if (mine.get(at) != before) {
                shared.put(at, mine.get(at));
            } else {
                mine.put(at, shared.get(at));
            }
            last.put(at, mine.get(at));
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

    /** Returns ones in each byte that has a one. */
    private static long changedBytes(long bits) {
        long low = bits | bits >>> 4;
        low |= low >>> 2;
        low |= low >>> 1;
        return (low & 0x0101010101010101L) * 0xFF;
    }

    void close() {
        span.close();
    }
}
