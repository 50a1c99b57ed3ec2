// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * The lock of each member's part of a window, for one or several at once, in the order of arrival.
 * It is a ticket lock: a user takes the number of users before it. One that shares waits until all
 * of these share or are gone, and then lets the next one look; one that excludes waits until all of
 * these are gone. So every user counts once as a reader and once as gone, in the lower and in the
 * upper half of one word. A carry from the lower half does not matter: readers compare that half
 * only, and when all before a user are gone, the whole word is a multiple of both counts.
 */
final class WinLock {
    private static final long READER = 1;
    private static final long GONE = 1L << 32;
    private static final long READERS = GONE - 1;
    private static final long ALL = -1;

    private final Heaps heaps;

    WinLock(Heaps heaps) {
        this.heaps = heaps;
    }

    void acquire(int rank, boolean exclusive) {
        long ticket = heaps.addSilently(rank, Control.USERS, 1);
        if (exclusive) {
            heaps.await(rank, Control.TURN, ALL, ticket * (READER + GONE));
        } else {
            heaps.await(rank, Control.TURN, READERS, ticket);
            heaps.addSilently(rank, Control.TURN, READER);
        }
    }

    /** The caller has flushed what the next user is to see. */
    void release(int rank, boolean exclusive) {
        heaps.addSilently(rank, Control.TURN, exclusive ? READER + GONE : GONE);
    }
}
