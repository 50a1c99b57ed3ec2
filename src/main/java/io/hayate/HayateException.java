// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * The base class of all exceptions of Hayate. They are unchecked. Each error code has one
 * class, so that the class and the {@link #code()} of an exception tell the same.
 */
public class HayateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The error code, which is negative. */
    private final int code;
    /** The rank concerned, or -1. */
    private final int peer;

    HayateException(int code, String reason, int peer, Throwable cause) {
        super(reason, cause);
        this.code = code;
        this.peer = peer;
    }

    /**
     * Returns the error code, {@code HAYATE_ERR_*} of {@code hayate.h}.
     *
     * @return a negative number
     */
    public final int code() {
        return code;
    }

    /**
     * Returns what was wrong, what was expected, and often what to do, as a human-readable
     * sentence.
     *
     * @return the reason, the same as {@link #getMessage()}
     */
    public final String reason() {
        return getMessage();
    }

    /**
     * Returns the rank that the error concerns.
     *
     * @return a rank of the job, or -1 if the error concerns no rank
     */
    public final int peer() {
        return peer;
    }
}
