// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * Something that Hayate could not do. The family is unchecked; each code of the C library has one
 * class, so that catching by class and asking for the {@link #code()} tell the same.
 */
public class HayateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The code, negative. */
    private final int code;
    /** The rank concerned, or -1. */
    private final int peer;

    HayateException(int code, String reason, int peer, Throwable cause) {
        super(reason, cause);
        this.code = code;
        this.peer = peer;
    }

    /**
     * The C library's code, {@code HAYATE_ERR_*} of {@code hayate.h}.
     *
     * @return a negative number
     */
    public final int code() {
        return code;
    }

    /**
     * What was wrong, what was expected, and often what to do: a sentence for people.
     *
     * @return the reason, the same as {@link #getMessage()}
     */
    public final String reason() {
        return getMessage();
    }

    /**
     * The rank that the error is about.
     *
     * @return a rank of the job, or -1 when it is about none
     */
    public final int peer() {
        return peer;
    }
}
