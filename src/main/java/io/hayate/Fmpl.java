// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.bindings.FmplBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.fmpl.Areas;
import io.hayate.internal.fmpl.Collectives;
import io.hayate.internal.fmpl.CommunicatorState;
import io.hayate.internal.fmpl.FmplContext;
import io.hayate.internal.fmpl.FmplState;
import io.hayate.internal.fmpl.Inside;
import io.hayate.internal.fmpl.MessageOperation;
import io.hayate.internal.fmpl.Messages;
import io.hayate.internal.fmpl.NoMessage;
import io.hayate.internal.fmpl.Requests;
import io.hayate.internal.job.Deadline;
import io.hayate.internal.job.HeapBlock;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Fast message passing with receiver-initiated matching areas (FMPL). The design follows Tatebe,
 * Nagashima, Sekiguchi, Kitabayashi, Hayashida, "Design and implementation of FMPL, a fast
 * message-passing library for SR8000".
 *
 * <p>A message is matched by its <em>mai</em>, the index of a matching-area entry. There is one
 * entry for each ordered pair of ranks and each mai, so that matching needs no queue and no search.
 * Messages of one (source, destination, mai) arrive in the order in which they were sent. At most
 * one send and one receive of a (peer, mai) may be in progress at a time in a rank; a second one
 * throws {@link BusyException} and changes nothing.
 *
 * <p><strong>Threads.</strong> Any thread may call any method. Operations on different (peer, mai)
 * do not wait for each other. A blocking call of a virtual thread pins its carrier for a few
 * microseconds at most. An interrupt ends a wait within about 100 ms with
 * {@link InterruptedWaitException}, and no message is lost. A blocking collective that it ends
 * breaks its communicator: {@link Communicator}.
 *
 * <p><strong>Time limits.</strong> Without a limit, calls wait as long as it takes.
 * {@link #timeout(Duration)} limits all waits, and some calls have limits of their own.
 *
 * <p><strong>Memory ordering.</strong> What a rank wrote before a send is visible to the receiver
 * when the receive is complete. What a rank wrote before it entered a collective is visible to each
 * member whose collective is complete.
 *
 * <!-- java: Hayate job; abstract void compute(); -->
 * <pre>{@code
 * try (Fmpl fmpl = Fmpl.init(job)) {                        // called by all ranks
 *     int right = (job.rank() + 1) % job.size();
 *     int left = (job.rank() + job.size() - 1) % job.size();
 *     HeapSpan edge = job.allocate(8000);
 *     HeapSpan ghost = job.allocate(8000);
 *     Request halo = fmpl.irecv(ghost, left, 0);            // mai 0 on both sides
 *     fmpl.send(edge, right, 0);                            // returns when edge may be changed
 *     compute();
 *     halo.await();
 *     double[] norm = {1.0};
 *     fmpl.allreduce(Span.of(norm), Reduction.DOUBLE_SUM);
 * }
 * }</pre>
 *
 * <p><strong>Errors.</strong> Every operation may throw {@link ArgumentException} (an argument is
 * null, out of range, read-only, or belongs to another job), {@link BusyException},
 * {@link ClosedException}, or {@link PeerFailedException}. The latter comes within a second of the
 * death of a peer that the operation waits for (on another node it can take longer:
 * docs/guide/nodes.md). A call that fails because of its arguments changes nothing.
 */
public final class Fmpl implements AutoCloseable {
    /** The default number of matching-area entries per peer. */
    public static final int DEFAULT_COUNT = 64;
    /**
     * The null partner, in place of a rank: a message to it or from it is complete at once, has 0
     * bytes, and changes no memory. So a program needs no branches at the edges of its domain. It
     * is not -1, which {@link Communicator#rank()} returns on ranks that are not members: messages
     * with rank -1 are refused.
     */
    public static final int NO_RANK = -2;
    /** The size of the matching area per entry and rank, in bytes. */
    public static final int MATCH_BYTES = Areas.MATCH_BYTES;
    /** The size of the flags per entry and rank, in bytes. */
    public static final int FLAG_BYTES = Areas.FLAG_BYTES;

    static {
        Inside.set(new Inside() {
            @Override
            protected FmplState fmpl(Object fmpl) {
                return ((Fmpl) fmpl).state;
            }

            @Override
            protected CommunicatorState communicator(Object communicator) {
                return ((Communicator) communicator).state;
            }

            @Override
            protected Object make(Object fmpl, CommunicatorState state) {
                return new Communicator((Fmpl) fmpl, state);
            }
        });
    }

    final FmplState state;
    private final Messages messages;
    private final Collectives collectives;
    private final Requests<Request> requests;
    private final Communicator world;

    private Fmpl(FmplState state) {
        this.state = state;
        messages = state.messages();
        collectives = state.collectives();
        requests = new Requests<>(state, Request::new, request -> request.operation);
        world = new Communicator(this, state.communicators().world());
    }

    FmplContext context() {
        return state.context();
    }

    /**
     * Opens FMPL with {@value #DEFAULT_COUNT} entries; see {@link #init(Hayate, int)}.
     *
     * @param job the job
     * @return the FMPL; the caller closes it
     */
    public static Fmpl init(Hayate job) {
        return init(job, DEFAULT_COUNT);
    }

    /**
     * Opens FMPL on memory that it allocates itself; see
     * {@link #init(Hayate, HeapSpan, HeapSpan, int)}.
     *
     * @param job the job
     * @param count entries per peer, 1 to 65536, the same on every rank
     * @return the FMPL; the caller closes it
     */
    public static Fmpl init(Hayate job, int count) {
        return init(job, null, null, count);
    }

    /**
     * Opens FMPL on memory that the program provides. Collective over the job.
     *
     * @param job the job
     * @param matchingArea count * size * {@value #MATCH_BYTES} bytes, which the program does not
     *     use until close; or {@code null}, together with {@code flags}: FMPL allocates both itself
     * @param flags count * size * {@value #FLAG_BYTES} bytes, under the same conditions
     * @param count entries per peer, 1 to 65536, the same on every rank
     * @return the FMPL; the caller closes it
     * @throws ArgumentException if count is out of range or an area is too small
     * @throws MismatchException if the ranks pass different counts, or a rank calls another set-up
     * @throws ClosedException if the job is closed
     * @throws MemoryExhaustedException if there is no room; the text says how many entries fit.
     *     Without areas of the program, about 29,000 / size + 112 entries fit for all ranks, up to
     *     4096 ranks. With more entries, a rank can receive on some thousand pairs of a rank and a
     *     mai, and a first send to a rank that has no place left throws this (man hayate-fmpl)
     * @throws PeerFailedException if a rank left the job
     * @throws StateException after {@link Communicator#shrink}
     */
    public static Fmpl init(Hayate job, HeapSpan matchingArea, HeapSpan flags, int count) {
        return FmplState.open(Hayate.requireOpen(job), block(matchingArea), block(flags), count,
                Fmpl::new);
    }

    private static HeapBlock block(HeapSpan area) {
        return area == null ? null : area.block;
    }

    /**
     * Limits all waits of this FMPL that have no limit of their own: of messages, requests,
     * collectives and persistent operations, each counted from its beginning, with a resolution of
     * about 50 ms. They end with {@link TimedOutException}, which tells what becomes of the
     * operation. Set-up calls ({@link #init}, {@link #create}) have no limit, and no interrupt ends
     * them; in a virtual thread, nor does it end a {@link Communicator#split} or the preparation of
     * a persistent operation. The setting {@code HAYATE_TIMEOUT} is the limit before the first
     * call. Calls that already wait keep theirs, except for collectives. Local: the ranks may have
     * different limits. The limit should be longer than the ranks ever differ in their progress,
     * because a collective that is given up breaks its communicator.
     *
     * @param limit the longest time to wait, above 0; {@link Ompl#FOREVER}: no limit
     * @throws ArgumentException if the limit is null, zero, or negative
     * @throws ClosedException after close
     */
    public void timeout(Duration limit) {
        context().limit(limit);
    }

    /**
     * Returns the limit of all waits that have no limit of their own.
     *
     * @return above 0; {@link Ompl#FOREVER}: there is none
     */
    public Duration timeout() {
        Duration limit = context().limit();
        return limit == null ? Ompl.FOREVER : limit;
    }

    /**
     * Sends all of a span; see {@link #send(Span, long, long, int, int)}.
     *
     * @param span the data to send
     * @param dst the receiver's rank, or {@link #NO_RANK}
     * @param mai the entry, 0 to count - 1
     */
    public void send(Span span, int dst, int mai) {
        send(span, 0, Span.memory(span).bytes, dst, mai);
    }

    /**
     * Sends a message, and returns when the memory may be changed again. Up to the eager limit
     * ({@code HAYATE_EAGER_LIMIT}, default 4096 bytes) it does not wait for the receiver while the
     * entry has room. A longer message waits for the receive, or for the time-out of
     * {@link #setSendBuffer}.
     *
     * @param span the memory that contains the message
     * @param offset bytes from the beginning of the span
     * @param bytes length of the message; 0 is allowed
     * @param dst the receiver's rank, or {@link #NO_RANK}
     * @param mai the entry, 0 to count - 1
     * @throws InterruptedWaitException if the thread was interrupted while it waited. The send then
     *     continues in the background: the memory must not be changed until another
     *     {@link #send} or {@link #isend} of this entry is accepted, instead of throwing
     *     {@link BusyException}
     */
    public void send(Span span, long offset, long bytes, int dst, int mai) {
        if (dst == NO_RANK) {
            messages.sendNothing(Span.memory(span), offset, bytes, mai);
        } else {
            messages.send(Span.memory(span), offset, bytes, dst, mai);
        }
    }

    /**
     * Sends all of a span, with a time limit; see
     * {@link #send(Span, long, long, int, int, Duration)}.
     *
     * @param span the data to send
     * @param dst the receiver's rank, or {@link #NO_RANK}
     * @param mai the entry, 0 to count - 1
     * @param limit the longest time to wait
     */
    public void send(Span span, int dst, int mai, Duration limit) {
        send(span, 0, Span.memory(span).bytes, dst, mai, limit);
    }

    /**
     * Sends a message, like {@link #send(Span, long, long, int, int)}, and waits at most for the
     * limit. After it the send continues in the background: the receiver may be reading the memory,
     * which must not be changed until another send of this entry is accepted, instead of throwing
     * {@link BusyException}.
     *
     * @param span the memory that contains the message
     * @param offset bytes from the beginning of the span
     * @param bytes length of the message; 0 is allowed
     * @param dst the receiver's rank, or {@link #NO_RANK}
     * @param mai the entry, 0 to count - 1
     * @param limit the longest time to wait, with a resolution of about 10 ms; zero: does not wait
     * @throws TimedOutException if the memory is still in use when the limit is over
     */
    public void send(Span span, long offset, long bytes, int dst, int mai, Duration limit) {
        Deadline deadline = Deadline.after(limit);
        if (dst == NO_RANK) {
            messages.sendNothing(Span.memory(span), offset, bytes, mai);
        } else {
            messages.send(Span.memory(span), offset, bytes, dst, mai, deadline);
        }
    }

    /**
     * Receives a message into a span; see {@link #recv(Span, long, long, int, int)}.
     *
     * @param span the memory for the message
     * @param src the sender's rank, or {@link #NO_RANK}
     * @param mai the entry, 0 to count - 1
     * @return the length of the message in bytes
     */
    public long recv(Span span, int src, int mai) {
        return recv(span, 0, Span.memory(span).bytes, src, mai);
    }

    /**
     * Receives a message, and returns when the whole message is in the span.
     *
     * @param span the memory for the message
     * @param offset bytes from the beginning of the span
     * @param bytes room for the message
     * @param src the sender's rank, or {@link #NO_RANK}
     * @param mai the entry, 0 to count - 1
     * @return the length of the message in bytes
     * @throws TruncationException if the message is longer than the room; it stays, and a larger
     *     receive gets it
     */
    public long recv(Span span, long offset, long bytes, int src, int mai) {
        return src == NO_RANK ? messages.receiveNothing(Span.memory(span), offset, bytes, mai)
                : messages.receive(Span.memory(span), offset, bytes, src, mai);
    }

    /**
     * Receives a message into a span, with a time limit; see
     * {@link #recv(Span, long, long, int, int, Duration)}.
     *
     * @param span the memory for the message
     * @param src the sender's rank, or {@link #NO_RANK}
     * @param mai the entry, 0 to count - 1
     * @param limit the longest time to wait
     * @return the length of the message in bytes
     */
    public long recv(Span span, int src, int mai, Duration limit) {
        return recv(span, 0, Span.memory(span).bytes, src, mai, limit);
    }

    /**
     * Receives a message, like {@link #recv(Span, long, long, int, int)}, and waits at most for the
     * limit. After it the receive is withdrawn, and the next one gets the message. If the data of a
     * long message already arrive then, the call completes the receive instead.
     *
     * @param span the memory for the message
     * @param offset bytes from the beginning of the span
     * @param bytes room for the message
     * @param src the sender's rank, or {@link #NO_RANK}
     * @param mai the entry, 0 to count - 1
     * @param limit the longest time to wait, with a resolution of about 10 ms; zero: only looks
     * @return the length of the message in bytes
     * @throws TimedOutException if the message has not come within the limit
     * @throws TruncationException if the message is longer than the room; it stays
     */
    public long recv(Span span, long offset, long bytes, int src, int mai, Duration limit) {
        Deadline deadline = Deadline.after(limit);
        return src == NO_RANK ? messages.receiveNothing(Span.memory(span), offset, bytes, mai)
                : messages.receive(Span.memory(span), offset, bytes, src, mai, deadline);
    }

    /**
     * Receives a message of unknown length into a new array.
     *
     * @param src the sender's rank
     * @param mai the entry, 0 to count - 1
     * @return the message, in an array of exactly its length
     * @throws ArgumentException if the message is longer than an array can be; it stays
     */
    public byte[] recvBytes(int src, int mai) {
        long length = probe(src, mai);
        while (true) {
            byte[] room = new byte[arrayLength(length, src)];
            try {
                long received = recv(Span.of(room), src, mai);
                return received == length ? room : Arrays.copyOf(room, (int) received);
            } catch (TruncationException longer) { // another thread has taken the one before
                length = longer.bytes();
            }
        }
    }

    private static int arrayLength(long length, int src) {
        if (length > Integer.MAX_VALUE - 8) {
            throw Errors.argument("the message from rank " + src + " has " + length + " bytes: no"
                    + " array has room for it; receive it into a span of the heap");
        }
        return (int) length;
    }

    /**
     * Waits until a message has come, and returns its length. The message stays, and the next
     * receive gets it. While the call waits, a receive of the same (src, mai) throws
     * {@link BusyException}. If the sender has a send buffer ({@link #setSendBuffer}), its long
     * blocking sends wait for a receive, and are not seen before they are in the send buffer.
     *
     * @param src the sender's rank
     * @param mai the entry, 0 to count - 1
     * @return the length of the message in bytes
     */
    public long probe(int src, int mai) {
        return messages.probe(src, mai, messages.deadline());
    }

    /**
     * Tells whether a message has come. Never blocks.
     *
     * @param src the sender's rank
     * @param mai the entry, 0 to count - 1
     * @return the length in bytes of the message that the next receive gets; empty if none has come
     */
    public OptionalLong iprobe(int src, int mai) {
        long length = messages.probeNow(src, mai);
        return length < 0 ? OptionalLong.empty() : OptionalLong.of(length);
    }

    /**
     * Prepares receives from any source: from whichever rank has sent a message with one of these
     * mais. {@link AnySource#mai()} tells which one it was.
     *
     * @param mais the entries, 1 to 64 of them, each 0 to count - 1
     * @return the receiver of these messages; it holds nothing that must be closed
     * @throws MemoryExhaustedException if there is no memory for the entries of all ranks
     */
    public AnySource anySource(int... mais) {
        return new AnySource(messages, mais);
    }

    /** Returns the request of a lane, which a send that a limit has ended continues as. */
    Request sending(int dst, int mai) {
        return requests.get(dst, mai, true);
    }

    /**
     * Starts a send of all of a span.
     *
     * @param span the data to send, not to be changed until the request is complete
     * @param dst the receiver's rank, or {@link #NO_RANK}
     * @param mai the entry, 0 to count - 1
     * @return the request of (dst, mai), always the same object
     */
    public Request isend(Span span, int dst, int mai) {
        return isend(span, 0, Span.memory(span).bytes, dst, mai);
    }

    /**
     * Starts a send of part of a span.
     *
     * @param span the memory that contains the message, not to be changed until the request is
     *     complete
     * @param offset bytes from the beginning of the span
     * @param bytes length of the message
     * @param dst the receiver's rank, or {@link #NO_RANK}
     * @param mai the entry, 0 to count - 1
     * @return the request of (dst, mai), always the same object
     */
    public Request isend(Span span, long offset, long bytes, int dst, int mai) {
        return begin(span, offset, bytes, dst, mai, true);
    }

    /**
     * Starts a receive into a span. If it is posted before the send, the send can move the data at
     * once.
     *
     * @param span the memory for the message, not to be used until the request is complete
     * @param src the sender's rank, or {@link #NO_RANK}
     * @param mai the entry, 0 to count - 1
     * @return the request of (src, mai), always the same object
     */
    public Request irecv(Span span, int src, int mai) {
        return irecv(span, 0, Span.memory(span).bytes, src, mai);
    }

    /**
     * Starts a receive into part of a span. If it is posted before the send, the send can move the
     * data at once.
     *
     * @param span the memory for the message, not to be used until the request is complete
     * @param offset bytes from the beginning of the span
     * @param bytes room for the message
     * @param src the sender's rank, or {@link #NO_RANK}
     * @param mai the entry, 0 to count - 1
     * @return the request of (src, mai), always the same object
     */
    public Request irecv(Span span, long offset, long bytes, int src, int mai) {
        return begin(span, offset, bytes, src, mai, false);
    }

    private Request begin(Span span, long offset, long bytes, int peer, int mai, boolean sends) {
        if (peer == NO_RANK) {
            if (sends) {
                messages.sendNothing(Span.memory(span), offset, bytes, mai);
            } else {
                messages.receiveNothing(Span.memory(span), offset, bytes, mai);
            }
            return new Request(new NoMessage(context()));
        }
        Request request = requests.get(peer, mai, sends);
        ((MessageOperation) request.operation).begin(Span.memory(span), offset, bytes);
        return request;
    }

    /**
     * Sends to one rank and receives from another at the same time; see
     * {@link #sendrecv(Span, long, long, int, int, Span, long, long, int, int)}.
     *
     * @param out the data to send
     * @param dst the receiver's rank, or {@link #NO_RANK}
     * @param sendMai the entry of the send
     * @param in the memory for the message, which must not overlap the data to send
     * @param src the sender's rank, or {@link #NO_RANK}
     * @param recvMai the entry of the receive
     * @return the length of the received message in bytes
     */
    public long sendrecv(Span out, int dst, int sendMai, Span in, int src, int recvMai) {
        return sendrecv(out, 0, Span.memory(out).bytes, dst, sendMai,
                in, 0, Span.memory(in).bytes, src, recvMai);
    }

    /**
     * Sends to one rank and receives from another at the same time, so that ranks that all do so
     * cannot wait for each other in a circle. Returns when both messages are complete. If the
     * receive fails, the send was completed all the same; if the send fails, the receive is
     * withdrawn.
     *
     * @param out the memory that contains the message to send
     * @param outOffset bytes from its beginning
     * @param outBytes length of the message
     * @param dst the receiver's rank, or {@link #NO_RANK}
     * @param sendMai the entry of the send
     * @param in the memory for the received message, which must not overlap the data to send
     * @param inOffset bytes from its beginning
     * @param inBytes room for the message
     * @param src the sender's rank, or {@link #NO_RANK}
     * @param recvMai the entry of the receive
     * @return the length of the received message in bytes; 0 from {@link #NO_RANK}
     * @throws TruncationException if the received message is longer than the room; it stays
     * @throws InterruptedWaitException if the thread was interrupted; the receive was withdrawn, or
     *     its request continues, as does that of the send
     * @throws TimedOutException if the send or the receive is not complete within
     *     {@link #timeout()}; as after an interrupt
     */
    public long sendrecv(Span out, long outOffset, long outBytes, int dst, int sendMai,
            Span in, long inOffset, long inBytes, int src, int recvMai) {
        if (dst != NO_RANK) {
            requests.get(dst, sendMai, true); // a wrong argument must not cost a message
        }
        messages.sendNothing(Span.memory(out), outOffset, outBytes, sendMai);
        Request receive;
        TruncationException late = null;
        try {
            receive = irecv(in, inOffset, inBytes, src, recvMai);
        } catch (TruncationException tooLong) { // the message is already there
            receive = null;
            late = tooLong;
        }
        try {
            send(out, outOffset, outBytes, dst, sendMai);
        } catch (HayateException | Error failure) {
            if (receive != null) {
                receive.cancel();
            }
            throw failure;
        }
        if (late != null) {
            throw late;
        }
        try {
            return receive.await();
        } catch (InterruptedWaitException | TimedOutException over) {
            receive.cancel();
            throw over;
        }
    }

    /**
     * Waits until all of the requests have completed.
     *
     * @param all the requests
     * @throws HayateException the first failure, with the others suppressed in it, after all have
     *     completed
     * @throws InterruptedWaitException at once, if the thread is interrupted; the requests that are
     *     in progress continue
     * @throws TimedOutException if not all of them are complete within {@link #timeout()}; those
     *     continue
     */
    public void waitAll(Request... all) {
        Throwable first = null;
        Deadline deadline = messages.deadline();
        for (Request request : Errors.required(all, "requests")) {
            try {
                Errors.required(request, "request").operation.await(deadline);
            } catch (InterruptedWaitException e) {
                first = Errors.join(first, e);
                break;
            } catch (RuntimeException | Error e) {
                first = Errors.join(first, e);
            }
        }
        Errors.rethrow(first);
    }

    /**
     * Waits until one of the requests has completed. Each operation is reported once: operations
     * that an earlier call has reported are ignored. {@link Request#await()} tells whether the
     * operation succeeded.
     *
     * @param any requests of this FMPL, each of them once
     * @return the index of a request that has completed, or -1 if all were reported before
     * @throws ArgumentException if a request is null or belongs to another FMPL
     * @throws BusyException if another thread is using a request, or a request is passed twice
     * @throws TimedOutException if none is complete within {@link #timeout()}; they continue
     */
    public int waitAny(Request... any) {
        return requests.awaitAny(Request.operations(Errors.required(any, "requests")));
    }

    /**
     * Sets the send buffer. If the receive of a blocking send has not come after the time-out, the
     * send copies its data into the buffer and returns. Data that are still in the buffer at close
     * are lost; see {@link #checkSendBuffer()}.
     *
     * @param memory memory of the heap or a direct buffer, which the program does not use
     *     meanwhile; {@code null} removes the send buffer
     * @param timeout 0 to about 35 minutes, with a resolution of a microsecond; ignored if memory
     *     is {@code null}
     * @throws ArgumentException if the memory is an array, or the time-out is out of range
     * @throws BusyException if messages are waiting in the present send buffer
     */
    public void setSendBuffer(Span memory, Duration timeout) {
        state.sendBuffer().set(memory == null ? null : memory.memory, timeout);
    }

    /**
     * Sends the messages in the send buffer whose receives have come.
     *
     * @return how many were sent since the last check, and how many still wait
     */
    public SendBufferState checkSendBuffer() {
        return state.sendBuffer().check();
    }

    /**
     * Returns the idle eager buffers of this rank to the symmetric heap. This is rarely needed:
     * buffers that traffic no longer uses return by themselves, and all idle ones return before an
     * allocation fails. After a trim, {@link Hayate#heapFree()} includes them. Messages that are
     * not received yet keep their buffers; entries and communicators on which another thread is
     * sending are skipped. Local; any thread may call it at any time, and no operation fails
     * because of it.
     *
     * @return the number of bytes returned
     * @throws ClosedException after close
     */
    public long trim() {
        context().requireOpen();
        return messages.trim();
    }

    /**
     * Returns the communicator of all ranks of the job.
     *
     * @return always the same object
     */
    public Communicator world() {
        return world;
    }

    /**
     * Creates a communicator of the ranks that call with {@code true}. Collective over all ranks of
     * the job; {@link Communicator} describes the rules for threads, and how the call can fail.
     *
     * @param member whether this rank joins
     * @return the communicator, which the caller closes; on ranks that did not join, a communicator
     *     without members
     * @throws MemoryExhaustedException if a rank has no memory for it, which the message names
     * @throws StateException after {@link Communicator#shrink}
     */
    public Communicator create(boolean member) {
        return state.communicators().create(member, made -> new Communicator(this, made));
    }

    /**
     * Broadcasts a span to all ranks; see {@link #bcast(Span, long, long, int, Communicator)}.
     *
     * @param span the memory, of the same length on every rank
     * @param root the rank that has the data
     */
    public void bcast(Span span, int root) {
        bcast(span, root, world());
    }

    /**
     * Broadcasts a span; see {@link #bcast(Span, long, long, int, Communicator)}.
     *
     * @param span the memory, of the same length on every rank
     * @param root the member that has the data
     * @param comm the communicator
     */
    public void bcast(Span span, int root, Communicator comm) {
        collectives.bcast(FmplBinding.BCAST, Span.memory(span), root, Communicator.state(comm));
    }

    /**
     * Copies part of the root's span into the same part of the span of every member.
     *
     * @param span the memory
     * @param offset bytes from its beginning
     * @param bytes length in bytes, the same on every member
     * @param root the member that has the data
     * @param comm the communicator
     * @throws MismatchException if the members disagree
     */
    public void bcast(Span span, long offset, long bytes, int root, Communicator comm) {
        collectives.bcast(FmplBinding.BCAST, Span.memory(span), offset, bytes, root,
                Communicator.state(comm));
    }

    /**
     * Broadcasts to all ranks by the fastest method of the machine: inside a node the root writes
     * the data once, and all other ranks read them there.
     *
     * @param span the memory, of the same length on every rank
     * @param root the rank that has the data
     * @throws MismatchException if the ranks disagree
     */
    public void hbcast(Span span, int root) {
        collectives.bcast(FmplBinding.HBCAST, Span.memory(span), root, world.state);
    }

    /**
     * Reduces a span over all ranks; see {@link #reduce(Span, Reduction, int, Communicator)}.
     *
     * @param span the elements
     * @param reduction the reduction
     * @param root the rank that gets the result
     */
    public void reduce(Span span, Reduction reduction, int root) {
        reduce(span, reduction, root, world());
    }

    /**
     * Reduces a span; see {@link #reduce(Span, long, long, Reduction, int, Communicator)}.
     *
     * @param span the elements
     * @param reduction the reduction
     * @param root the member that gets the result
     * @param comm the communicator
     */
    public void reduce(Span span, Reduction reduction, int root, Communicator comm) {
        reduce(span, 0, count(span, reduction), reduction, root, comm);
    }

    /**
     * Reduces element by element. The memory of the root receives the result; the memory of the
     * other members is unchanged. The call allocates nothing on the Java heap.
     *
     * @param span the memory, aligned to its elements
     * @param offset bytes from its beginning
     * @param count elements, the same on every member
     * @param reduction the reduction
     * @param root the member that gets the result
     * @param comm the communicator
     * @throws MismatchException if the members disagree
     * @throws CallbackException if a custom reducer threw an exception; the collective was
     *     completed
     */
    public void reduce(Span span, long offset, long count, Reduction reduction, int root,
            Communicator comm) {
        collectives.reduce(FmplBinding.REDUCE, Span.memory(span), offset, count,
                Reduction.op(reduction), root, Communicator.state(comm));
    }

    /**
     * Reduces a span over all ranks, and stores the result on all of them; see
     * {@link #allreduce(Span, long, long, Reduction, Communicator)}.
     *
     * @param span the elements
     * @param reduction the reduction
     */
    public void allreduce(Span span, Reduction reduction) {
        allreduce(span, reduction, world());
    }

    /**
     * Reduces a span, and stores the result on all members; see
     * {@link #allreduce(Span, long, long, Reduction, Communicator)}.
     *
     * @param span the elements
     * @param reduction the reduction
     * @param comm the communicator
     */
    public void allreduce(Span span, Reduction reduction, Communicator comm) {
        allreduce(span, 0, count(span, reduction), reduction, comm);
    }

    /**
     * Reduces element by element, and stores the result on all members. It is the same on all of
     * them, bit for bit.
     *
     * @param span the memory, aligned to its elements
     * @param offset bytes from its beginning
     * @param count elements, the same on every member
     * @param reduction the reduction
     * @param comm the communicator
     * @throws MismatchException if the members disagree
     * @throws CallbackException if a custom reducer threw an exception; the collective was
     *     completed
     */
    public void allreduce(Span span, long offset, long count, Reduction reduction,
            Communicator comm) {
        collectives.reduce(FmplBinding.ALLREDUCE, Span.memory(span), offset, count,
                Reduction.op(reduction), 0, Communicator.state(comm));
    }

    /** Returns the number of elements of a whole span. */
    private static long count(Span span, Reduction reduction) {
        return Reduction.op(reduction).count(Span.memory(span).bytes);
    }

    /** Waits until every rank of the job has called this method. */
    public void barrier() {
        barrier(world());
    }

    /**
     * Waits until every member has called this method.
     *
     * @param comm the communicator
     */
    public void barrier(Communicator comm) {
        collectives.barrier(Communicator.state(comm));
    }

    /**
     * Returns how the time of this rank's messages was spent; see {@link #breakdown(boolean)}.
     *
     * @return medians in nanoseconds; all are 0 if the measurement was never on
     * @throws ClosedException after close
     */
    public Breakdown breakdown() {
        return state.instrument().read();
    }

    /**
     * Switches the measurement of the parts of a message on or off. It is off at first, and costs
     * nothing while it is off.
     *
     * @param on whether to measure, which slows short messages; switching on discards earlier
     *     samples
     * @throws ClosedException after close
     */
    public void breakdown(boolean on) {
        state.instrument().turn(on);
    }

    /**
     * Closes FMPL on this rank; idempotent. Operations of other threads that are in progress end
     * with {@link ClosedException}. Operations that {@link PersistentColl} has prepared on it can
     * no longer be started. Requests that are in progress, and for which no thread waits, are a
     * mistake of the program: a warning in the log names up to three of them.
     *
     * @throws MismatchException if FMPL is closed, but another member of a communicator that has
     *     closed it, or waits, has made other collectives: more or fewer, or with other arguments,
     *     such as another root
     */
    @Override
    public void close() {
        state.close();
    }

    /**
     * Returns a human-readable description.
     *
     * @return a text with the rank, the entries per peer, and whether it is closed
     */
    @Override
    public String toString() {
        return state.toString();
    }
}
