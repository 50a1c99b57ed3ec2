// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** Used after close, or closed while the operation was under way. */
public final class ClosedException extends HayateException {
    private static final long serialVersionUID = 1L;

    ClosedException(String reason, int peer) {
        super(-4, reason, peer, null);
    }
}
