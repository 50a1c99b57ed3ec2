// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** A system call failed. */
public final class SystemFailureException extends HayateException {
    private static final long serialVersionUID = 1L;

    SystemFailureException(String reason, int peer) {
        super(-10, reason, peer, null);
    }

    SystemFailureException(String reason, Throwable cause) {
        super(-10, reason, -1, cause);
    }
}
