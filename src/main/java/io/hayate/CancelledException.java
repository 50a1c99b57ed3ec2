// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** The operation was cancelled, and nothing was written to its buffer. */
public final class CancelledException extends HayateException {
    private static final long serialVersionUID = 1L;

    CancelledException(String reason, int peer) {
        super(-11, reason, peer, null);
    }
}
