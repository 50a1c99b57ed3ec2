// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Hayate;
import io.hayate.HeapSpan;

/**
 * What a member of a window has in its heap besides the window itself: words by which the members
 * synchronise. The constants are offsets in it.
 */
final class Control {
    /** The lock of accumulates, alone in its line. */
    static final long ACCUMULATES = 0;
    /** The words of {@link WinLock}. */
    static final long USERS = 64;
    static final long TURN = 72;
    /** How many members have called {@code complete} for this one, since the beginning. */
    static final long COMPLETES = 128;
    /** A word that nobody writes. */
    static final long NEVER = 136;
    /** The regions of {@link Regions}. */
    static final long TABLE = 192;
    private static final long POSTED = TABLE + Regions.BYTES;

    private final HeapSpan memory;

    /** Allocates one for a window of so many members. */
    Control(Hayate job, int members) {
        memory = job.allocate(posted(members));
        for (long at = 0; at < memory.bytes(); at += Long.BYTES) {
            memory.putLong(at, 0);
        }
    }

    /** How often a member has called {@code post} for this one, since the beginning. */
    static long posted(int member) {
        return POSTED + (long) member * Long.BYTES;
    }

    HeapSpan memory() {
        return memory;
    }

    void close() {
        memory.close();
    }
}
