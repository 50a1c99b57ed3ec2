// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A TCP connection that carries frames, each behind its length, and never blocks. The first frame
 * of each side is a {@link Greeting}; later ones are sealed. Not for concurrent use.
 */
final class Link {
    /** The longest frame of a side that has not proved that it knows the secret. */
    static final int STRANGER = 250;
    /** The longest frame of one that has. */
    static final int FRAME = 8192;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuffer head = ByteBuffer.allocate(Integer.BYTES);
    private final Deque<ByteBuffer> unsent = new ArrayDeque<>();
    private ByteBuffer body; // null: the head has not come as a whole
    private int longest = STRANGER;
    private Seal in;
    private Seal out;

    /** Takes a channel, which is connected or connecting. */
    Link(SocketChannel channel, Selector selector, Object owner) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        key = channel.register(selector, channel.isConnected() ? SelectionKey.OP_READ
                : SelectionKey.OP_CONNECT, owner);
    }

    /** Returns whether a connecting channel is connected now. */
    boolean connected() throws IOException {
        if (!channel.finishConnect()) {
            return false;
        }
        key.interestOps(SelectionKey.OP_READ);
        return true;
    }

    /** From now on frames are sealed. */
    void secure(Seal in, Seal out) {
        this.in = in;
        this.out = out;
    }

    /** From now on frames of up to so many bytes are received. */
    void admit(int bytes) {
        longest = bytes;
    }

    /**
     * Returns the next frame as it was sent; null if it has not come as a whole.
     *
     * @throws EOFException if the other side has closed the connection
     * @throws BadFrameException if the frame is longer than admitted
     */
    byte[] receive() throws IOException {
        if (body == null) {
            if (!fill(head)) {
                return null;
            }
            int length = head.flip().getInt();
            if (length < 1 || length > longest) {
                throw new BadFrameException("a frame of " + Integer.toUnsignedString(length)
                        + " bytes: expected 1 to " + longest);
            }
            body = ByteBuffer.allocate(length);
        }
        if (!fill(body)) {
            return null;
        }
        byte[] frame = body.array();
        body = null;
        head.clear();
        return frame;
    }

    private boolean fill(ByteBuffer part) throws IOException {
        while (part.hasRemaining()) {
            int count = channel.read(part);
            if (count < 0) {
                throw new EOFException("the connection was closed");
            }
            if (count == 0) {
                return false;
            }
        }
        return true;
    }

    /** Opens the next frame. */
    byte[] open(byte[] frame) throws BadFrameException {
        return in.open(frame);
    }

    void sendSealed(byte[] plain) throws IOException {
        send(ByteBuffer.wrap(out.seal(plain)));
    }

    /** Sends a frame as it is, at once or when there is room for it. */
    void send(ByteBuffer frame) throws IOException {
        unsent.add(ByteBuffer.allocate(Integer.BYTES).putInt(frame.remaining()).flip());
        unsent.add(frame);
        flush();
    }

    /** Sends what there is room for. */
    void flush() throws IOException {
        if (isFlushed()) {
            return;
        }
        while (!unsent.isEmpty()) {
            channel.write(unsent.element());
            if (unsent.element().hasRemaining()) {
                break;
            }
            unsent.remove();
        }
        key.interestOps(isFlushed() ? SelectionKey.OP_READ
                : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
    }

    boolean isFlushed() {
        return unsent.isEmpty();
    }

    /** Returns the address of the other side. */
    String peer() {
        try {
            return String.valueOf(channel.getRemoteAddress()).replaceFirst("^.*/", "");
        } catch (IOException e) {
            return "a closed connection";
        }
    }

    void close() {
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            // nothing is lost: what matters was confirmed before
        }
    }
}
