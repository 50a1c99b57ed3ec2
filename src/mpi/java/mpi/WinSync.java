// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.internal.bindings.OmplBinding;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.Arrays;

/** The calls of a window that begin and end epochs, and complete accesses. */
class WinSync extends WinProperties {
    private static final int FENCE_ASSERTIONS = Constants.MODE_NOSTORE | Constants.MODE_NOPUT
            | Constants.MODE_NOPRECEDE | Constants.MODE_NOSUCCEED;
    private static final int POST_ASSERTIONS = Constants.MODE_NOCHECK | Constants.MODE_NOSTORE
            | Constants.MODE_NOPUT;

    /** The targets of the epoch of start(). */
    private int[] targets = {};
    /** How often each member has posted for this one in epochs that have begun. */
    private long[] posts;
    /** How many calls of complete() end all exposures so far. */
    private long completes;
    /** Of each member, whether its lock was not taken because the program needs none. */
    private boolean[] unchecked;

    WinSync() {
    }

    final void prepare() {
        posts = new long[members.size()];
        unchecked = new boolean[members.size()];
    }

    private static void check(int assertion, int possible, String call) {
        if ((assertion & ~possible) != 0) {
            throw new MPIException(ErrorClass.ASSERT, "the assertion of " + call + " is "
                    + assertion + ": expected 0, or a sum of those MPI.MODE_.. that the call"
                    + " takes, " + possible + " together");
        }
    }

    // ---- fences ----

    /**
     * Ends an epoch in which all members access each other, and begins the next one; collective.
     * What was accessed before is complete, everywhere, when the call returns.
     *
     * @param assertion 0, or a sum of {@code MPI.MODE_NOSTORE}, {@code MODE_NOPUT},
     *     {@code MODE_NOPRECEDE} and {@code MODE_NOSUCCEED}
     * @throws MPIException ERR_RMA_SYNC within an epoch of another kind, ERR_ASSERT
     */
    public void fence(int assertion) {
        requireOpen();
        guard(() -> {
            check(assertion, FENCE_ASSERTIONS, "fence()");
            epochs.requireNone("fence()");
            meet();
            epochs.fence((assertion & Constants.MODE_NOSUCCEED) == 0);
        });
    }

    /** Completes all accesses of all members. */
    final void meet() {
        heaps.flush();
        collectives.barrier();
        if (hasCopies()) {
            merge();
            collectives.barrier();
        }
    }

    // ---- general active targets ----

