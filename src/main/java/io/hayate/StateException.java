// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * The library is not initialised, is initialised twice, or is not in the right state for the call.
 */
public final class StateException extends HayateException {
    private static final long serialVersionUID = 1L;

    StateException(String reason, int peer) {
        super(-12, reason, peer, null);
    }
}
