// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.fmpl.Messages;
import io.hayate.internal.job.Deadline;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Receives from any source: messages with one mai from whichever rank has sent one. Created by
 * {@link Fmpl#anySource}.
 *
 * <p>It posts nothing, so nothing can be lost or must be cancelled: it looks where the next message
 * of each rank would arrive. A look costs a few nanoseconds for each rank of the job. It begins
 * behind the last source, so that every rank that has sent is served after at most one message of
 * each other rank; the source of a message that {@link #await()} has left is the last one, whoever
 * receives the message.
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
    private final Messages messages;
    private final int mai;
    private final AtomicBoolean inside = new AtomicBoolean();
    private int from; // where the next look begins, unless
    private int found = -1; // await() has left a message of this rank
    private volatile long received;

    AnySource(Messages messages, int mai) {
        this.messages = messages;
        this.mai = mai;
        messages.listen(mai);
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
            return take(span, messages.probeAny(mai, first(), deadline));
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
            int source = messages.probeAnyNow(mai, first());
            return source < 0 ? -1 : take(span, source);
        } finally {
            leave();
        }
    }

    /**
     * Waits until a message has come, and leaves it: the next {@link #recv(Span)} gets it, or a
     * receive from this rank, such as {@link Fmpl#recvBytes}. A further call begins behind this
     * rank. If another call has received the message, the next {@link #recv(Span)} gets one more of
     * this rank if it is there.
     *
     * @return the rank that sent it
     */
    public int await() {
        enter();
        try {
            found = pass(messages.probeAny(mai, from, messages.deadline()));
            return found;
        } finally {
            leave();
        }
    }

    /** Waits for a message that its caller receives: the next look begins behind its source. */
    int awaitAndPass() {
        enter();
        try {
            return pass(messages.probeAny(mai, from, messages.deadline()));
        } finally {
            leave();
        }
    }

    private int first() {
        return found >= 0 ? found : from;
    }

    private int pass(int source) {
        from = source + 1 == messages.ranks() ? 0 : source + 1;
        found = -1;
        return source;
    }

    /** A message that does not fit must not keep those of other ranks waiting. */
    private int take(Span span, int source) {
        pass(source);
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

    private void enter() {
        if (!inside.compareAndSet(false, true)) {
            throw Errors.busy("another thread is receiving from any source with mai " + mai);
        }
    }

    private void leave() {
        inside.set(false);
    }
}
