// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/** The command line is wrong; the message says how. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
