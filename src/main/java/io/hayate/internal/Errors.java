// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import io.hayate.CallbackException;
import io.hayate.HayateException;
import io.hayate.SystemFailureException;


/**
 * Turns codes into exceptions.
 *
 * <p>The C side keeps the reason of a failure for the thread of the system on which it happened,
 * which of a virtual thread is its carrier. Whatever may block, a contended monitor or map as well,
 * may move the virtual thread to another carrier, where the last failure was another one. So the
 * native call itself is the argument of {@link #check} or {@link #failure}, and nothing stands
 * between: nobody else asks for the reason. scripts/check-style.sh looks at that.
 */
public final class Errors {
    /** Code of an object that is closed. */
    public static final int CLOSED = -4;
    /** Code of an operation that was cancelled. */
    public static final int CANCELLED = -11;
    /** Code of a call that does not fit the state of its object. */
    public static final int STATE = -12;

    private static final int ARGUMENT = -1;
    private static final int BUSY = -3;

    private static ExceptionMaker maker; // set once, by the initializer of its class

    static { // as the JDK's SharedSecrets: the class registers its maker when it is initialized
        try {
            Class.forName("io.hayate.ErrorCode", true, Errors.class.getClassLoader());
        } catch (ClassNotFoundException incomplete) {
            throw new NoClassDefFoundError(incomplete.getMessage());
        }
    }

    private Errors() {
    }

    /** For the class that makes exceptions. */
    public static void setMaker(ExceptionMaker only) {
        maker = only;
    }

    /** The result of a native call, unless that is a code: then its exception is thrown. */
    public static long check(long result) {
        if (isCode(result)) {
            throw last(result);
        }
        return result;
    }

    /** As {@link #check(long)}. */
    public static int check(int result) {
        if (isCode(result)) {
            throw last(result);
        }
        return result;
    }

    /** The failure of a native call by its result; null: it has not failed. */
    static HayateException failure(long result) {
        return isCode(result) ? last(result) : null;
    }

    /** As {@link #failure}, but null, too, if there is no memory for it: keep the code. */
    public static HayateException failureIfRoom(long result) {
        try {
            return failure(result);
        } catch (OutOfMemoryError full) {
            return null;
        }
    }

    /** Further down are the {@link Outcome}s of what is complete. */
    private static boolean isCode(long result) {
        return result < 0 && result > Outcome.COMPLETE;
    }

    /** Both are read before anything else, which may have to load a class. */
    private static HayateException last(long code) {
        String reason = ErrorBinding.text();
        int peer = ErrorBinding.peer();
        return maker.make((int) code, reason, peer);
    }

    /** The exception of a code. */
    public static HayateException exception(int code, String reason, int peer) {
        return maker.make(code, reason, peer);
    }

    /** The exception of a reducer that threw. */
    public static CallbackException callback(Throwable thrown) {
        return maker.callback(thrown);
    }

    /** The exception of a failure of the system that Java reported. */
    public static SystemFailureException system(String reason, Throwable cause) {
        return maker.system(reason, cause);
    }

    /** An {@code ArgumentException}. */
    public static HayateException argument(String reason) {
        return maker.make(ARGUMENT, reason, -1);
    }

    /** A {@code ClosedException}. */
    public static HayateException closed(String what) {
        return maker.make(CLOSED, what + " is closed", -1);
    }

    /** A {@code BusyException}. */
    public static HayateException busy(String reason) {
        return maker.make(BUSY, reason, -1);
    }

    /** The first failure of several, in which the others are suppressed; null: there is none. */
    public static HayateException join(HayateException first, HayateException next) {
        if (first == null) {
            return next;
        }
        if (first != next) {
            first.addSuppressed(next);
        }
        return first;
    }

    public static <T> T required(T value, String name) {
        if (value == null) {
            throw argument(name + " is null");
        }
        return value;
    }
}
