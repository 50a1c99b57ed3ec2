// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** Not initialised, initialised twice, or not in a state for this call. */
public final class StateException extends HayateException {
    private static final long serialVersionUID = 1L;

    StateException(String reason, int peer) {
        super(-12, reason, peer, null);
    }
}
