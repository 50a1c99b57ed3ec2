// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** The command line, or the number of ranks, is wrong; the message says how. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
