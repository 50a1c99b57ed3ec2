// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** A rank died, was stopped, or left the job; {@link #peer()} returns its number. */
public final class PeerFailedException extends HayateException {
    private static final long serialVersionUID = 1L;

    PeerFailedException(String reason, int peer) {
        super(-5, reason, peer, null);
    }
}
