// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.fmpl.Mais;
import io.hayate.internal.fmpl.Messages;
import io.hayate.internal.job.Deadline;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Receives from any source: messages with one of some mais from whichever rank has sent one.
 * Created by {@link Fmpl#anySource}.
 *
 * <p>It posts nothing, so nothing can be lost or must be cancelled: it looks where the next message
 * of each rank would arrive. This takes a few nanoseconds for each pair of a rank and a mai.
 * Senders take turns: each look begins with the pair after the last one, so a message waits for at
 * most one message of each other pair. Messages of one pair keep their order. A pair that
 * {@link #await()} has returned counts as the last one, even if another call receives the message.
 *
 * <p>Any thread may use it, one at a time: a call of a second thread throws {@link BusyException}.
 * Its messages may also be received by {@link Fmpl#recv(Span, int, int)}, but by the same thread
 * only: another thread could take a message between look and receive. It sees what
 * {@link Fmpl#probe} sees, also from senders with a send buffer.
 *
 * <p>All methods may throw {@link PeerFailedException} if no message is there, and a rank has died,
 * or all other ranks have left. Ranks that have left are no failure while another one can send. An
 * interrupt ends a wait with {@link InterruptedWaitException}.
 */
public final class AnySource {
    private static final int MOST_MAIS = 64;

    private final Messages messages;
    private final Mais mais;
    private final AtomicBoolean inside = new AtomicBoolean();
    private int from; // the place where the next look begins, unless
    private int found = -1; // await() has left a message at this place
    private volatile int mai;
    private volatile long received;

    AnySource(Messages messages, int[] mais) {
        this.messages = messages;
        int count = Errors.required(mais, "mais").length;
        if (count < 1 || count > MOST_MAIS) {
            throw Errors.argument(count + " mais: expected 1 to " + MOST_MAIS);
        }
        this.mais = messages.listen(mais);
        mai = this.mais.get(0);
    }

    /**
     * Receives the next message. Waits until one has come.
     *
     * @param span the memory for the message
     * @return the rank that sent it; {@link #received()} is its length
     * @throws TruncationException if the message is longer than the span; it stays, and
     *     {@link TruncationException#peer()} and {@link TruncationException#bytes()} tell about it
     */
    public int recv(Span span) {
        return recv(span, messages.deadline());
    }

    /**
     * Receives the next message, and waits for it at most for the limit.
     *
     * @param span the memory for the message
     * @param limit the longest time to wait
     * @return the rank that sent it; {@link #received()} is its length
     * @throws TimedOutException if no message has come within the limit
     * @throws TruncationException as above
     */
    public int recv(Span span, Duration limit) {
        return recv(span, Deadline.after(limit));
    }

    private int recv(Span span, Deadline deadline) {
        Span.memory(span);
        enter();
        try {
            return take(span, messages.probeAny(mais, first(), deadline));
        } finally {
            leave();
        }
    }

    /**
     * Receives a message if one has come. Does not wait for one.
     *
     * @param span the memory for the message
     * @return the rank that sent it; -1 if no message has come
     * @throws TruncationException as above
     */
    public int poll(Span span) {
        Span.memory(span);
        enter();
        try {
            int place = messages.probeAnyNow(mais, first());
            return place < 0 ? -1 : take(span, place);
        } finally {
            leave();
        }
    }

    /**
     * Waits until a message has come, and does not receive it. The next {@link #recv(Span)} looks
     * at its sender first; a receive from that rank, such as {@link Fmpl#recvBytes}, gets it, too.
     * A second {@code await()} looks at that rank last.
     *
     * @return the rank that sent it
     */
    public int await() {
        enter();
        try {
            int place = messages.probeAny(mais, from, messages.deadline());
            int source = pass(place);
            found = place;
            return source;
        } finally {
            leave();
        }
    }

    /** Waits for a message that its caller receives: the next look begins behind its source. */
    int awaitAndPass() {
        enter();
        try {
            return pass(messages.probeAny(mais, from, messages.deadline()));
        } finally {
            leave();
        }
    }

    private int first() {
        return found >= 0 ? found : from;
    }

    /** The next look begins behind the place; returns its source. */
    private int pass(int place) {
        from = place + 1 == mais.count() * messages.ranks() ? 0 : place + 1;
        found = -1;
        mai = mais.get(place / messages.ranks());
        return place % messages.ranks();
    }

    /** A message that does not fit must not keep those of other ranks waiting. */
    private int take(Span span, int place) {
        int source = pass(place);
        received = messages.receive(Span.memory(span), 0, Span.memory(span).bytes, source, mai);
        return source;
    }

    /**
     * Returns the length of the message that was received last.
     *
     * @return bytes; 0 before the first message
     */
    public long received() {
        return received;
    }

    /**
     * Returns the mai of the message that was received last, or that {@link #await()} has found
     * since.
     *
     * @return one of the mais; the first one before the first message
     */
    public int mai() {
        return mai;
    }

    private void enter() {
        if (!inside.compareAndSet(false, true)) {
            throw Errors.busy("another thread is receiving from any source with " + mais);
        }
    }

    private void leave() {
        inside.setRelease(false);
    }
}
