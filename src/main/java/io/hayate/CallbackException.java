// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * A user's {@link Reducer} threw; what it threw is the {@linkplain #getCause() cause}. The
 * collective itself was completed on all ranks, with elements that this rank did not reduce.
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
