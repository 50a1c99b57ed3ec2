// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** The symmetric heap or the system has no memory left. */
public final class MemoryExhaustedException extends HayateException {
    private static final long serialVersionUID = 1L;

    MemoryExhaustedException(String reason, int peer) {
        super(-6, reason, peer, null);
    }
}
