// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * The waiting thread was interrupted. Its interrupt status is still set. Nothing is lost: a
 * blocking receive was withdrawn, and the next receive gets the message; a {@link Request} is still
 * in progress; a blocking send continues as the request of its (dst, mai).
 */
public final class InterruptedWaitException extends HayateException {
    private static final long serialVersionUID = 1L;

    InterruptedWaitException(String reason, int peer) {
        super(-16, reason, peer, null);
    }
}
