// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.Failing.failsWith;

import org.junit.jupiter.api.Test;

/** Of two threads that end the same epoch, one does; the calls are those of two threads. */
class EpochsTest {
    private final Epochs epochs = new Epochs(2);

    @Test
    void should_let_one_thread_complete() {
        epochs.start(new int[] {1});
        failsWith(ErrorClass.RMA_SYNC, "complete()", epochs::requireStarted); // start() waits
        epochs.started();
        epochs.requireStarted();
        failsWith(ErrorClass.RMA_SYNC, "complete()", epochs::requireStarted);
        epochs.complete();
        epochs.start(new int[] {0});
        failsWith(ErrorClass.RMA_SYNC, "complete()", epochs::requireStarted);
    }

    @Test
    void should_let_one_thread_unlock_a_member() {
        epochs.lock(1, MPI.LOCK_SHARED);
        failsWith(ErrorClass.RMA_SYNC, "unlock()", () -> epochs.requireLocked(1, "unlock()"));
        epochs.locked(1);
        epochs.requireLocked(1, "unlock()");
        failsWith(ErrorClass.RMA_SYNC, "unlock()", () -> epochs.requireLocked(1, "unlock()"));
        epochs.unlock(1);
        epochs.lock(1, MPI.LOCK_SHARED);
    }

    @Test
    void should_let_one_thread_unlock_all_members() {
        epochs.lockAll();
        failsWith(ErrorClass.RMA_SYNC, "unlockAll()", epochs::requireAllLocked);
        epochs.lockedAll();
        epochs.requireAllLocked();
        failsWith(ErrorClass.RMA_SYNC, "unlockAll()", epochs::requireAllLocked);
        epochs.unlockAll();
        epochs.lockAll();
    }
}
