// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import io.hayate.CallbackException;
import io.hayate.HayateException;
import io.hayate.SystemFailureException;

/**
 * Makes the exceptions of {@code io.hayate}, whose constructors are not public. One class of that
 * package implements this and gives itself to {@link Errors#setMaker}.
 */
public interface ExceptionMaker {
    /**
     * The exception of a code of the C library.
     *
     * @param code an unknown one gives a plain {@link HayateException}
     * @param reason what was wrong, what was expected, what to do
     * @param peer the rank concerned, or -1
     * @return the exception, not thrown
     */
    HayateException make(int code, String reason, int peer);

    /**
     * The exception of a reducer that threw.
     *
     * @param thrown what it threw
     * @return the exception, not thrown
     */
    CallbackException callback(Throwable thrown);

    /**
     * The exception of a failure of the system that Java reported.
     *
     * @param reason what was wrong, what was expected, what to do
     * @param cause what Java threw
     * @return the exception, not thrown
     */
    SystemFailureException system(String reason, Throwable cause);
}
