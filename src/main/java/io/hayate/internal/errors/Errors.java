// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.errors;

import io.hayate.CallbackException;
import io.hayate.HayateException;
import io.hayate.LaunchException;
import io.hayate.SystemFailureException;
import java.util.function.BooleanSupplier;


/**
 * Turns codes into exceptions.
 *
 * <p>The C side keeps the reason of a failure for the operating-system thread on which it happened,
 * which is the carrier of a virtual thread. Everything that may block, including a contended
 * monitor or map, may move the virtual thread to another carrier, whose last failure is a different
 * one. The native call must therefore be the argument of {@link #check} or {@link #failure}, and no
 * other code may ask for the reason. scripts/check-layers.sh checks this.
 */
public final class Errors {
    /** The code of a closed object. */
    public static final int CLOSED = -4;
    /** The code of a cancelled operation. */
    public static final int CANCELLED = -11;
    /** The code of a call that the state of its object does not allow. */
    public static final int STATE = -12;
    /** The code of a wait whose time limit is over. */
    public static final int TIMED_OUT = -15;
    /** The code of a wait whose thread was interrupted. */
    public static final int INTERRUPTED = -16;
    /** The code of a communicator on which a collective was given up. */
    public static final int BROKEN = -17;

    private static final int NO_MEMORY = -6;
    private static final int LAUNCH = -8;
    private static final int CALLBACK = -14;
    private static final int ARGUMENT = -1;
    private static final int BUSY = -3;
    private static final int TRUNCATE = -2;

    private static ExceptionMaker maker; // set once, by the initializer of its class

    static { // like SharedSecrets of the JDK: the class registers its maker when it is initialized
        try {
            Class.forName("io.hayate.ErrorCode", true, Errors.class.getClassLoader());
        } catch (ClassNotFoundException incomplete) {
            throw new NoClassDefFoundError(incomplete.getMessage());
        }
    }

    private Errors() {
    }

    /** Called by the class that creates exceptions. */
    public static void setMaker(ExceptionMaker only) {
        maker = only;
    }

    /** Returns the result of a native call, or throws the exception if it is an error code. */
    public static long check(long result) {
        if (isCode(result)) {
            throw last(result);
        }
        return result;
    }

    /** Does the same as {@link #check(long)}. */
    public static int check(int result) {
        if (isCode(result)) {
            throw last(result);
        }
        return result;
    }

    /**
     * Returns the exception for the result of a native call, or null if the call has not failed.
     */
    static HayateException failure(long result) {
        return isCode(result) ? last(result) : null;
    }

    /**
     * Like {@link #failure}, but also returns null if there is no memory for the exception: keep
     * the code.
     */
    public static HayateException failureIfRoom(long result) {
        try {
            return failure(result);
        } catch (OutOfMemoryError full) {
            return null;
        }
    }

    /** Lower values are {@link Outcome}s of complete operations. */
    private static boolean isCode(long result) {
        return result < 0 && result > Outcome.COMPLETE;
    }

    /** Reads reason and peer before anything else, which may have to load a class. */
    private static HayateException last(long code) {
        String reason = ErrorBinding.text();
        int peer = ErrorBinding.peer();
        if (code == TRUNCATE) {
            return maker.truncation(reason, peer, ErrorBinding.length());
        }
        return maker.make((int) code, reason, peer);
    }

    /**
     * Returns whether a collective that failed with this code may have begun, so that other ranks
     * may still access its memory: one of them has given up, passes other arguments, or has died
     * while the others are alive. Not so if it was refused (ARGUMENT, BUSY), if it was complete
     * (CALLBACK), or if what holds the memory is closed.
     *
     * @param isBroken tells whether C says that a collective had begun and failed; asked only after
     *     NO_MEMORY, which can refuse a collective as well as end it
     */
    public static boolean leavesPeersInside(int code, BooleanSupplier isBroken) {
        return code == NO_MEMORY ? isBroken.getAsBoolean()
                : code < 0 && code != ARGUMENT && code != BUSY && code != CALLBACK
                && code != CLOSED;
    }

    /** Creates the exception of a code. */
    public static HayateException exception(int code, String reason, int peer) {
        return maker.make(code, reason, peer);
    }

    /** Creates the exception for a reducer that threw. */
    public static CallbackException callback(Throwable thrown) {
        return maker.callback(thrown);
    }

    /** Creates the exception for a job that something of the program keeps from being joined. */
    public static LaunchException launch(String reason, Throwable cause) {
        return maker.launch(reason, cause);
    }

    /** Creates the exception for a system failure that Java reported. */
    public static SystemFailureException system(String reason, Throwable cause) {
        return maker.system(reason, cause);
    }

    /** Creates an {@code ArgumentException}. */
    public static HayateException argument(String reason) {
        return maker.make(ARGUMENT, reason, -1);
    }

    /** Creates a {@code LaunchException} about a rank, or -1. */
    public static HayateException launch(String reason, int peer) {
        return maker.make(LAUNCH, reason, peer);
    }

    /** Creates a {@code ClosedException}. */
    public static HayateException closed(String what) {
        return maker.make(CLOSED, what + " is closed", -1);
    }

    /** Creates a {@code BusyException}. */
    public static HayateException busy(String reason) {
        return maker.make(BUSY, reason, -1);
    }

    /**
     * Returns the first of several failures, in which the others are suppressed as far as there is
     * memory; null: there is none.
     */
    public static <T extends Throwable> T join(T first, T next) {
        if (first == null) {
            return next;
        }
        if (first != next) {
            try {
                first.addSuppressed(next);
            } catch (OutOfMemoryError full) {
                // the first one matters more
            }
        }
        return first;
    }

    /** Throws an unchecked failure; null: there is none. */
    public static void rethrow(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
    }

    public static <T> T required(T value, String name) {
        if (value == null) {
            throw argument(name + " is null");
        }
        return value;
    }
}
