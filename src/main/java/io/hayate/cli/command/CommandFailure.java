// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.command;

/** Ends a command with a sentence for the user and exit code 1. */
public final class CommandFailure extends RuntimeException {
    /** Of every command that has failed. */
    public static final int EXIT_CODE = 1;

    private static final long serialVersionUID = 1L;

    /**
     * Creates a failure.
     *
     * @param message what was wrong, and what to do
     */
    public CommandFailure(String message) {
        super(message);
    }
}
