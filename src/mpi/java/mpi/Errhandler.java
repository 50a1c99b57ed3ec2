// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * What happens when a call on a communicator, window or file fails: either the call throws an
 * {@link MPIException}, or the job is aborted. The handlers are constants of the class MPI.
 */
public final class Errhandler {
    /** Throws; {@code MPI.ERRORS_RETURN}. */
    static final Errhandler RETURN = new Errhandler("ERRORS_RETURN", false);
    /** Throws, too; what a communicator begins with, where Open MPI's aborts the job. */
    static final Errhandler INITIAL = new Errhandler("the initial error handler", false);
    /** Aborts the job; {@code MPI.ERRORS_ARE_FATAL}. */
    static final Errhandler ARE_FATAL = new Errhandler("ERRORS_ARE_FATAL", true);
    /** Aborts the job, to which the members of the communicator belong; {@code ERRORS_ABORT}. */
    static final Errhandler ABORT = new Errhandler("ERRORS_ABORT", true);

    private final String name;
    private final boolean aborts;

    private Errhandler(String name, boolean aborts) {
        this.name = name;
        this.aborts = aborts;
    }

    /** Says whether an error aborts the job. Otherwise the call throws. */
    boolean aborts() {
        return aborts;
    }

    /** Returns an exception to throw, or aborts the job; engine: null before there is one. */
    MPIException handle(MPIException failure, Engine engine) {
        if (aborts && engine != null) {
            engine.job.abort(Math.max(1, failure.getErrorClass()), failure.getMessage());
        }
        return failure;
    }

    @Override
    public String toString() {
        return name;
    }
}
