// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What Java knows of each (peer, mai): which heap memory is in use, so that it is not given back
 * meanwhile, and which buffer a non-blocking operation keeps reachable. Lanes are made at first
 * use.
 */
final class Lanes {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Lane[].class);

    private final int size;
    private final int count;
    private final Lane[] table; // mai-major

    /** Plain fields: written by who has the operation, read as a hint by {@link HeapSpan#close}. */
    static final class Lane {
        long sending; // address in the heap, 0: none
        Object sendKept;
        // Objects of two threads' lanes may lie side by side: keep their lines apart.
        long p0, p1, p2, p3, p4, p5, p6, p7;
        long receiving;
        Object receiveKept;
        long q0, q1, q2, q3, q4, q5, q6, q7;

        boolean uses(long start, long bytes) {
            return isWithin(sending, start, bytes) || isWithin(receiving, start, bytes);
        }
    }

    Lanes(int size, int count) {
        this.size = size;
        this.count = count;
        table = new Lane[Math.multiplyExact(size, count)];
    }

    static boolean isWithin(long address, long start, long bytes) {
        return address >= start && address - start < bytes;
    }

    Lane[] table() {
        return table;
    }

    int index(int peer, int mai) {
        if (peer < 0 || peer >= size) {
            throw Errors.argument("rank " + peer + ": expected 0 to " + (size - 1));
        }
        if (mai < 0 || mai >= count) {
            throw Errors.argument("mai " + mai + ": expected 0 to " + (count - 1)
                    + "; Fmpl.init takes the number of entries");
        }
        return mai * size + peer;
    }

    Lane get(int peer, int mai) {
        int index = index(peer, mai);
        Lane lane = table[index];
        return lane != null ? lane : make(index);
    }

    private Lane make(int index) {
        Lane made = new Lane();
        Lane before = (Lane) ELEMENT.compareAndExchange(table, index, null, made);
        return before != null ? before : made;
    }

    boolean uses(long start, long bytes) {
        for (int i = 0; i < table.length; i++) {
            Lane lane = (Lane) ELEMENT.getVolatile(table, i);
            if (lane != null && lane.uses(start, bytes)) {
                return true;
            }
        }
        return false;
    }
}
