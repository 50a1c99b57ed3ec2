// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * The communicators of the class MPI. They are here because the class MPI and its superclass have
 * them, and each may be initialized before the other.
 */
final class PredefinedComms {
    static final Intracomm WORLD = new Intracomm();
    static final Intracomm SELF = new Intracomm();

    private PredefinedComms() {
    }

    /** Collective over the job. */
    static void open(Engine engine) {
        WORLD.become(engine, engine.fmpl.world());
        WORLD.setName("MPI_COMM_WORLD");
        SELF.become(engine, engine.fmpl.world().split(engine.job.rank(), 0));
        SELF.setName("MPI_COMM_SELF");
    }

    static void close() {
        WORLD.tagged = 0;
        SELF.tagged = 0;
    }
}
