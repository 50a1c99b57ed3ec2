// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.util.function.BiFunction;

/** The one table of the C library's codes and their exceptions. */
enum ErrorCode {
    ARGUMENT(-1, ArgumentException::new),
    TRUNCATE(-2, TruncationException::new),
    BUSY(-3, BusyException::new),
    CLOSED(-4, ClosedException::new),
    PEER_FAILED(-5, PeerFailedException::new),
    NO_MEMORY(-6, MemoryExhaustedException::new),
    MISMATCH(-7, MismatchException::new),
    LAUNCH(-8, LaunchException::new),
    UNSUPPORTED(-9, UnsupportedException::new),
    SYSTEM(-10, SystemFailureException::new),
    CANCELLED(-11, CancelledException::new),
    STATE(-12, StateException::new),
    CORRUPT(-13, CorruptionException::new),
    CALLBACK(-14, CallbackException::new);

    final int code;
    private final BiFunction<String, Integer, HayateException> maker;

    ErrorCode(int code, BiFunction<String, Integer, HayateException> maker) {
        this.code = code;
        this.maker = maker;
    }

    HayateException exception(String reason, int peer) {
        return maker.apply(reason, peer);
    }

    /** The exception of a code; of an unknown one the plain {@link HayateException}. */
    static HayateException exception(int code, String reason, int peer) {
        for (ErrorCode row : values()) {
            if (row.code == code) {
                return row.exception(reason, peer);
            }
        }
        return new HayateException(code, reason, peer, null);
    }
}
