// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import io.hayate.HayateException;
import io.hayate.internal.errors.Errors;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/** The connection of a rank to the store: one attempt. For the thread that joins the job. */
final class StoreCaller {
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long TURN_MS = 1000;

    private final InetSocketAddress address;
    private final Patience patience;
    private final Selector selector;
    private Link link;

    /** Awaits something. */
    @FunctionalInterface
    private interface Step<T> {
        /** Returns it, or null: it has not come. */
        T look() throws IOException;
    }

    private StoreCaller(InetSocketAddress address, Patience patience) throws IOException {
        this.address = address;
        this.patience = patience;
        selector = Selector.open();
    }

    /**
     * Connects to a store and says hello.
     *
     * @return the connection, on which the store has answered or will
     * @throws IOException if there is no store yet, or none that has time
     * @throws HayateException if something else is there
     */
    static StoreCaller call(InetSocketAddress address, byte[] secret, Hello hello,
            Patience patience) throws IOException, InterruptedException {
        StoreCaller caller = new StoreCaller(address, patience);
        try {
            caller.connect();
            caller.greet(secret);
            caller.link.sendSealed(hello.encode());
            caller.link.admit(Link.FRAME);
            return caller;
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            caller.close();
            throw e;
        }
    }

    private void connect() throws IOException, InterruptedException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.connect(address);
            link = new Link(channel, selector, null);
        } finally {
            if (link == null) {
                channel.close();
            }
        }
        await("was reached", ANSWER_NS, () -> link.connected() ? link : null);
    }

    private void greet(byte[] secret) throws IOException, InterruptedException {
        Greeting mine = Greeting.create(Greeting.RANK);
        link.send(mine.encode());
        Greeting store;
        try {
            store = Greeting.decode(await("answered", ANSWER_NS, link::receive));
        } catch (BadFrameException e) {
            store = null;
        }
        if (store == null || store.kind() != Greeting.STORE) {
            throw Errors.launch("the program that listens at " + name(address) + " is no store of"
                    + " Hayate: is the port that of another service?", -1);
        }
        if (store.format() != Greeting.FORMAT) {
            throw Errors.launch("the store at " + name(address) + " is of another version of Hayate"
                    + " (format " + store.format() + ", expected " + Greeting.FORMAT
                    + "): all ranks need the same version", 0);
        }
        Greeting.secure(link, mine, store, secret, false);
    }

    /**
     * Returns the next frame of the store.
     *
     * @throws SocketTimeoutException if the time is over
     * @throws HayateException if the store does not know the secret
     */
    byte[] next() throws IOException, InterruptedException {
        byte[] frame = await("answered", Long.MAX_VALUE, link::receive);
        Greeting refusal = Greeting.decode(frame);
        if (refusal != null && refusal.kind() == Greeting.REFUSAL) {
            throw Errors.launch("the store at " + name(address) + " has another secret: copy the"
                    + " same file to all nodes (HAYATE_STORE_SECRET)", 0);
        }
        return link.open(frame);
    }

    /** Returns the frame that follows an ALL, opened. */
    byte[] all(int length, byte[] key) throws IOException, InterruptedException {
        link.admit(length);
        byte[] frame = await("sent the records", Long.MAX_VALUE, link::receive);
        link.admit(Link.FRAME);
        return new Seal(key).open(frame);
    }

    void send(byte[] plain) throws IOException {
        link.sendSealed(plain);
    }

    private <T> T await(String what, long limit, Step<T> step)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        for (T result = step.look();; result = step.look()) {
            if (result != null) {
                return result;
            }
            long left = Math.min(patience.left(), limit - (System.nanoTime() - start));
            if (left <= 0) {
                throw new SocketTimeoutException("no store has " + what + " in time");
            }
            selector.select(Math.min(TURN_MS, TimeUnit.NANOSECONDS.toMillis(left) + 1));
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            selector.selectedKeys().clear();
            link.flush();
            patience.look();
        }
    }

    static String name(InetSocketAddress address) {
        return address.toString().replaceFirst("^.*/", "");
    }

    void close() {
        if (link != null) {
            link.close();
        }
        try {
            selector.close();
        } catch (IOException e) {
            // the connection is closed
        }
    }
}
