// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import io.hayate.internal.errors.Errors;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The store of one job: a thread in the process of rank 0, of which rank 0 is a client like the
 * others. It ends when all ranks have both results, or have been told why there are none. It
 * listens no longer than that, so that the next job can use the port at once.
 *
 * <p>One thread serves all connections and never blocks on one: a rank that is stopped delays
 * nobody who does not need its record.
 */
final class StoreServer implements Runnable {
    private static final int BACKLOG = 4096; // 1,000 ranks come at once
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(1);
    /** How long the ranks may take to receive what was sent last. */
    private static final long END_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long TICK_MS = 100;
    private static final long CALM_MS = 1000;

    private final Selector selector;
    private final ServerSocketChannel listener;
    private final Gate gate;
    private final Roll roll;
    private final byte[] secret;
    private final List<Guest> present = new ArrayList<>(); // those with a hello
    private volatile String stopped; // why rank 0 wants no store any more; null: it does
    private volatile Failure failure; // why the job has failed; null: it has not
    private long told = System.nanoTime(); // when all were told to wait
    private long ended; // of System.nanoTime()
    private boolean over; // complete, or failed

    private StoreServer(InetSocketAddress address, Hello first, byte[] secret) throws IOException {
        this.secret = secret;
        roll = new Roll(first);
        selector = Selector.open();
        ServerSocketChannel opened = null;
        try {
            opened = ServerSocketChannel.open();
            opened.bind(address, BACKLOG);
            opened.configureBlocking(false);
            gate = new Gate(opened, selector);
        } catch (IOException | RuntimeException | Error e) {
            if (opened != null) {
                opened.close();
            }
            selector.close();
            throw e;
        }
        listener = opened;
    }

