// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.ErrorDoor;
import io.hayate.internal.Outcome;

/**
 * Turns codes into exceptions.
 *
 * <p>The C side keeps the reason of a failure for the thread of the system on which it happened,
 * which of a virtual thread is its carrier. Whatever may block, a contended monitor or map as well,
 * may move the virtual thread to another carrier, where the last failure was another one. So the
 * native call itself is the argument of {@link #check} or {@link #failure}, and nothing stands
 * between: nobody else asks for the reason. scripts/check-style.sh looks at that.
 */
final class Errors {
    private Errors() {
    }

    /** The result of a native call, unless that is a code: then its exception is thrown. */
    static long check(long result) {
        if (isCode(result)) {
            throw last(result);
        }
        return result;
    }

    /** As {@link #check(long)}. */
    static int check(int result) {
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
    static HayateException failureIfRoom(long result) {
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
        String reason = ErrorDoor.text();
        int peer = ErrorDoor.peer();
        return ErrorCode.exception((int) code, reason, peer);
    }

    static ArgumentException argument(String reason) {
        return new ArgumentException(reason, -1);
    }

    static ClosedException closed(String what) {
        return new ClosedException(what + " is closed", -1);
    }

    static BusyException busy(String reason) {
        return new BusyException(reason, -1);
    }

    static <T> T required(T value, String name) {
        if (value == null) {
            throw argument(name + " is null");
        }
        return value;
    }
}
