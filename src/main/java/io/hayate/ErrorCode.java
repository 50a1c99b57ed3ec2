// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.ExceptionMaker;
import java.util.function.BiFunction;

/**
 * The table of the error codes of the C library and their exceptions, from which {@link Errors}
 * creates exceptions.
 */
enum ErrorCode {
    ARGUMENT(-1, ArgumentException::new),
    TRUNCATE(-2, TruncationException::new),
    BUSY(-3, BusyException::new),
    CLOSED(Errors.CLOSED, ClosedException::new),
    PEER_FAILED(-5, PeerFailedException::new),
    NO_MEMORY(-6, MemoryExhaustedException::new),
    MISMATCH(-7, MismatchException::new),
    LAUNCH(-8, LaunchException::new),
    UNSUPPORTED(-9, UnsupportedException::new),
    SYSTEM(-10, SystemFailureException::new),
    CANCELLED(Errors.CANCELLED, CancelledException::new),
    STATE(Errors.STATE, StateException::new),
    CORRUPT(-13, CorruptionException::new),
    CALLBACK(-14, CallbackException::new);

    final int code;
    private final BiFunction<String, Integer, HayateException> constructor;

    static {
        Errors.setMaker(new Maker());
    }

    ErrorCode(int code, BiFunction<String, Integer, HayateException> constructor) {
        this.code = code;
        this.constructor = constructor;
    }

    /**
     * Creates the exception of a code; for an unknown code it is a plain {@link HayateException}.
     */
    private static HayateException exception(int code, String reason, int peer) {
        for (ErrorCode row : values()) {
            if (row.code == code) {
                return row.constructor.apply(reason, peer);
            }
        }
        return new HayateException(code, reason, peer, null);
    }

    /** The way of the internal packages to the constructors. */
    private static final class Maker implements ExceptionMaker {
        @Override
        public HayateException make(int code, String reason, int peer) {
            return exception(code, reason, peer);
        }

        @Override
        public CallbackException callback(Throwable thrown) {
            return new CallbackException(thrown);
        }

        @Override
        public SystemFailureException system(String reason, Throwable cause) {
            return new SystemFailureException(reason, cause);
        }
    }
}
