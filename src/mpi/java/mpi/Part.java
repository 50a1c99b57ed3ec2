// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.HeapSpan;
import io.hayate.internal.bindings.MemoryBinding;
import io.hayate.internal.fmpl.Inside;
import io.hayate.internal.job.Memory;
import io.hayate.internal.windows.HeapSpace;
import java.nio.Buffer;

/**
 * Memory of this rank in a window: the program's own if that is in the heap, else a copy; or memory
 * that was allocated for it.
 *
 * @param base the program's own, which this keeps; null: there is none
 * @param at its offset in the heap
 * @param bytes its length
 * @param shadow the copy; null: there is none
 * @param allocated what was allocated; null: nothing
 */
record Part(Buffer base, long at, long bytes, Shadow shadow, HeapSpan allocated) {
    static final Part NOTHING = new Part(null, 0, 0, null, null);
    private static final int CHUNK = 1 << 30;

    /** Makes the first bytes of a direct buffer reachable for others. */
    static Part of(Engine engine, Buffer base, long bytes) {
        if (bytes == 0) {
            return new Part(base, 0, 0, null, null);
        }
        long address = MemoryBinding.address(base);
        long at = HeapSpace.offset(Inside.ofFmpl(engine.fmpl), address, bytes);
        if (at >= 0) {
            return new Part(base, at, bytes, null, null);
        }
        if (bytes > Integer.MAX_VALUE) {
            throw new MPIException(ErrorClass.SIZE, "the window has " + bytes + " bytes that other"
                    + " processes do not reach: expected less than 2 GiB, or a buffer of"
                    + " MPI.newByteBuffer and its kin");
        }
        Shadow shadow = new Shadow(engine.job, base, address, (int) bytes);
        return new Part(base, offset(engine, shadow.memory()), bytes, shadow, null);
    }

    /** Allocates memory, which contains zeros. */
    static Part allocated(Engine engine, long bytes) {
        if (bytes == 0) {
            return NOTHING;
        }
        HeapSpan span = engine.job.allocate(bytes);
        for (long at = 0; at < bytes; at += CHUNK) {
            Engine.cleared(span.buffer(at, (int) Math.min(CHUNK, bytes - at)));
        }
        return new Part(null, offset(engine, span), bytes, null, span);
    }

    /** Returns the offset of an allocation in the heap. */
    static long offset(Engine engine, HeapSpan span) {
        long address = MemoryBinding.address(span.buffer(0, 1));
        return HeapSpace.offset(Inside.ofFmpl(engine.fmpl), address, span.bytes());
    }

    /** Exchanges with the copy, if there is one, what the program and others have stored. */
    void merge() {
        if (shadow != null) {
            shadow.merge();
        }
    }

    void close() {
        if (shadow != null) {
            shadow.close();
        }
        if (allocated != null) {
            allocated.close();
        }
    }

    static void checkSize(int size) {
        if (size < 0) {
            throw new MPIException(ErrorClass.SIZE, "the size is " + size
                    + ": expected 0 or more elements of the buffer");
        }
    }

    /** Checks the memory that a program gives; returns its length in bytes, 0 if it is empty. */
    static long bytes(Buffer base, int size, int errorClass) {
        checkSize(size);
        if (base == null && size == 0) {
            return 0;
        }
        if (base == null || !base.isDirect() || base.isReadOnly()) {
            String is = base == null ? "null" : base.isDirect() ? "read-only" : "in the Java heap";
            throw new MPIException(errorClass, "the buffer is " + is
                    + ": expected a direct one, such as one of MPI.newByteBuffer");
        }
        if (!Memory.isAlive(base)) {
            throw new MPIException(errorClass, "the memory of the buffer is that of an arena which"
                    + " is closed, or belongs to another thread: expected an open one");
        }
        if (base.capacity() == 0) {
            return 0;
        }
        if (size > base.capacity()) {
            throw new MPIException(ErrorClass.SIZE, "the size is " + size + " elements, and the"
                    + " buffer has " + base.capacity() + ": expected no more");
        }
        return (long) size * Kind.of(base).bytes;
    }
}
