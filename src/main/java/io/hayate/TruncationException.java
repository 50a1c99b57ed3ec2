// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** The message is longer than the buffer of the receive. It stays, and a larger receive gets it. */
public final class TruncationException extends HayateException {
    private static final long serialVersionUID = 1L;

    TruncationException(String reason, int peer) {
        super(-2, reason, peer, null);
    }
}
