// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import io.hayate.Reducer;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Custom reductions. C calls {@link #reduce} on the thread that runs the collective, or that makes
 * progress on the persistent operation. Elements are copied into buffers of this class, so that a
 * reducer that keeps a buffer cannot access freed memory.
 */
public final class ReducerBinding {
    private static final int SCRATCH_BYTES = 32 << 10;
    /** Low bits of a number: the index in the table. */
    private static final int PLACE_BITS = 32;
    /**
     * The registered reducers; a lookup allocates nothing. Replaced by a longer array under the
     * lock of the class.
     */
    private static volatile AtomicReferenceArray<WeakReference<Function>> functions =
            new AtomicReferenceArray<>(16);
    private static long registered; // guarded by the class
    private static final ThreadLocal<Throwable> THROWN = new ThreadLocal<>();
    private static final Queue<Scratch> POOL = new ConcurrentLinkedQueue<>();

    static {
        setUp();
    }

    private ReducerBinding() {
    }

    /** A custom function; registered while an object holds it. */
    public static final class Function {
        private long number;
        private final Reducer reducer;
        private final int elementBytes;
        /**
         * True for a persistent operation, on which any thread may work: exceptions are kept here.
         */
        private final boolean keeps;
        private volatile Throwable thrown;

        private Function(Reducer reducer, int elementBytes, boolean keeps) {
            this.reducer = reducer;
            this.elementBytes = elementBytes;
            this.keeps = keeps;
        }

        public long number() {
            return number;
        }

        /**
         * The exception that it threw in any thread; null: none. Used only if it keeps exceptions.
         */
        public Throwable kept() {
            return thrown;
        }

        public void forgetKept() {
            thrown = null;
        }

        private Throwable thrown() {
            return keeps ? thrown : THROWN.get();
        }

        private void fail(Throwable failure) {
            if (keeps) {
                thrown = failure;
            } else {
                THROWN.set(failure);
            }
        }
    }

    public static Function register(Reducer reducer, int elementBytes) {
        return register(new Function(reducer, elementBytes, false));
    }

    /** Registers the same function for a persistent operation. */
    public static Function registerKeeping(Function function) {
        return register(new Function(function.reducer, function.elementBytes, true));
    }

    private static synchronized Function register(Function function) {
        WeakReference<Function> reference = new WeakReference<>(function);
        int place = freePlace();
        function.number = ++registered << PLACE_BITS | place;
        functions.set(place, reference);
        return function;
    }

    private static int freePlace() {
        AtomicReferenceArray<WeakReference<Function>> table = functions;
        for (int place = 0; place < table.length(); place++) {
            WeakReference<Function> reference = table.get(place);
            if (reference == null || reference.get() == null) {
                return place;
            }
        }
        AtomicReferenceArray<WeakReference<Function>> longer =
                new AtomicReferenceArray<>(2 * table.length());
        for (int place = 0; place < table.length(); place++) {
            longer.set(place, table.get(place));
        }
        functions = longer;
        return table.length();
    }

    /** Returns a reducer; null if it is no longer registered. */
    private static Function find(long number) {
        WeakReference<Function> reference = functions.get((int) number);
        Function function = reference == null ? null : reference.get();
        return function != null && function.number == number ? function : null;
    }

    public static synchronized void forget(Function function) {
        if (find(function.number) != null) {
            functions.set((int) function.number, null);
        }
    }

    /**
     * Returns what a reducer threw in this thread since the last call; null: nothing. Only the
     * first call of a thread allocates memory, so that there is a place for a later exception.
     */
    public static Throwable takeThrown() {
        Throwable thrown = THROWN.get();
        THROWN.set(null);
        return thrown;
    }

    /** Returns the number of the operation, or a code. */
    public static native int create(long fmpl, int elementBytes, long number);

    public static native int free(long fmpl, int operation);

    private static native void setUp();

    /** Called from C. */
    private static void reduce(long number, long inout, long in, long count) {
        Function function = find(number);
        if (function == null) {
            return;
        }
        try {
            if (function.thrown() == null) {
                run(function, inout, in, count);
            }
        } catch (Throwable thrown) { // no exception may pass into C; the caller rethrows it
            function.fail(thrown);
        }
    }

    private static void run(Function function, long inout, long in, long count) {
        Scratch scratch = POOL.poll();
        if (scratch == null) {
            scratch = new Scratch();
        }
        long block = SCRATCH_BYTES / function.elementBytes;
        for (long done = 0; done < count; done += block) {
            long n = Math.min(block, count - done);
            long offset = done * function.elementBytes;
            scratch.run(function, inout + offset, in + offset, n);
        }
        POOL.add(scratch); // not if the reducer threw: it may still be in use
    }

    private static final class Scratch {
        private final ByteBuffer inout = ByteBuffer.allocateDirect(SCRATCH_BYTES);
        private final ByteBuffer in = ByteBuffer.allocateDirect(SCRATCH_BYTES);
        private final long inoutAddress = MemoryBinding.address(inout);
        private final long inAddress = MemoryBinding.address(in);

        void run(Function function, long inoutElements, long inElements, long count) {
            int bytes = (int) (count * function.elementBytes);
            MemoryBinding.copy(inoutAddress, inoutElements, bytes);
            MemoryBinding.copy(inAddress, inElements, bytes);
            function.reducer.reduce(view(inout, bytes), view(in, bytes), count);
            MemoryBinding.copy(inoutElements, inoutAddress, bytes);
        }

        private static ByteBuffer view(ByteBuffer buffer, int bytes) {
            return buffer.clear().limit(bytes).order(ByteOrder.nativeOrder());
        }
    }
}
