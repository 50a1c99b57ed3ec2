// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * A {@link Reducer} or a {@link Codec} of the program threw an exception, which is the
 * {@linkplain #getCause() cause}. After a reducer threw, the collective itself was completed on all
 * ranks, but this rank left some elements unreduced. If the codec of another rank failed, there is
 * no cause, and {@link #peer()} names the rank.
 */
public final class CallbackException extends HayateException {
    private static final long serialVersionUID = 1L;

    CallbackException(String reason, int peer) {
        super(-14, reason, peer, null);
    }

    CallbackException(String reason, int peer, Throwable cause) {
        super(-14, reason, peer, cause);
    }

    CallbackException(Throwable thrown) {
        super(-14, "the reducer threw " + text(thrown), -1, thrown);
    }

    /** An exception of the program may be unable to describe itself. */
    static String text(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (Throwable again) {
            return thrown.getClass().getName();
        }
    }
}
