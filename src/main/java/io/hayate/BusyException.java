// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** The thing is in use by another operation: a (peer, mai), a communicator, a request, a buffer. */
public final class BusyException extends HayateException {
    private static final long serialVersionUID = 1L;

    BusyException(String reason, int peer) {
        super(-3, reason, peer, null);
    }
}
