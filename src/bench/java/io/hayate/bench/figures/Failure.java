// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures;

/** A reason why a figure cannot be measured, for the user. */
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates it.
     *
     * @param reason what is wrong, and what to do
     */
    public Failure(String reason) {
        super(reason);
    }
}
