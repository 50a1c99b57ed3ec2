// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** The members of a collective passed arguments that do not match. */
public final class MismatchException extends HayateException {
    private static final long serialVersionUID = 1L;

    MismatchException(String reason, int peer) {
        super(-7, reason, peer, null);
    }
}
