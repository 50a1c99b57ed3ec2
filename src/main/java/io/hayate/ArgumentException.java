// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * An argument is null, negative, out of range, misaligned, or belongs to another job; nothing was
 * changed.
 */
public final class ArgumentException extends HayateException {
    private static final long serialVersionUID = 1L;

    ArgumentException(String reason, int peer) {
        super(-1, reason, peer, null);
    }
}
