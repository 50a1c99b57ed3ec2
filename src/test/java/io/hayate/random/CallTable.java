// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import io.hayate.BusyException;
import io.hayate.Communicator;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls that may be made at any time, from any thread, with any arguments; and what they are made
 * on. A call throws an AssertionError when data are wrong.
 */
abstract class CallTable {
    private static final int MOST_KEPT = 40;

    /** What may be thrown. */
    interface Action {
        void run(Chance chance) throws Exception;
    }

    /**
     * One call.
     *
     * @param waits whether it may wait until everything is closed
     */
    record Call(String name, boolean waits, Action action) {
    }

    private final List<Call> calls = new ArrayList<>();
    private final List<Object> kept = new ArrayList<>(); // its own lock

    final void call(String name, Action action) {
        calls.add(new Call(name, false, action));
    }

    /** One that may wait until everything is closed. */
    final void wait(String name, Action action) {
        calls.add(new Call(name, true, action));
    }

    final List<Call> calls() {
        return calls;
    }

    /** For any thread, which may have it at once; the oldest goes when there are many. */
    final void keep(Object thing) {
        synchronized (kept) {
            kept.add(thing);
            if (kept.size() > MOST_KEPT) {
                forget(kept.remove(0));
            }
        }
    }

    /** Communicators are closed, as otherwise they would take all memory. */
    private static void forget(Object thing) {
        if (thing instanceof Communicator comm) {
            try {
                comm.close();
            } catch (BusyException | OutOfMemoryError used) {
                // it stays open until the FMPL is closed
            }
        }
    }

    /** One of this kind, or null. */
    final <T> T any(Class<T> type, Chance chance) {
        synchronized (kept) {
            int size = kept.size();
            int from = size == 0 ? 0 : chance.below(size);
            for (int i = 0; i < size; i++) {
                Object thing = kept.get((from + i) % size);
                if (type.isInstance(thing)) {
                    return type.cast(thing);
                }
            }
            return null;
        }
    }

    /** Nobody can reach any of them here any more. */
    final void forget() {
        synchronized (kept) {
            kept.clear();
        }
    }

    /** Whether that is an end that the documentation has, beside the library's own exceptions. */
    boolean permits(Throwable thrown) {
        return false;
    }

    /** Closes everything, while calls go on: those that wait end. */
    abstract void close() throws Exception;

    /** When no call goes on: whatever must hold then. */
    void check() throws Exception {
        // nothing
    }
}
