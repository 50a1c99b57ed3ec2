// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * A custom {@link Reducer} threw an exception, which is the {@linkplain #getCause() cause}. The
 * collective itself was completed on all ranks, but this rank left some elements unreduced.
 */
public final class CallbackException extends HayateException {
    private static final long serialVersionUID = 1L;

    CallbackException(String reason, int peer) {
        super(-14, reason, peer, null);
    }

    CallbackException(Throwable thrown) {
        super(-14, "the reducer threw " + thrown, -1, thrown);
    }
}
