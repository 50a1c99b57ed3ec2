// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

/**
 * ScaLAPACK could not finish a computation because of the values of a matrix: INFO &gt; 0. The
 * message says which pivot is zero, which minor is not positive definite, or what did not converge.
 * The processes of the grid get the same exception.
 */
public final class NumericalException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The routine, such as pdgesv. */
    private final String routine;
    /** INFO, above 0. */
    private final int info;

    NumericalException(String routine, int info, String reason) {
        super(routine + ": " + reason + " (INFO = " + info + ")");
        this.routine = routine;
        this.info = info;
    }

    /**
     * Returns the routine of ScaLAPACK.
     *
     * @return a name such as {@code pdgesv}
     */
    public String routine() {
        return routine;
    }

    /**
     * Returns INFO, whose meaning is in the manual of the routine. If it is the index of a row or
     * column, it counts from 1.
     *
     * @return at least 1
     */
    public int info() {
        return info;
    }
}
