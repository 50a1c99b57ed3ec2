// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.errors;

import io.hayate.CallbackException;
import io.hayate.HayateException;
import io.hayate.LaunchException;
import io.hayate.SystemFailureException;
import io.hayate.TruncationException;

/**
 * Creates the exceptions of {@code io.hayate}, whose constructors are not public. A class of that
 * package implements this interface and passes itself to {@link Errors#setMaker}.
 */
public interface ExceptionMaker {
    /**
     * Creates the exception of a code of the C library.
     *
     * @param code an unknown one gives a plain {@link HayateException}
     * @param reason what was wrong, what was expected, what to do
     * @param peer the rank concerned, or -1
     * @return the exception, not thrown
     */
    HayateException make(int code, String reason, int peer);

    /**
     * Creates the exception for a message that is longer than its receive.
     *
     * @param reason what was wrong, what was expected, what to do
     * @param peer the sender
     * @param bytes the length of the message
     * @return the exception, not thrown
     */
    TruncationException truncation(String reason, int peer, long bytes);

    /**
     * Creates the exception for a reducer that threw.
     *
     * @param thrown the exception of the reducer
     * @return the exception, not thrown
     */
    CallbackException callback(Throwable thrown);

    /**
     * Creates the exception for a job that could not be joined because something of the program
     * failed.
     *
     * @param reason what was wrong, what was expected, what to do
     * @param cause what the program threw, or null
     * @return the exception, not thrown
     */
    LaunchException launch(String reason, Throwable cause);

    /**
     * Creates the exception for a system failure that Java reported.
     *
     * @param reason what was wrong, what was expected, what to do
     * @param cause the exception that Java threw
     * @return the exception, not thrown
     */
    SystemFailureException system(String reason, Throwable cause);
}
