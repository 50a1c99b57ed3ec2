// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** This machine, path or build does not support the operation. */
public class UnsupportedException extends HayateException {
    private static final long serialVersionUID = 1L;

    UnsupportedException(String reason, int peer) {
        this(reason, peer, null);
    }

    UnsupportedException(String reason, int peer, Throwable cause) {
        super(-9, reason, peer, cause);
    }
}
