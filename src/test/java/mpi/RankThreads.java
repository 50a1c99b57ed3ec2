// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hayate.Hayate;
import io.hayate.RankFailedException;

/** A program that takes threads for ranks, and then closes the job of MPI. */
final class RankThreads {
    private RankThreads() {
    }

    public static void main(String[] args) {
        RankFailedException failed = assertThrows(RankFailedException.class,
                () -> Hayate.runThreads(2, rank -> MPI.Init(args)));
        MessagesProgram.check(failed.getMessage().contains("ranks cannot be threads of one JVM"),
                failed);
        Hayate.current().close();
        Failing.failsWith(MPI.ERR_OTHER, "is closed", MPI::Finalize);
        MessagesProgram.check(MPI.isFinalized(), "finalized");
    }
}
