// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * The state in Java of each (peer, mai) and direction: the heap memory that is in use, so that it
 * is not freed meanwhile, and the buffer that a non-blocking operation keeps reachable. Lanes are
 * created at first use.
 */
final class Lanes {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Lane[].class);

    private final int size;
    private final int count;
    private final Lane[] sends; // mai-major, like receives
    private final Lane[] receives;

    /**
     * Plain fields, written by the thread that runs the operation; a hint for a thread that closes
     * memory.
     */
    static final class Lane {
        private long using; // address in the heap, 0: none
        @SuppressWarnings("unused")
        private Object kept;
        // Lanes of two threads may be adjacent in memory: keep them on separate cache lines.
        long p0, p1, p2, p3, p4, p5, p6, p7;

        /** Starts a blocking operation; returns the argument of end(). */
        long begin(Memory memory, long start) {
            long before = using;
            if (memory.isOfHeap()) {
                using = memory.mark(start);
            }
            return before;
        }

        /** Ends the operation; if there was another one, its mark stays. */
        void end(long before, boolean busy) {
            using = busy ? before : 0;
        }

        /** Marks a non-blocking operation that continues. */
        void keep(Memory memory, long start) {
            kept = memory;
            using = memory.isOfHeap() ? memory.mark(start) : 0;
        }

        void letGo() {
            using = 0;
            kept = null;
        }

        boolean uses(long start, long bytes) {
            return isWithin(using, start, bytes);
        }
    }

    Lanes(int size, int count) {
        this.size = size;
        this.count = count;
        sends = new Lane[Math.multiplyExact(size, count)];
        receives = new Lane[sends.length];
    }

    static boolean isWithin(long address, long start, long bytes) {
        return address >= start && address - start < bytes;
    }

    /** Returns the object that must stay reachable while operations may be in progress. */
    Object kept() {
        return List.of(sends, receives);
    }

    /** Returns the number of lanes of each direction. */
    int length() {
        return sends.length;
    }

    /** Returns the number of lanes of each peer and direction. */
    int count() {
        return count;
    }

    int index(int peer, int mai) {
        if (peer < 0 || peer >= size) {
            throw Errors.argument("rank " + peer + ": expected " + (size > 1 ? "0 to " + (size - 1)
                    : "0, as this job has one rank: start more with hayate run -n N"));
        }
        if (mai < 0 || mai >= count) {
            throw Errors.argument("mai " + mai + ": expected 0 to " + (count - 1)
                    + "; Fmpl.init sets the number of entries");
        }
        return mai * size + peer;
    }

    Lane sending(int peer, int mai) {
        return get(sends, index(peer, mai));
    }

    Lane receiving(int peer, int mai) {
        return get(receives, index(peer, mai));
    }

    private static Lane get(Lane[] table, int index) {
        Lane lane = table[index];
        return lane != null ? lane : make(table, index);
    }

    private static Lane make(Lane[] table, int index) {
        Lane made = new Lane();
        Lane before = (Lane) ELEMENT.compareAndExchange(table, index, null, made);
        return before != null ? before : made;
    }

    boolean uses(long start, long bytes) {
        return uses(sends, start, bytes) || uses(receives, start, bytes);
    }

    private static boolean uses(Lane[] table, long start, long bytes) {
        for (int i = 0; i < table.length; i++) {
            Lane lane = (Lane) ELEMENT.getVolatile(table, i);
            if (lane != null && lane.uses(start, bytes)) {
                return true;
            }
        }
        return false;
    }
}
