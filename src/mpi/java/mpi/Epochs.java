// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;

/**
 * Between which calls of synchronisation a member of a window is: whom it may access, and whether
 * it is accessed. Calls in a wrong order are refused before they do anything.
 */
final class Epochs {
    private static final int NONE = 0;
    private static final int FENCE = 1;
    private static final int START = 2;
    private static final int LOCKS = 3;
    private static final int LOCK_ALL = 4;

    /** Whom this member may access now. */
    final boolean[] reach;
    /** Whether it has accessed anybody since the last fence. */
    boolean used;
    /** The type of lock that it has or waits for, of each member; 0: none. */
    private final int[] locks;
    private int lockCount;
    private int access = NONE;
    private boolean exposed;
    private boolean started; // start() has returned, and no thread has begun complete()

    Epochs(int members) {
        reach = new boolean[members];
        locks = new int[members];
    }

    private static MPIException wrong(String what) {
        return new MPIException(ErrorClass.RMA_SYNC, what);
    }

    private String name() {
        return switch (access) {
            case START -> "start()";
            case LOCKS -> "lock()";
            case LOCK_ALL -> "lockAll()";
            default -> "fence()";
        };
    }

    private void begin(int next, String call) {
        boolean over = access == NONE || access == FENCE && !used
                || access == LOCKS && next == LOCKS;
        if (!over) {
            throw wrong(call + " while the epoch of " + name() + " goes on: expected its end before"
                    + (access == FENCE ? ", a fence" : ""));
        }
        if (access == FENCE) {
            Arrays.fill(reach, false);
        }
        access = next;
    }

    private void end() {
        access = NONE;
        Arrays.fill(reach, false);
    }

    /** Refuses an access of a member that no epoch permits. */
    void requireReach(int rank) {
        if (!reach[rank]) {
            throw wrong("rank " + rank + " is accessed outside of an epoch for it: call fence(),"
                    + " start(), lock() or lockAll() before");
        }
    }

    // ---- fences ----

    synchronized void fence(boolean succeeds) {
        used = false;
        access = succeeds ? FENCE : NONE;
        Arrays.fill(reach, succeeds);
    }

    // ---- general active targets ----

    synchronized void start(int[] targets) {
        begin(START, "start()");
        for (int target : targets) {
            reach[target] = true;
        }
    }

    synchronized void started() {
        started = true;
    }

    synchronized void complete() {
        started = false;
        end();
    }

    synchronized void requireStarted() {
        if (access != START || !started) {
            throw wrong("complete() without start()");
        }
        started = false;
    }

    synchronized void post() {
        if (exposed) {
            throw wrong("post() while the epoch of the last post() goes on: expected waitFor()"
                    + " before");
        }
        exposed = true;
    }

    synchronized void requireExposed(String call) {
        if (!exposed) {
            throw wrong(call + " without post()");
        }
    }

    synchronized void unexpose() {
        exposed = false;
    }

    // ---- passive targets ----

    /** Notes a lock, for which the caller then waits. */
    synchronized void lock(int rank, int type) {
        if (locks[rank] != 0) {
            throw wrong("lock() of rank " + rank + ", which this process has locked already:"
                    + " expected unlock() before");
        }
        begin(LOCKS, "lock()");
        locks[rank] = type;
        lockCount++;
    }

    synchronized void locked(int rank) {
        reach[rank] = true;
    }

    /** Returns the type of the lock that this process has. */
    synchronized int requireLocked(int rank, String call) {
        if (locks[rank] == 0 || !reach[rank]) {
            throw wrong(call + " of rank " + rank + ", which this process has not locked");
        }
        reach[rank] = false;
        return locks[rank];
    }

    synchronized void unlock(int rank) {
        reach[rank] = false;
        locks[rank] = 0;
        if (--lockCount == 0) {
            end();
        }
    }

    synchronized void lockAll() {
        begin(LOCK_ALL, "lockAll()");
    }

    synchronized void lockedAll() {
        Arrays.fill(reach, true);
    }

    synchronized void requireAllLocked() {
        if (access != LOCK_ALL || !reach[0]) {
            throw wrong("unlockAll() without lockAll()");
        }
        Arrays.fill(reach, false);
    }

    synchronized void unlockAll() {
        end();
    }

    /** Says whether this process has locked a member; without a lock, for its own threads. */
    boolean isPassive(int rank) {
        return access == LOCK_ALL || locks[rank] != 0;
    }

    /** Refuses a flush outside of an epoch that locks a member; -1: any. */
    synchronized void requirePassive(int rank) {
        boolean passive = access == LOCK_ALL || (rank < 0 ? lockCount > 0 : locks[rank] != 0);
        if (!passive) {
            throw wrong("a flush" + (rank < 0 ? "" : " of rank " + rank)
                    + " outside of an epoch of lock() or lockAll()");
        }
    }

    // ---- all ----

    /** Refuses a fence, or the end of the window, within another epoch than that of a fence. */
    synchronized void requireNone(String call) {
        if (access > FENCE || exposed) {
            throw wrong(call + " while the epoch of " + (access > FENCE ? name() : "post()")
                    + " goes on: expected its end before");
        }
    }

    synchronized void close() {
        end();
    }
}
