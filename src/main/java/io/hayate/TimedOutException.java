// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * The time limit of a wait is over. No message is lost: a blocking receive was withdrawn, and the
 * next receive gets the message; a {@link Request} or {@link PersistentOperation} is still in
 * progress and can be awaited again; a blocking send continues as the request of its (dst, mai),
 * except from a memory segment, where the call goes on until the message is taken. A blocking
 * collective was given up, and its {@link Communicator} is broken.
 */
public final class TimedOutException extends HayateException {
    private static final long serialVersionUID = 1L;

    TimedOutException(String reason, int peer) {
        super(-15, reason, peer, null);
    }
}
