// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** The message is longer than the buffer of the receive. It stays, and a larger receive gets it. */
public final class TruncationException extends HayateException {
    private static final long serialVersionUID = 1L;

    /** The length of the message. */
    private final long bytes;

    TruncationException(String reason, int peer, long bytes) {
        super(-2, reason, peer, null);
        this.bytes = bytes;
    }

    /**
     * Returns the length of the message.
     *
     * @return bytes; a receive of at least this size gets the message
     */
    public long bytes() {
        return bytes;
    }
}
