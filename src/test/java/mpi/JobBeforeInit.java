// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Hayate;

/** A program that joins the job by itself, and then calls Init. */
final class JobBeforeInit {
    private JobBeforeInit() {
    }

    public static void main(String[] args) {
        try (Hayate job = Hayate.init()) {
            Failing.failsWith(MPI.ERR_OTHER, "use Hayate.current() after it", () -> MPI.Init(args));
            MessagesProgram.check(!MPI.isInitialized(), job);
        }
    }
}
