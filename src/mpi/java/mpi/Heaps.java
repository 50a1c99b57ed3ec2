// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Ompl;
import io.hayate.internal.bindings.MemoryBinding;
import io.hayate.internal.bindings.OmplBinding;
import io.hayate.internal.bindings.TaggedBinding;
import io.hayate.internal.bindings.WindowBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.VirtualThreads;
import io.hayate.internal.windows.HeapSpace;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;

/**
 * The heaps of the members of a window: transfers, atomics, waits, and the lock of accumulates. An
 * address is a rank of the window and an offset in its heap. All calls are complete on return,
 * except that what was put is certain to be visible only after a flush, or to whoever sees a later
 * atomic of the same thread.
 */
final class Heaps {
    /** Looks at a word before other threads get the core, and before the thread sleeps. */
    private static final int SPINS = 64;
    private static final int YIELDS = 1000;
    private static final int CHECKS = 16; // looks between two that also make progress
    private static final int PAUSE_MICROS = 50;
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class,
            ByteOrder.nativeOrder());
    private static final int GE = Ompl.Comparison.GE.ordinal();

    private final HeapSpace space;
    private final long handle;
    private final Members members;
    private final int self;
    private final long[] controls;
    /** The words of each member's control block, if they are mapped here; else null. */
    private final ByteBuffer[] near;

    /** controls: the offset of the {@link Control} of each member. */
    Heaps(HeapSpace space, Members members, int self, long[] controls) {
        this.space = space;
        this.members = members;
        this.self = self;
        this.controls = controls;
        handle = space.handle();
        near = new ByteBuffer[members.size()];
        for (int i = 0; i < near.length; i++) {
            near[i] = mapped(i, controls[i], Control.TABLE);
        }
    }

    /** Returns the native object; callers keep this object reachable. */
    long handle() {
        return handle;
    }

    /** Returns memory of a member as a buffer; null: it is not mapped here, or too long. */
    ByteBuffer mapped(int rank, long at, long bytes) {
        return space.mapped(members.world(rank), at, bytes);
    }

    /** Returns the offset of a word of a member's control block. */
    long control(int rank, long word) {
        return controls[rank] + word;
    }

    void close() {
        space.close();
    }

    private void check(int rc) {
        Reference.reachabilityFence(this);
        Errors.check(rc);
    }

    // ---- data ----

    /** Writes bytes of a payload, of which {@code offset} is the first. */
    void put(Payload from, long offset, long bytes, int rank, long at) {
        int world = members.world(rank);
        check(from.memory instanceof Buffer
                ? WindowBinding.put(handle, from.memory, from.start - TaggedBinding.DIRECT + offset,
                        bytes, world, at)
                : OmplBinding.putArray(handle, from.memory, from.start + offset, bytes, world, at));
    }

    /** Reads bytes into a payload, behind {@code offset} others. */
    void get(Payload to, long offset, long bytes, int rank, long at) {
        int world = members.world(rank);
        check(to.memory instanceof Buffer
                ? WindowBinding.get(handle, to.memory, to.start - TaggedBinding.DIRECT + offset,
                        bytes, world, at)
                : OmplBinding.getArray(handle, to.memory, to.start + offset, bytes, world, at));
    }

    /**
     * Combines elements by a reduction of native code.
     *
     * @param from the operands; null: the elements stay as they are
     * @param before where the previous elements go; null: nowhere
     */
    void accumulate(Payload from, Payload before, long offset, long bytes, int rank, long at,
            int reduction) {
        check(OmplBinding.accumulate(handle, array(from), start(from, offset), array(before),
                start(before, offset), bytes, members.world(rank), at, reduction));
        Reference.reachabilityFence(from);
        Reference.reachabilityFence(before);
    }

    private static Object array(Payload data) {
        return data == null || data.memory instanceof Buffer ? null : data.memory;
    }

    private static long start(Payload data, long offset) {
        return data == null ? 0 : data.memory instanceof Buffer buffer
                ? MemoryBinding.address(buffer) + data.start - TaggedBinding.DIRECT + offset
                : data.start + offset;
    }

    /** Compares and swaps an integer of 1 to 8 bytes; returns the previous one. */
    long compareAndSwap(int rank, long at, int bytes, long desired, long expected) {
        return result(OmplBinding.element(handle, members.world(rank), at,
                OmplBinding.NO_REDUCTION, bytes, desired, expected));
    }

    /** Combines an integer of 4 or 8 bytes by a reduction; returns the previous one. */
    long combine(int rank, long at, int bytes, int reduction, long operand) {
        return result(OmplBinding.element(handle, members.world(rank), at, reduction, bytes,
                operand, 0));
    }

    void flush(int rank) {
        check(OmplBinding.flush(handle, members.world(rank)));
    }

    void flush() {
        for (int rank = 0; rank < members.size(); rank++) {
            flush(rank);
        }
    }

    // ---- words ----

    private long result(long before) {
        if (before == OmplBinding.FAILED) {
            check(OmplBinding.failure());
        }
        Reference.reachabilityFence(this);
        return before;
    }

    private long atomic(int rank, long at, int what, long operand, long expected) {
        return result(OmplBinding.atomic(handle, members.world(rank), at, what, operand, expected));
    }

    /** Adds to a word, behind what was put before; returns its previous value. */
    long add(int rank, long at, long operand) {
        return atomic(rank, at, OmplBinding.ADD, operand, 0);
    }

    /** The same for a word of a control block on which nobody sleeps: it rings no bell. */
    long addSilently(int rank, long word, long operand) {
        return near[rank] != null ? (long) LONGS.getAndAdd(near[rank], (int) word, operand)
                : add(rank, control(rank, word), operand);
    }

    private long load(int rank, long word) {
        return near[rank] != null ? (long) LONGS.getAcquire(near[rank], (int) word)
                : atomic(rank, control(rank, word), OmplBinding.FETCH, 0, 0);
    }

    /** Waits until some bits of such a word have a value. */
    void await(int rank, long word, long bits, long value) {
        for (int looks = 1; ((load(rank, word) ^ value) & bits) != 0; looks++) {
            pause(looks);
        }
    }

    /** Waits until a word of this rank, whose writers ring its bell, is at least a value. */
    void awaitOwn(long at, long value) {
        if (VirtualThreads.isCurrent()) {
            Engine.get().park(() -> isOwn(at, value));
            return;
        }
        check(OmplBinding.watch(handle, at, GE, value, -1, false, 0));
    }

    /** Looks whether it is; tells of deaths as well. */
    boolean isOwn(long at, long value) {
        int rc = OmplBinding.watch(handle, at, GE, value, 1, false, 0);
        check(Math.min(rc, 0));
        return rc == 0;
    }

    /** Between two looks at a word that rings no bell: makes progress, and looks for deaths. */
    private void pause(int looks) {
        if (looks < SPINS) {
            Thread.onSpinWait();
        } else if (looks % CHECKS != 0 && looks < YIELDS) {
            Thread.yield();
        } else {
            if (VirtualThreads.isCurrent()) {
                LockSupport.parkNanos(PAUSE_MICROS * 1000L); // others need the carrier
            }
            check(Math.min(0, OmplBinding.watch(handle, control(self, Control.NEVER), GE, 1,
                    looks < YIELDS ? 1 : PAUSE_MICROS, false, 0)));
        }
    }

    // ---- the lock of accumulates ----

    /** Does something while nobody accumulates to a member, and makes it visible there. */
    void exclusively(int rank, Runnable action) {
        long lock = control(rank, Control.ACCUMULATES);
        long mine = members.world(self) + 1L; // as ompl/part_lock.c
        for (int looks = 1; atomic(rank, lock, OmplBinding.COMPARE_SWAP, mine, 0) != 0; looks++) {
            pause(looks);
        }
        try {
            action.run();
            flush(rank);
        } finally {
            check(OmplBinding.putFlag(handle, members.world(rank), lock, 0, 0, 0, 0));
        }
    }
}
