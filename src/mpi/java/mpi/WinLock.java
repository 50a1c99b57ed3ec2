// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * The lock of each member's part of a window, for one or several at once, in the order of arrival.
 * It is a ticket lock: a user takes the number of users before it. One that shares waits until all
 * of these share or are gone, and then lets the next one look; one that excludes waits until all of
 * these are gone. So every user counts once as a reader and once as gone.
 */
final class WinLock {
    private final Heaps heaps;

    WinLock(Heaps heaps) {
        this.heaps = heaps;
    }

    void acquire(int rank, boolean exclusive) {
        long ticket = heaps.add(rank, heaps.control(rank, Control.USERS), 1);
        heaps.await(rank, heaps.control(rank, exclusive ? Control.WRITES : Control.READS), ticket);
        if (!exclusive) {
            heaps.add(rank, heaps.control(rank, Control.READS), 1);
        }
    }

    /** The caller has flushed what the next user is to see. */
    void release(int rank, boolean exclusive) {
        if (exclusive) {
            heaps.add(rank, heaps.control(rank, Control.READS), 1);
        }
        heaps.add(rank, heaps.control(rank, Control.WRITES), 1);
    }
}
