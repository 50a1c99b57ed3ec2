// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.ErrorDoor;

/** Turns codes into exceptions, with the reason that the C side left for this thread. */
final class Errors {
    private Errors() {
    }

    static long check(long result) {
        if (result < 0) {
            throw last(result);
        }
        return result;
    }

    static int check(int result) {
        if (result < 0) {
            throw last(result);
        }
        return result;
    }

    /** To be called right after the native call, on its thread. */
    static HayateException last(long code) {
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
