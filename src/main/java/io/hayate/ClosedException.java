// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** The object was closed before the call, or while the operation was in progress. */
public final class ClosedException extends HayateException {
    private static final long serialVersionUID = 1L;

    ClosedException(String reason, int peer) {
        super(-4, reason, peer, null);
    }
}
