// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * The time limit of a wait is over. Nothing is lost: a blocking receive was withdrawn, and the next
 * receive gets the message; a {@link Request} is still in progress and can be awaited again.
 */
public final class TimedOutException extends HayateException {
    private static final long serialVersionUID = 1L;

    TimedOutException(String reason, int peer) {
        super(-15, reason, peer, null);
    }
}
