// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.grid;

import io.hayate.InterruptedWaitException;
import io.hayate.TimedOutException;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.fmpl.FmplState;
import io.hayate.internal.job.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * The state of a halo exchange. With corners, its phases follow each other: what a later dimension
 * sends includes what the earlier ones have received.
 */
public final class HaloState {
    /** In place of a neighbour: all fit. */
    public static final int NOBODY = -1;

    private final HaloLayout layout;
    private final HaloLink[][] phases;
    private final AtomicBoolean inside = new AtomicBoolean();
    // Written by the thread that is inside.
    private boolean started;
    private int phase; // of the exchange in progress; its messages have begun
    private boolean closed;
    private Throwable failure; // a RuntimeException or an Error

    /**
     * Prepares the messages.
     *
     * @param peers two neighbours for each dimension, first the lower one; NONE: there is none
     * @param mai the first of two entries for each dimension, for messages to higher and to lower
     *     coordinates
     */
    public HaloState(FmplState fmpl, HaloLayout layout, int[] peers, int mai) {
        this.layout = layout;
        Memory block = layout.block();
        block.writable(fmpl.context().job(), 0, block.bytes);
        List<HaloLink> all = new ArrayList<>();
        List<HaloLink[]> each = new ArrayList<>();
        for (int d = 0; d < layout.dimensions(); d++) {
            List<HaloLink> links = new ArrayList<>();
            for (int side = 0; side <= 1; side++) {
                int up = mai + 2 * d;
                fmpl.request(0, up + side, true); // checks the entry, also without a neighbour
                if (peers[2 * d + side] != GridShape.NONE) {
                    links.add(link(fmpl, d, side == 1, peers[2 * d + side], up));
                }
            }
            all.addAll(links);
            each.add(links.toArray(new HaloLink[0]));
        }
        phases = layout.corners() ? each.toArray(new HaloLink[0][])
                : new HaloLink[][] {all.toArray(new HaloLink[0])};
        block.pin();
    }

    /** A message from the lower neighbour travels up, one to it travels down. */
    private HaloLink link(FmplState fmpl, int dimension, boolean high, int peer, int up) {
        int in = high ? up + 1 : up;
        int out = high ? up : up + 1;
        return new HaloLink(peer, fmpl.request(peer, in, false), fmpl.request(peer, out, true),
                layout.halo(dimension, high), layout.edge(dimension, high),
                layout.agreement(dimension));
    }

    /** Returns a neighbour whose block does not fit to this one, or NOBODY. */
    public int misfit() {
        List<HaloLink> links = Stream.of(phases).flatMap(Stream::of).toList();
        long[][] answers = new long[links.size()][layout.agreement(0).length];
        try {
            for (int i = 0; i < answers.length; i++) {
                links.get(i).receive(answers[i]);
            }
            links.forEach(HaloLink::sendAgreement);
            links.forEach(HaloLink::awaitAgreement);
        } catch (RuntimeException | Error e) {
            fail(e);
            throw e;
        }
        for (int i = 0; i < answers.length; i++) {
            if (!Arrays.equals(links.get(i).agreement, answers[i])) {
                return links.get(i).peer;
            }
        }
        return NOBODY;
    }

    public void start() {
        enter();
        try {
            if (started) {
                throw Errors.busy("the halo exchange was started and not awaited");
            }
            begin(0);
            started = true;
        } finally {
            leave();
        }
    }

    public void await() {
        enter();
        try {
            while (started) {
                await(phases[phase]);
                if (phase + 1 < phases.length) {
                    begin(phase + 1);
                } else {
                    started = false;
                }
            }
        } finally {
            leave();
        }
    }

    private void begin(int next) {
        try {
            for (HaloLink link : phases[next]) {
                link.receive();
            }
            for (HaloLink link : phases[next]) {
                link.send();
            }
            phase = next;
        } catch (RuntimeException | Error e) {
            fail(e);
            throw e;
        }
    }

    /** Messages that are complete stay so: a wait that a limit has ended can be repeated. */
    private void await(HaloLink[] links) {
        try {
            for (HaloLink link : links) {
                link.await();
            }
        } catch (TimedOutException | InterruptedWaitException over) {
            throw over;
        } catch (RuntimeException e) {
            fail(e);
            throw e;
        }
    }

    /** Gives up: other ranks cannot know which messages of this exchange still come. */
    private void fail(Throwable why) {
        failure = why;
        started = false;
        for (HaloLink[] links : phases) {
            for (HaloLink link : links) {
                link.cancel();
            }
        }
    }

    private void enter() {
        if (!inside.compareAndSet(false, true)) {
            throw Errors.busy("another thread is in a call of the halo exchange");
        }
        if (!closed && failure == null) {
            return;
        }
        leave();
        if (!closed && failure instanceof Error error) {
            throw error;
        }
        throw closed ? Errors.closed("the halo exchange") : (RuntimeException) failure;
    }

    private void leave() {
        inside.set(false);
    }

    /** Closes it; idempotent. */
    public void close() {
        if (!inside.compareAndSet(false, true)) {
            throw Errors.busy("another thread is in a call of the halo exchange");
        }
        try {
            if (started) {
                throw Errors.busy("the halo exchange was started and not awaited");
            }
            if (!closed) {
                closed = true;
                layout.block().unpin();
            }
        } finally {
            leave();
        }
    }

    @Override
    public String toString() {
        return "halo exchange of " + layout + (closed ? ", closed" : "");
    }
}