    /**
     * Binds an address and begins to serve.
     *
     * @param first rank 0
     * @throws IOException if the address cannot be bound
     */
    static StoreServer start(InetSocketAddress address, Hello first, byte[] secret)
            throws IOException {
        StoreServer server = new StoreServer(address, first, secret);
        Thread thread = new Thread(server, "hayate-store");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError e) {
            server.closeAll();
            throw Errors.system("the thread of the store could not be started (" + e.getMessage()
                    + "): raise the limit of threads (ulimit -u, pids.max of the container)", e);
        }
        return server;
    }

    /** Returns the address that it is bound to. */
    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listener.getLocalAddress();
    }

    /** Returns why the job has failed; null: it has not. May be called by any thread. */
    Failure failure() {
        return failure;
    }

    /** Ends the store, unless all ranks have given all; may be called by any thread. */
    void stop(String why) {
        stopped = why;
        selector.wakeup();
    }

    @Override
    public void run() {
        try {
            while (!isOver()) {
                selector.select(gate.isEmpty() && !over ? CALM_MS : TICK_MS);
                turn();
            }
        } catch (IOException | RuntimeException | Error e) {
            fail(0, "the store of rank 0 failed: " + e);
        } finally {
            closeAll();
        }
    }

    private boolean isOver() {
        return over && (present.isEmpty() || System.nanoTime() - ended > END_NS);
    }

    private void turn() throws IOException {
        for (SelectionKey key : selector.selectedKeys()) {
            if (key.attachment() instanceof Guest guest && key.isValid()) {
                serve(guest);
            }
        }
        selector.selectedKeys().clear();
        if (stopped != null) {
            fail(0, stopped);
        }
        if (!over) {
            gate.tend();
            tellAll();
        }
    }

    /** Whatever a guest sends, it cannot harm others but by ending the job that it is in. */
    private void serve(Guest guest) {
        try {
            guest.link.flush();
            byte[] frame = guest.link.receive();
            while (frame != null) {
                take(guest, frame);
                frame = guest.link.receive();
            }
        } catch (BadFrameException | RuntimeException e) { // of a library that was not prepared
            lose(guest, " sent what no rank sends (" + e.getMessage() + ")");
        } catch (IOException e) {
            lose(guest, " ended, or its connection was lost");
        }
    }

    private void lose(Guest guest, String how) {
        guest.link.close();
        gate.remove(guest);
        if (present.remove(guest) && !guest.isForeign) {
            fail(guest.hello.rank(), guest.hello + how + " before all ranks had joined the job");
        }
    }

    private void take(Guest guest, byte[] frame) throws IOException {
        if (guest.greeting == null) {
            guest.greet(frame, secret);
        } else if (guest.hello == null) {
            enter(guest, frame);
        } else if (!over && !guest.isForeign) {
            hear(guest, guest.link.open(frame));
        }
    }

    /** Receives the first sealed frame. Whoever does not know the secret learns just that. */
    private void enter(Guest guest, byte[] frame) throws IOException {
        try {
            byte[] plain = guest.link.open(frame);
            if (Frame.kind(plain) != Frame.HELLO) {
                throw new BadFrameException("another frame than a hello");
            }
            guest.hello = Frame.read(plain, Hello::decode);
        } catch (BadFrameException e) {
            gate.refuse(guest);
            throw e;
        }
        gate.remove(guest);
        present.add(guest);
        guest.link.admit(Link.FRAME);
        guest.isForeign = roll.isForeign(guest.hello);
        if (guest.isForeign) {
            tell(guest, new Failure(-1, "the store belongs to the job \"" + roll.job()
                    + "\", not to \"" + guest.hello.job() + "\": give each job a port of its own"));
            return;
        }
        String fault = roll.enter(guest.hello);
        if (fault == null) {
            tell(guest);
        } else {
            fail(guest.hello.rank(), fault);
        }
    }

    private void hear(Guest guest, byte[] plain) throws IOException {
        switch (Frame.kind(plain)) {
            case GIVE -> {
                if (guest.give(roll, plain)) {
                    giveAll();
                }
            }
            case FAIL -> fail(guest.hello.rank(),
                    guest.hello + ": " + Frame.read(plain, Failure::decode).why());
            default -> throw new BadFrameException("a frame that only a store sends");
        }
    }

    private void tellAll() {
        if (System.nanoTime() - told < WAIT_NS) {
            return;
        }
        told = System.nanoTime();
        for (Guest guest : List.copyOf(present)) {
            if (guest.link.isFlushed()) {
                attempt(guest, () -> tell(guest));
            }
        }
    }

    private void tell(Guest guest) throws IOException {
        guest.link.sendSealed(Frame.WAIT.with(2 * Integer.BYTES + Short.BYTES + Frame.TEXT, out -> {
            out.putInt(roll.round()).putInt(roll.firstMissing());
            Frame.putText(out, roll.missing() + gate.refused(), Frame.TEXT);
        }));
    }

    private static void tell(Guest guest, Failure why) throws IOException {
        guest.link.sendSealed(why.encode());
    }

    /** Encrypts the records once, and sends the key to each rank. */
    private void giveAll() throws IOException {
        int round = roll.round();
        byte[] key = new byte[Seal.KEY];
        new SecureRandom().nextBytes(key);
        byte[] all = new Seal(key).seal(roll.take());
        if (roll.isComplete()) {
            end();
        }
        for (Guest guest : inOrder()) {
            attempt(guest, () -> {
                guest.link.sendSealed(Frame.ALL.with(2 * Integer.BYTES + Seal.KEY,
                        out -> out.putInt(round).put(key).putInt(all.length)));
                guest.link.send(ByteBuffer.wrap(all));
            });
        }
    }

    /** Ends the job for all who are present; the first reason counts. */
    private void fail(int rank, String why) {
        if (over) {
            return;
        }
        failure = new Failure(rank, why);
        try {
            end();
        } catch (IOException e) {
            // those who are present are told all the same
        }
        for (Guest guest : inOrder()) {
            attempt(guest, () -> tell(guest, failure));
        }
    }

    /** Before anybody can know that it is over, the port is free. */
    private void end() throws IOException {
        over = true;
        ended = System.nanoTime();
        gate.close();
        listener.close();
        selector.selectNow();
    }

    /** Rank 0 comes last: its process may end at once. */
    private List<Guest> inOrder() {
        List<Guest> guests = new ArrayList<>(present);
        guests.sort((a, b) -> Integer.compare(b.hello.rank(), a.hello.rank()));
        return guests;
    }

    private void attempt(Guest guest, Guest.Sending sending) {
        try {
            sending.send();
        } catch (IOException e) {
            lose(guest, " ended, or its connection was lost");
        }
    }

    private void closeAll() {
        try {
            gate.close();
            present.forEach(guest -> guest.link.close());
            listener.close();
            selector.close();
        } catch (IOException e) {
            // nobody waits for it any more
        }
    }
}
