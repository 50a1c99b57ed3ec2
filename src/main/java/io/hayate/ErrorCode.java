// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.errors.ExceptionMaker;

/**
 * The table of the error codes and their exceptions, from which {@link Errors} creates exceptions.
 */
enum ErrorCode {
    ARGUMENT(-1),
    TRUNCATE(-2),
    BUSY(-3),
    CLOSED(Errors.CLOSED),
    PEER_FAILED(-5),
    NO_MEMORY(-6),
    MISMATCH(-7),
    LAUNCH(-8),
    UNSUPPORTED(-9),
    SYSTEM(-10),
    CANCELLED(Errors.CANCELLED),
    STATE(Errors.STATE),
    CORRUPT(-13),
    CALLBACK(-14),
    TIMED_OUT(Errors.TIMED_OUT),
    INTERRUPTED(Errors.INTERRUPTED),
    BROKEN(Errors.BROKEN);

    final int code;

    static {
        Errors.setMaker(new Maker());
    }

    ErrorCode(int code) {
        this.code = code;
    }

    /**
     * Creates the exception of a code; for an unknown code it is a plain {@link HayateException}.
     */
    private static HayateException exception(int code, String reason, int peer) {
        for (ErrorCode row : values()) {
            if (row.code == code) {
                return row.exception(reason, peer);
            }
        }
        return new HayateException(code, reason, peer, null);
    }

    /** A switch, because a lambda for each row would take time at the start of every rank. */
    private HayateException exception(String reason, int peer) {
        return switch (this) {
            case ARGUMENT -> new ArgumentException(reason, peer);
            case TRUNCATE -> new TruncationException(reason, peer, 0);
            case BUSY -> new BusyException(reason, peer);
            case CLOSED -> new ClosedException(reason, peer);
            case PEER_FAILED -> new PeerFailedException(reason, peer);
            case NO_MEMORY -> new MemoryExhaustedException(reason, peer);
            case MISMATCH -> new MismatchException(reason, peer);
            case LAUNCH -> new LaunchException(reason, peer, null);
            case UNSUPPORTED -> new UnsupportedException(reason, peer);
            case SYSTEM -> new SystemFailureException(reason, peer);
            case CANCELLED -> new CancelledException(reason, peer);
            case STATE -> new StateException(reason, peer);
            case CORRUPT -> new CorruptionException(reason, peer);
            case CALLBACK -> new CallbackException(reason, peer);
            case TIMED_OUT -> new TimedOutException(reason, peer);
            case INTERRUPTED -> new InterruptedWaitException(reason, peer);
            case BROKEN -> new BrokenCommunicatorException(reason, peer);
        };
    }

    /** The way of the internal packages to the constructors. */
    private static final class Maker implements ExceptionMaker {
        @Override
        public HayateException make(int code, String reason, int peer) {
            return exception(code, reason, peer);
        }

        @Override
        public TruncationException truncation(String reason, int peer, long bytes) {
            return new TruncationException(reason, peer, bytes);
        }

        @Override
        public CallbackException callback(Throwable thrown) {
            return new CallbackException(thrown);
        }

        @Override
        public LaunchException launch(String reason, Throwable cause) {
            return new LaunchException(reason, -1, cause);
        }

        @Override
        public SystemFailureException system(String reason, Throwable cause) {
            return new SystemFailureException(reason, cause);
        }
    }
}
