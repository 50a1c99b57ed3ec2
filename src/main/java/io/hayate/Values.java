// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/**
 * Messages and collectives of values of any length, such as strings and objects, by a
 * {@link Codec}. They are meant for set-up, control and tasks: each call allocates, and copies the
 * value a few times. Data of the inner loop belong into {@link Span}s.
 *
 * <!-- java: Hayate job; Fmpl fmpl; -->
 * <pre>{@code
 * Values<String> names = Values.of(fmpl, 0, Codec.strings());       // mai 0
 * if (job.rank() == 0) {
 *     System.out.println(names.recv(1));
 * } else if (job.rank() == 1) {
 *     names.send("rank 1", 0);
 * }
 * List<String> all = names.allgather("rank " + job.rank());
 * }</pre>
 *
 * <p>A value has at most 2<sup>31</sup> - 9 bytes. Up to {@value #SHORT} bytes are one message, and
 * a send does not wait for the receiver while the entry has room. A longer value follows in pieces.
 * The entry (mai) belongs to this object: it must not be used for other messages.
 *
 * <p><strong>Threads.</strong> Any thread may call. A rank sends one value at a time to another
 * rank, and receives one at a time from it; a second thread gets {@link BusyException}. The
 * collectives ({@code bcast}, {@code allgather}) are those of {@link Fmpl#world()}.
 *
 * <p><strong>Time limits and interrupts.</strong> A value arrives as it was sent, and in its order,
 * whatever ends a call. If the limit of the {@link Fmpl} or an interrupt ends a receive, the next
 * receive from this rank, also {@link #recvAny()}, continues with the same value. If it ends a
 * send, the value stays on its way: do not send it again. The next send to this rank, or
 * {@link #flush}, first sends the rest. If a limit or an interrupt ends this, too, the send throws
 * {@link BusyException} and has not sent its own value. Until the rest is sent, the receiver of a
 * long value may wait for it, also beyond its own limit if a part is arriving; this wait ends if
 * the sender leaves the job. A collective that is given up breaks its communicator.
 *
 * <p><strong>Errors.</strong> If a codec throws, the call throws {@link CallbackException} with
 * this cause. A value that cannot be encoded is not sent; in a collective, all ranks learn this and
 * nobody waits. A value that cannot be decoded has been received as a whole: the next receive gets
 * the next value. If there is no memory for a value, it is received and discarded before the
 * {@link OutOfMemoryError}. Every call may throw {@link ArgumentException} (a value is null, a rank
 * is out of range), {@link MismatchException} (what has arrived is not a value),
 * {@link PeerFailedException} and {@link ClosedException}.
 *
 * @param <T> the type of the values
 */
public final class Values<T> {
    /** The longest value that is one message, in bytes; it fits into an eager message. */
    public static final int SHORT = 4088;

    private static final int HEADER = 2 * Integer.BYTES;
    private static final int MAGIC = 0x48795631;
    /** In place of a length: the value could not be encoded. */
    private static final int FAILED = -1;
    /** In place of 2 * rank + 1, of whatever int is passed: receives from any rank. */
    private static final long ANY = Long.MIN_VALUE;
    private static final long GATHER = ANY + 1;

    /** Allocates for values; tests replace it. */
    IntFunction<byte[]> allocator = byte[]::new;

    private final Fmpl fmpl;
    private final int mai;
    private final Codec<T> codec;
    private final int rank;
    private final int size;
    /** The directions in use: 2 * rank for sends, 2 * rank + 1 for receives. */
    private final Set<Long> used = ConcurrentHashMap.newKeySet();
    /** By receiver: values that are not sent as a whole. */
    private final Map<Integer, Pieces> unsent = new ConcurrentHashMap<>();
    /** By sender: values whose rest has not come. */
    private final Map<Integer, Pieces> begun = new ConcurrentHashMap<>();
    private AnySource sources; // from the first recvAny on
    /** What has come for an incomplete gather to this rank, by rank; null: there is none. */
    private List<T> gathered;
    private Throwable gatherFailure; // of one of them, in place of which is null

    /**
     * A value and the rank that sent it, from {@link #recvAny}.
     *
     * @param <T> the type of the value
     * @param src the sender's rank
     * @param value the value
     */
    public record Received<T>(int src, T value) { }

    private Values(Fmpl fmpl, int mai, Codec<T> codec) {
        this.fmpl = fmpl;
        this.mai = mai;
        this.codec = codec;
        rank = fmpl.world().rank();
        size = fmpl.world().size();
    }

    /**
     * Describes values that are sent under a mai. Local; all ranks use the same mai and codec.
     *
     * @param <T> the type of the values
     * @param fmpl the FMPL that sends them
     * @param mai the entry, 0 to count - 1
     * @param codec how they are encoded
     * @return the values; there is nothing to close
     * @throws ArgumentException if an argument is null, or mai is out of range
     */
    public static <T> Values<T> of(Fmpl fmpl, int mai, Codec<T> codec) {
        Errors.required(fmpl, "fmpl").world().fmpl.request(0, mai, true); // checks the mai
        return new Values<>(fmpl, mai, Errors.required(codec, "codec"));
    }

    // ---- messages ----

    /**
     * Sends a value. If it is long, the call waits for the receiver.
     *
     * @param value the value
     * @param dst the receiver's rank
     * @throws CallbackException if the codec cannot encode it; nothing is sent
     * @throws TimedOutException if the limit is over; the value is on its way
     * @throws InterruptedWaitException likewise, if the thread was interrupted
     * @throws BusyException if an earlier value is still on its way to this rank, or another thread
     *     sends one; this value is not sent
     */
    public void send(T value, int dst) {
        post(encode(value), dst);
    }

    /** Sends bytes; null: they could not be encoded. */
    private void post(byte[] bytes, int dst) {
        int length = bytes == null ? FAILED : bytes.length;
        int together = Math.min(Math.max(length, 0), SHORT);
        ByteBuffer first = ByteBuffer.allocate(HEADER + together).order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC).putInt(length);
        if (together > 0) {
            first.put(bytes, 0, together);
        }
        Pieces value = new Pieces(bytes, allocator);
        long direction = enter(2L * dst, "sends to rank " + dst);
        try {
            completeBefore(dst);
            unsent.put(dst, value);
            try {
                hand(Span.of(first.array()), together, value, dst);
            } finally {
                if (!value.isStarted()) {
                    unsent.remove(dst);
                }
            }
            push(value, dst);
        } finally {
            used.remove(direction);
        }
    }

    private void push(Pieces value, int dst) {
        while (!value.isComplete()) {
            Span piece = value.next();
            hand(piece, (int) piece.bytes(), value, dst);
        }
        unsent.remove(dst);
    }

    /** Sends one message, which carries bytes of a value. After a limit it continues. */
    private void hand(Span message, int carried, Pieces value, int dst) {
        try {
            fmpl.send(message, dst, mai);
        } catch (TimedOutException | InterruptedWaitException over) {
            value.pass(carried);
            throw Errors.exception(over.code(), (over instanceof TimedOutException
                    ? "the time limit of the send is over" : "the thread was interrupted")
                    + ": the value for rank " + dst + " with mai " + mai + " is on its way; its"
                    + " rest follows in the next send to this rank, or in flush(" + dst + ")", dst);
        }
        value.pass(carried);
    }

    /**
     * Completes the sends to a rank that a time limit or an interrupt has ended; returns at once if
     * there is none. The next send to this rank does the same before it sends its own value.
     *
     * @param dst the receiver's rank
     * @throws TimedOutException if the limit is over before the receiver has taken the value, which
     *     stays on its way
     * @throws InterruptedWaitException likewise, if the thread was interrupted
     */
    public void flush(int dst) {
        long direction = enter(2L * dst, "sends to rank " + dst);
        try {
            complete(dst);
        } finally {
            used.remove(direction);
        }
    }

    private void completeBefore(int dst) {
        try {
            complete(dst);
        } catch (TimedOutException | InterruptedWaitException over) {
            throw Errors.busy("an earlier value for rank " + dst + " with mai " + mai + " is still"
                    + " on its way; this one was not sent");
        }
    }

    private void complete(int dst) {
        Request last = fmpl.sending(dst, mai); // checks the rank
        Pieces value = unsent.get(dst);
        if (value != null) {
            last.await(); // the message that continued
            push(value, dst);
        }
    }

    /**
     * Receives a value.
     *
     * @param src the sender's rank
     * @return the value
     * @throws CallbackException if the codec cannot decode it
     */
    public T recv(int src) {
        return decode(receive(src), src);
    }

    /**
     * Receives the next value from whichever rank has sent one, as {@link AnySource} does: every
     * rank that has sent is served after at most one value of each other rank. While a thread is in
     * this call, no other thread may receive values of this object.
     *
     * @return the value, and the rank that sent it
     * @throws CallbackException if the codec cannot decode it; {@link CallbackException#peer()} is
     *     its sender
     * @throws BusyException if another thread is in this call
     * @throws PeerFailedException if no value is there, and a rank has died, or all others have
     *     left
     * @throws InterruptedWaitException if the thread was interrupted before a value had come
     */
    public Received<T> recvAny() {
        int src;
        byte[] bytes;
        long direction = enter(ANY, "receives from any rank");
        try {
            if (sources == null) {
                sources = fmpl.anySource(mai);
            }
            src = sources.awaitAndPass();
            bytes = receive(src);
        } finally {
            used.remove(direction);
        }
        return new Received<>(src, decode(bytes, src));
    }

    private byte[] receive(int src) {
        long direction = enter(2L * src + 1, "receives from rank " + src);
        try {
            Pieces value = begun.get(src); // a limit has ended the receive of its rest
            if (value == null) {
                value = receiveFirst(src);
            }
            while (!value.isComplete()) {
                Span piece = value.next();
                if (fmpl.recv(piece, src, mai) != piece.bytes()) {
                    begun.remove(src);
                    throw notAValue(src);
                }
                value.pass((int) piece.bytes());
            }
            begun.remove(src);
            return value.value();
        } finally {
            used.remove(direction);
        }
    }

    /** Nothing is lost if there is no memory: what is needed is there before the message. */
    private Pieces receiveFirst(int src) {
        byte[] first = new byte[HEADER + SHORT];
        Pieces value = new Pieces(null, allocator);
        begun.put(src, value);
        boolean valid = false;
        try {
            int bytes = (int) fmpl.recv(Span.of(first), src, mai);
            ByteBuffer header = ByteBuffer.wrap(first).order(ByteOrder.LITTLE_ENDIAN);
            int length = header.getInt(Integer.BYTES);
            int together = Math.min(Math.max(length, 0), SHORT);
            if (bytes != HEADER + together || header.getInt(0) != MAGIC) {
                throw notAValue(src);
            }
            requireEncoded(length, src);
            value.begin(length, header.position(HEADER).limit(bytes));
            valid = true;
            return value;
        } finally {
            if (!valid) {
                begun.remove(src);
            }
        }
    }

    private long enter(long direction, String what) {
        if (!used.add(direction)) {
            throw Errors.busy("another thread " + what + " with mai " + mai);
        }
        return direction;
    }

    // ---- collectives ----

    /**
     * Gives a value of one rank to all. Collective over the job.
     *
     * @param value the value of the root; others may pass {@code null}
     * @param root the rank that has the value
     * @return the value; on the root, the same object
     * @throws CallbackException if the root cannot encode it (on all ranks), or this rank cannot
     *     decode it
     * @throws OutOfMemoryError if this rank has no memory for the value; the others have got it
     */
    public T bcast(T value, int root) {
        return bcast(value, root, new byte[SHORT]);
    }

    /** sink: takes a value for which there is no memory, because the others wait for this rank. */
    private T bcast(T value, int root, byte[] sink) {
        byte[] own = null;
        Throwable failure = null;
        if (rank == root) {
            try {
                own = encode(value);
            } catch (Throwable e) { // the others wait for its length
                failure = e;
            }
        }
        int[] length = {own == null ? FAILED : own.length};
        int[] room = new int[1];
        fmpl.bcast(Span.of(length), root);
        Errors.rethrow(failure);
        requireEncoded(length[0], root);
        Pieces pieces = new Pieces(own, allocator);
        if (rank != root) {
            pieces.begin(length[0], sink);
        }
        if (length[0] > SHORT) { // each rank has room for a piece of this length
            room[0] = pieces.room();
            fmpl.allreduce(Span.of(room), Reduction.INT_MIN);
            pieces.limit(Math.max(room[0], SHORT));
        }
        while (!pieces.isComplete()) {
            Span piece = pieces.next();
            fmpl.bcast(piece, root);
            pieces.pass((int) piece.bytes());
        }
        return rank == root ? value : decode(pieces.value(), root);
    }

    /**
     * Brings a value of each rank to one. All ranks of the job call it.
     *
     * <p>If a limit or an interrupt ends it on the root, the root calls it again, and it continues:
     * values that have come are kept, its own one, too. On another rank, the value is on its way,
     * as after {@link #send}: this rank must not call it again.
     *
     * @param value the value of this rank
     * @param root the rank that gets all values
     * @return on the root, the values in the order of the ranks, as an unmodifiable list with its
     *     own object; an empty list on all others
     * @throws CallbackException if this rank cannot encode its value, or, on the root, a value
     *     could not be encoded or decoded; all values have been received then
     * @throws BusyException if an earlier value is still on its way to the root, or another thread
     *     sends one; this value is not sent: call it again. On the root, if another thread gathers
     *     values, or receives one
     */
    public List<T> gather(T value, int root) {
        if (rank != root) {
            giveOrTell(value, root);
            return List.of();
        }
        long direction = enter(GATHER, "gathers values");
        try {
            if (gathered == null) {
                gathered = new ArrayList<>(size);
            }
            while (gathered.size() < size) {
                gathered.add(nextGathered(gathered.size(), value));
            }
            List<T> all = gathered;
            Throwable failure = gatherFailure;
            gathered = null;
            gatherFailure = null;
            Errors.rethrow(failure);
            return Collections.unmodifiableList(all);
        } finally {
            used.remove(direction);
        }
    }

    private T nextGathered(int src, T own) {
        try {
            return src == rank ? Errors.required(own, "value") : recv(src);
        } catch (CallbackException | ArgumentException | MismatchException
                | OutOfMemoryError e) {
            gatherFailure = Errors.join(gatherFailure, e);
            return null;
        }
    }

    private void giveOrTell(T value, int root) {
        byte[] bytes;
        try {
            bytes = encode(value);
        } catch (Throwable e) { // the root waits for it
            post(null, root);
            throw e;
        }
        post(bytes, root);
    }

    /**
     * Brings a value of each rank to all. Collective over the job: a broadcast from each rank.
     *
     * @param value the value of this rank
     * @return the values in the order of the ranks, as an unmodifiable list with the own object
     * @throws CallbackException if a rank cannot encode its value (on all ranks), or this rank
     *     cannot decode one; all values have been received then
     */
    public List<T> allgather(T value) {
        List<T> all = new ArrayList<>(size);
        Throwable failure = null;
        byte[] sink = new byte[SHORT];
        for (int root = 0; root < size; root++) {
            try {
                all.add(bcast(value, root, sink));
            } catch (CallbackException | ArgumentException | OutOfMemoryError e) {
                failure = Errors.join(failure, e);
            }
        }
        Errors.rethrow(failure);
        return Collections.unmodifiableList(all);
    }

    // ---- bytes ----

    private byte[] encode(T value) {
        Errors.required(value, "value");
        byte[] bytes;
        try {
            bytes = codec.encode(value);
        } catch (OutOfMemoryError e) {
            throw e;
        } catch (Throwable e) {
            throw new CallbackException("the codec cannot encode a value: "
                    + CallbackException.text(e), rank, e);
        }
        if (bytes == null) {
            throw new CallbackException("the codec encoded a value as null", rank, null);
        }
        return bytes;
    }

    private T decode(byte[] bytes, int src) {
        try {
            return codec.decode(bytes);
        } catch (OutOfMemoryError e) {
            throw e;
        } catch (Throwable e) {
            throw new CallbackException("the codec cannot decode the value of rank " + src + ": "
                    + CallbackException.text(e), src, e);
        }
    }

    private static void requireEncoded(int length, int src) {
        if (length == FAILED) {
            throw new CallbackException("rank " + src + " could not encode its value", src);
        }
        if (length < 0) {
            throw notAValue(src);
        }
    }

    private static HayateException notAValue(int src) {
        return new MismatchException("what rank " + src + " sent is not a value: expected a send of"
                + " Values, and no other use of its mai", src);
    }

    /**
     * Returns a human-readable description.
     *
     * @return a text with the rank and the mai
     */
    @Override
    public String toString() {
        return "values of rank " + rank + " of " + size + " with mai " + mai;
    }
}
