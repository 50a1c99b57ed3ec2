// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * A call of MPI failed. The message names the error class of MPI, and says what was wrong, what was
 * expected, and what to do. The exception is unchecked, as it is in some of the Java bindings of
 * MPI, so programs may catch or declare it, but need not.
 */
public class MPIException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The error class, a value of {@link ErrorClass}. */
    private final int errorClass;

    /** Creates an exception of the class {@code MPI.ERR_OTHER}, without a message. */
    public MPIException() {
        errorClass = ErrorClass.OTHER;
    }

    /**
     * Creates an exception of the class {@code MPI.ERR_OTHER}.
     *
     * @param message the message, used as it is
     */
    public MPIException(String message) {
        super(message);
        errorClass = ErrorClass.OTHER;
    }

    /**
     * Creates an exception that another one caused.
     *
     * @param cause the cause; if it is an exception of MPI, this one has the same error class,
     *     otherwise {@code MPI.ERR_OTHER}
     */
    public MPIException(Throwable cause) {
        super(cause);
        errorClass = cause instanceof MPIException e ? e.errorClass : ErrorClass.OTHER;
    }

    /** An exception whose message begins with the name of the class. */
    MPIException(int errorClass, String message) {
        this(errorClass, message, null);
    }

    MPIException(int errorClass, String message, Throwable cause) {
        super(ErrorClass.name(errorClass) + ": " + message, cause);
        this.errorClass = errorClass;
    }

    /**
     * Returns the error class.
     *
     * @return one of the constants {@code MPI.ERR_*}
     */
    public int getErrorClass() {
        return errorClass;
    }

    /**
     * Returns the error code, which is the error class here.
     *
     * @return the same as {@link #getErrorClass()}
     */
    public int getErrorCode() {
        return errorClass;
    }
}
