// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * A rank died, was stopped, left the job, or closed what this rank waits on; {@link #peer()}
 * returns its number.
 */
public final class PeerFailedException extends HayateException {
    private static final long serialVersionUID = 1L;

    PeerFailedException(String reason, int peer) {
        super(-5, reason, peer, null);
    }
}
