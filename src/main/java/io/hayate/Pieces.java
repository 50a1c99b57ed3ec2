// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/**
 * The bytes of a value that moves in pieces, and how far it has come. So a call whose time limit is
 * over can leave it, and a later call continues with the next piece. A receiver without memory for
 * the value lets each piece overwrite the last one.
 */
final class Pieces {
    static final int PIECE = 1 << 18;

    private final IntFunction<byte[]> allocator;
    private byte[] sink; // for a piece of at most its length; null: there is none
    private int longest = PIECE; // of the pieces
    private int length; // of the value
    private int passed; // bytes that have moved
    private boolean started;
    private byte[] bytes; // of the value, or room for one piece; null: no room yet
    private ByteBuffer beginning; // what came before the pieces, until there is room
    private OutOfMemoryError full;

    /** Describes a value to send; null: nothing, or a value to receive. */
    Pieces(byte[] bytes, IntFunction<byte[]> allocator) {
        this.bytes = bytes;
        this.allocator = allocator;
        length = bytes == null ? 0 : bytes.length;
    }

    /** Starts to receive a value of a length, whose beginning has come. */
    void begin(int bytesOfValue, ByteBuffer come) {
        length = bytesOfValue;
        passed = come.remaining();
        beginning = come;
    }

    /** Starts to receive a value in pieces that a sink has room for, if there is no memory. */
    void begin(int bytesOfValue, byte[] room) {
        begin(bytesOfValue, ByteBuffer.wrap(room, 0, 0));
        sink = room;
    }

    /** Returns the longest piece for which there is room. */
    int room() {
        reserve();
        return full == null ? PIECE : bytes.length;
    }

    /** Sets the length of all pieces but the last. */
    void limit(int bytesOfPiece) {
        longest = bytesOfPiece;
    }

    boolean isComplete() {
        return passed == length;
    }

    /** Returns the next piece. If there is not even room for one, nothing has changed. */
    Span next() {
        reserve();
        return Span.of(bytes, full == null ? passed : 0, Math.min(longest, length - passed));
    }

    /** Bytes have moved. */
    void pass(int moved) {
        passed += moved;
        started = true;
    }

    /** Returns whether a message has moved, of a value of any length. */
    boolean isStarted() {
        return started;
    }

    /** Returns a value that has been received as a whole, or throws that it was discarded. */
    byte[] value() {
        reserve();
        if (full != null) {
            throw full;
        }
        return bytes;
    }

    private void reserve() {
        if (bytes != null) {
            return;
        }
        try {
            bytes = allocator.apply(length);
            beginning.get(bytes, 0, beginning.remaining());
        } catch (OutOfMemoryError e) {
            bytes = roomForAPiece();
            full = e;
        }
        beginning = null;
    }

    private byte[] roomForAPiece() {
        try {
            return allocator.apply(PIECE);
        } catch (OutOfMemoryError e) {
            if (sink == null) {
                throw e;
            }
            return sink;
        }
    }
}
