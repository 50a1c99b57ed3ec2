// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/** A Matrix Market file cannot be read or is damaged; the message names file, line and reason. */
public final class MatrixMarketException extends Exception {
    private static final long serialVersionUID = 1;

    private final int line;

    MatrixMarketException(String file, int line, String reason) {
        super(file + ":" + line + ": " + reason);
        this.line = line;
    }

    /** A failure without a line: the file cannot be read, or the message came from another rank. */
    MatrixMarketException(String message) {
        super(message);
        this.line = 0;
    }

    /** The line, from 1; 0 when the failure is not about a line. */
    public int line() {
        return line;
    }
}
