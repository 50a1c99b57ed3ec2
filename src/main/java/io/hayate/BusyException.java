// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** Another operation is using the (peer, mai), the communicator, the request or the buffer. */
public final class BusyException extends HayateException {
    private static final long serialVersionUID = 1L;

    BusyException(String reason, int peer) {
        super(-3, reason, peer, null);
    }
}