    /** Returns the ranks of a group of members. */
    private int[] ranks(Group group) {
        if (group == null) {
            throw new MPIException(ErrorClass.GROUP, "the group is null: expected one of members of"
                    + " the window");
        }
        Members others = group.members();
        int[] ranks = new int[others.size()];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = members.rankOf(others.world(i));
            if (ranks[i] < 0) {
                throw new MPIException(ErrorClass.GROUP, "rank " + others.world(i) + " of the job"
                        + " is in the group, and not in the window: expected some of its members");
            }
        }
        return ranks;
    }

    /**
     * Lets members access this one, each from its {@link #start} to its {@link #complete}. Waits
     * for nobody.
     *
     * @param group the members that will access this one
     * @param assertion 0, or a sum of {@code MPI.MODE_NOCHECK}, {@code MODE_NOSTORE} and
     *     {@code MODE_NOPUT}
     * @throws MPIException ERR_RMA_SYNC before the end of the last exposure, ERR_GROUP, ERR_ASSERT
     */
    public void post(Group group, int assertion) {
        requireOpen();
        guard(() -> {
            check(assertion, POST_ASSERTIONS, "post()");
            int[] origins = ranks(group);
            epochs.post();
            merge();
            completes += origins.length;
            for (int origin : origins) {
                heaps.add(origin, heaps.control(origin, Control.posted(rank)), 1);
            }
        });
    }

    /**
     * Begins to access members; waits until each of them has called {@link #post} for this one.
     *
     * @param group the members to access
     * @param assertion 0 or {@code MPI.MODE_NOCHECK}
     * @throws MPIException ERR_RMA_SYNC before the end of the last epoch, ERR_GROUP, ERR_ASSERT
     */
    public void start(Group group, int assertion) {
        requireOpen();
        guard(() -> {
            check(assertion, Constants.MODE_NOCHECK, "start()");
            int[] ranks = ranks(group);
            epochs.start(ranks);
            targets = ranks;
            for (int target : ranks) {
                heaps.awaitOwn(heaps.control(rank, Control.posted(target)), ++posts[target]);
            }
            epochs.started();
        });
    }

    /**
     * Ends the epoch that {@link #start} began. What was accessed is complete, also at the targets.
     *
     * @throws MPIException ERR_RMA_SYNC without start()
     */
    public void complete() {
        requireOpen();
        guard(() -> {
            epochs.requireStarted();
            try {
                for (int target : targets) {
                    heaps.flush(target);
                    heaps.add(target, heaps.control(target, Control.COMPLETES), 1);
                }
            } finally {
                epochs.complete();
            }
        });
    }

    /**
     * Waits until the members for which this one has called {@link #post} have called
     * {@link #complete}.
     *
     * @throws MPIException ERR_RMA_SYNC without post()
     */
    public void waitFor() {
        requireOpen();
        guard(() -> {
            epochs.requireExposed("waitFor()");
            heaps.awaitOwn(heaps.control(rank, Control.COMPLETES), completes);
            epochs.unexpose();
            merge();
        });
    }

    /**
     * Looks whether {@link #waitFor} would return at once, and then does what it does.
     *
     * @return true: the exposure is over
     * @throws MPIException ERR_RMA_SYNC without post()
     */
    public boolean test() {
        requireOpen();
        return guarded(() -> {
            epochs.requireExposed("test()");
            boolean over = heaps.isOwn(heaps.control(rank, Control.COMPLETES), completes);
            if (over) {
                epochs.unexpose();
                merge();
            }
            return over;
        });
    }

    // ---- passive targets ----

    private void requireLocks() {
        if (!hasLocks) {
            throw new MPIException(ErrorClass.RMA_SYNC, "the window has no locks, as the hint"
                    + " no_locks of its creation says: create it without this hint");
        }
    }

    /**
     * Begins to access one member, which takes no part in it.
     *
     * @param lockType {@code MPI.LOCK_EXCLUSIVE} or {@code MPI.LOCK_SHARED}
     * @param rank the member
     * @param assertion 0; or {@code MPI.MODE_NOCHECK}: nobody else has a lock that excludes this
     *     one, so none is taken
     * @throws MPIException ERR_LOCKTYPE, ERR_RANK, ERR_ASSERT, ERR_RMA_SYNC if this process has
     *     locked the member already; ERR_PROC_FAILED if a process dies during the wait
     */
    public void lock(int lockType, int rank, int assertion) {
        requireOpen();
        guard(() -> {
            if (lockType != Constants.LOCK_EXCLUSIVE && lockType != Constants.LOCK_SHARED) {
                throw new MPIException(ErrorClass.LOCKTYPE, "the type of the lock is " + lockType
                        + ": expected MPI.LOCK_EXCLUSIVE or MPI.LOCK_SHARED");
            }
            check(assertion, Constants.MODE_NOCHECK, "lock()");
            requireLocks();
            if (isMember(rank)) {
                lockMember(rank, lockType, assertion);
            }
        });
    }

    private void lockMember(int target, int lockType, int assertion) {
        epochs.lock(target, lockType);
        unchecked[target] = assertion != 0;
        try {
            if (assertion == 0) {
                lock.acquire(target, lockType == Constants.LOCK_EXCLUSIVE);
            }
        } catch (RuntimeException failure) {
            epochs.unlock(target);
            throw failure;
        }
        epochs.locked(target);
        if (target == rank) {
            merge();
        }
    }

    /**
     * Ends an epoch that {@link #lock} began. What was accessed is complete, also at the target.
     *
     * @param rank the member
     * @throws MPIException ERR_RANK, ERR_RMA_SYNC if it is not locked, ERR_PROC_FAILED
     */
    public void unlock(int rank) {
        requireOpen();
        guard(() -> {
            if (isMember(rank)) {
                int type = epochs.requireLocked(rank, "unlock()");
                try {
                    unlockMember(rank, type);
                } finally {
                    epochs.unlock(rank);
                }
            }
        });
    }

    private void unlockMember(int target, int type) {
        if (target == rank) {
            merge();
        }
        heaps.flush(target);
        if (!unchecked[target]) {
            lock.release(target, type == Constants.LOCK_EXCLUSIVE);
        }
    }

    /**
     * Begins to access all members, each with a shared lock. Not collective.
     *
     * @param assertion 0; or {@code MPI.MODE_NOCHECK}: nobody has an exclusive lock, so none is
     *     taken
     * @throws MPIException ERR_RMA_SYNC within another epoch, ERR_ASSERT, ERR_PROC_FAILED
     */
    public void lockAll(int assertion) {
        requireOpen();
        guard(() -> {
            check(assertion, Constants.MODE_NOCHECK, "lockAll()");
            requireLocks();
            epochs.lockAll();
            Arrays.fill(unchecked, assertion != 0);
            try {
                for (int i = 0; assertion == 0 && i < members.size(); i++) {
                    lock.acquire(i, false);
                }
            } catch (RuntimeException failure) { // nobody gets a lock any more
                epochs.unlockAll();
                throw failure;
            }
            epochs.lockedAll();
            merge();
        });
    }

    /**
     * Ends the epoch that {@link #lockAll} began. What was accessed is complete, also at the
     * targets.
     *
     * @throws MPIException ERR_RMA_SYNC without lockAll(), ERR_PROC_FAILED
     */
    public void unlockAll() {
        requireOpen();
        guard(() -> {
            epochs.requireAllLocked();
            try {
                for (int target = 0; target < members.size(); target++) {
                    unlockMember(target, Constants.LOCK_SHARED);
                }
            } finally {
                epochs.unlockAll();
            }
        });
    }

    // ---- completion within epochs of locks ----

    /**
     * Completes what this process has accessed at a member, also there.
     *
     * @param targetRank the member
     * @throws MPIException ERR_RANK, ERR_RMA_SYNC if it is not locked, ERR_PROC_FAILED
     */
    public void flush(int targetRank) {
        if (heaps != null && targetRank >= 0 && targetRank < members.size()
                && epochs.isPassive(targetRank)) {
            int rc = OmplBinding.flush(heaps.handle(), members.world(targetRank));
            Reference.reachabilityFence(this);
            if (rc != 0) {
                throw failed(rc);
            }
            return;
        }
        requireOpen();
        guard(() -> {
            if (isMember(targetRank)) {
                epochs.requirePassive(targetRank);
                heaps.flush(targetRank);
            }
        });
    }

    /**
     * Completes what this process has accessed at all members, also there.
     *
     * @throws MPIException ERR_RMA_SYNC outside of an epoch of locks, ERR_PROC_FAILED
     */
    public void flushAll() {
        requireOpen();
        guard(() -> {
            epochs.requirePassive(-1);
            heaps.flush();
        });
    }

    /**
     * Completes what this process has accessed at a member, here: its own buffers can be used
     * again. Accesses of windows are so when they return; the call only checks.
     *
     * @param targetRank the member
     * @throws MPIException ERR_RANK, ERR_RMA_SYNC if it is not locked
     */
    public void flushLocal(int targetRank) {
        requireOpen();
        guard(() -> {
            if (isMember(targetRank)) {
                epochs.requirePassive(targetRank);
            }
        });
    }

    /**
     * Completes what this process has accessed at all members, here, as {@link #flushLocal}.
     *
     * @throws MPIException ERR_RMA_SYNC outside of an epoch of locks
     */
    public void flushLocalAll() {
        requireOpen();
        guard(() -> epochs.requirePassive(-1));
    }

    /**
     * Orders what this process has stored into its own memory and what others have: afterwards each
     * sees what the other has stored before. Needed between loads that wait for another process,
     * and always for memory outside of the heap.
     */
    public void sync() {
        requireOpen();
        VarHandle.fullFence();
        guard(this::merge);
        VarHandle.fullFence();
    }
}
