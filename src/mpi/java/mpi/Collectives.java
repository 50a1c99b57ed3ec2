// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Collectives of all communicators, by the names of Open MPI's Java binding. */
class Collectives extends MpiJavaMessages {
    Collectives() {
    }

    /** Waits until all members have called this method. */
    public final void barrier() {
        requireOpen();
        collectives.barrier();
    }
}
