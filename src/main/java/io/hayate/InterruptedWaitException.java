// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * The waiting thread was interrupted. Its interrupt status is still set. What became of the
 * operation is the same as after a {@link TimedOutException}.
 */
public final class InterruptedWaitException extends HayateException {
    private static final long serialVersionUID = 1L;

    InterruptedWaitException(String reason, int peer) {
        super(-16, reason, peer, null);
    }
}
