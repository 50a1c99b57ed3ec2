// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * The communicator can no longer be used: a member has given up a collective on it, because of a
 * time limit or an interrupt. This call, or an earlier one, was such a collective. Messages and
 * other communicators go on; close this one, and go on with another one.
 */
public final class BrokenCommunicatorException extends HayateException {
    private static final long serialVersionUID = 1L;

    BrokenCommunicatorException(String reason, int peer) {
        super(-17, reason, peer, null);
    }
}
