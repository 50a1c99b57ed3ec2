// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** A peer wrote invalid data into shared memory. */
public final class CorruptionException extends HayateException {
    private static final long serialVersionUID = 1L;

    CorruptionException(String reason, int peer) {
        super(-13, reason, peer, null);
    }
}
