// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * The connections to a store whose other side has not proved yet that it knows the secret: no more
 * than 64, and none for longer than 10 s. One more replaces the oldest, but only when that has had
 * {@value #GRACE_MS} ms: when 1,000 ranks come at once, they wait for each other in the queue of
 * the kernel.
 */
final class Gate {
    private static final int STRANGERS = 64;
    private static final long GRACE_MS = 200;
    private static final long GRACE_NS = TimeUnit.MILLISECONDS.toNanos(GRACE_MS);
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(10);

    private final ServerSocketChannel listener;
    private final Selector selector;
    private final SelectionKey key;
    private final Deque<Guest> strangers = new ArrayDeque<>(); // the oldest first
    private int refused;
    private String lastRefused;

    Gate(ServerSocketChannel listener, Selector selector) throws IOException {
        this.listener = listener;
        this.selector = selector;
        key = listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    boolean isEmpty() {
        return strangers.isEmpty();
    }

    /** Drops who is too slow, and lets in who waits, as far as there is room. */
    void tend() {
        long now = System.nanoTime();
        while (!strangers.isEmpty() && now - strangers.element().since > LONGEST_NS) {
            dropOldest();
        }
        try {
            while (makeRoom(now)) {
                SocketChannel channel = listener.accept();
                if (channel == null) {
                    return;
                }
                admit(channel);
            }
        } catch (IOException e) {
            // no descriptors: as if there were no room
        }
        key.interestOps(0);
    }

    /** Returns whether one more may come; until then, the kernel keeps those who come. */
    private boolean makeRoom(long now) {
        if (strangers.size() >= STRANGERS && now - strangers.element().since > GRACE_NS) {
            dropOldest();
        }
        boolean room = strangers.size() < STRANGERS;
        key.interestOps(room ? SelectionKey.OP_ACCEPT : 0);
        return room;
    }

    private void admit(SocketChannel channel) throws IOException {
        Guest guest = new Guest();
        try {
            guest.link = new Link(channel, selector, guest);
        } catch (IOException e) {
            channel.close();
            return;
        }
        strangers.add(guest);
    }

    private void dropOldest() {
        strangers.remove().link.close();
    }

    void remove(Guest guest) {
        strangers.remove(guest);
    }

    /** Tells a stranger that it does not know the secret. */
    void refuse(Guest guest) throws IOException {
        refused++;
        lastRefused = guest.link.peer();
        guest.link.send(Greeting.create(Greeting.REFUSAL).encode());
    }

    /** Returns who was refused, for the text about those who are missing. */
    String refused() {
        return refused == 0 ? "" : " (" + refused + " connections knew another secret, the last one"
                + " from " + lastRefused + ")";
    }

    void close() {
        while (!strangers.isEmpty()) {
            dropOldest();
        }
    }
}
