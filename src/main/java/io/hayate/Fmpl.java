// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.FmplBinding;
import io.hayate.internal.fmpl.Areas;
import io.hayate.internal.fmpl.Collectives;
import io.hayate.internal.fmpl.FmplContext;
import io.hayate.internal.fmpl.FmplState;
import io.hayate.internal.fmpl.Messages;
import io.hayate.internal.fmpl.Requests;
import io.hayate.internal.job.HeapBlock;
import java.time.Duration;

/**
 * Fast message passing with receiver-initiated matching areas (FMPL). It follows Tatebe, Nagashima,
 * Sekiguchi, Kitabayashi, Hayashida, "Design and implementation of FMPL, a fast message-passing
 * library for SR8000".
 *
 * <p>A message is matched by its <em>mai</em>, the index of a matching-area entry: there is one per
 * ordered pair of ranks and mai, so that nothing is queued and nothing searched. Messages of one
 * (source, destination, mai) arrive in the order sent. At most one send and one receive of a (peer,
 * mai) may be alive at a time in a rank; a second one gets {@link BusyException} and changes
 * nothing.
 *
 * <p><strong>Threads.</strong> Any thread may call. Operations on different (peer, mai) do not wait
 * for each other. A blocking call of a virtual thread holds its carrier for some microseconds at
 * most. An interrupt does not end a wait.
 *
 * <p><strong>Memory ordering.</strong> What a rank wrote before a send, or before it entered a
 * collective, is visible to the receiver, or to the members, once their operation is complete.
 *
 * <p><strong>Errors.</strong> Every operation may end with {@link ArgumentException} (null, out of
 * range, read-only, of another job), {@link BusyException}, {@link ClosedException}, or
 * {@link PeerFailedException}, which comes within a second of the death of a peer that is waited
 * for (on another node it can take longer: docs/guide/nodes.md). A call that fails on its arguments
 * changes nothing.
 */
public final class Fmpl implements AutoCloseable {
    /** Matching-area entries per peer, unless said otherwise. */
    public static final int DEFAULT_COUNT = 64;
    /** Bytes of matching area per entry and rank. */
    public static final int MATCH_BYTES = Areas.MATCH_BYTES;
    /** Bytes of flags per entry and rank. */
    public static final int FLAG_BYTES = Areas.FLAG_BYTES;

    private final FmplState state;
    private final Messages messages;
    private final Collectives collectives;
    private final Requests<Request> requests;
    private final Communicator world;

    private Fmpl(FmplState state) {
        this.state = state;
        messages = state.messages();
        collectives = state.collectives();
        requests = new Requests<>(state, Request::new);
        world = new Communicator(state, state.communicators().world());
    }

    FmplContext context() {
        return state.context();
    }

    /**
     * Opens FMPL with {@value #DEFAULT_COUNT} entries; see {@link #init(Hayate, int)}.
     *
     * @param job the job
     * @return the FMPL, to be closed
     */
    public static Fmpl init(Hayate job) {
        return init(job, DEFAULT_COUNT);
    }

    /**
     * Opens FMPL on memory of its own; see {@link #init(Hayate, HeapSpan, HeapSpan, int)}.
     *
     * @param job the job
     * @param count entries per peer, 1 to 65536, the same on every rank
     * @return the FMPL, to be closed
     */
    public static Fmpl init(Hayate job, int count) {
        return init(job, null, null, count);
    }

    /**
     * Opens FMPL on memory of the program's. Collective over the job.
     *
     * @param job the job
     * @param matchingArea count * size * {@value #MATCH_BYTES} bytes, not used otherwise until
     *     close; or {@code null}, then also {@code flags}: FMPL has its own
     * @param flags count * size * {@value #FLAG_BYTES} bytes, likewise
     * @param count entries per peer, 1 to 65536, the same on every rank
     * @return the FMPL, to be closed
     * @throws ArgumentException if count is out of range or an area too small
     * @throws MismatchException if the ranks give different counts, or one makes something else
     * @throws ClosedException if the job is closed
     * @throws MemoryExhaustedException if there is no room: without areas of the program's that is
     *     for about 29,000 / size + 112 up to 4096 ranks (man hayate-fmpl); it says how many fit
     * @throws PeerFailedException if a rank left the job
     */
    public static Fmpl init(Hayate job, HeapSpan matchingArea, HeapSpan flags, int count) {
        return FmplState.open(Hayate.requireOpen(job), block(matchingArea), block(flags), count,
                Fmpl::new);
    }

    private static HeapBlock block(HeapSpan area) {
        return area == null ? null : area.block;
    }

    /**
     * Sends all of a span; see {@link #send(Span, long, long, int, int)}.
     *
     * @param span what to send
     * @param dst the receiver's rank
     * @param mai the entry, 0 to count - 1
     */
    public void send(Span span, int dst, int mai) {
        send(span, 0, Span.memory(span).bytes, dst, mai);
    }

    /**
     * Sends, and returns when the memory may be rewritten. Up to the eager limit
     * ({@code HAYATE_EAGER_LIMIT}, 4096 bytes) that does not wait for the receiver while the entry
     * has room; above, it waits for the receive, or as long as {@link #setSendBuffer} says.
     *
     * @param span where the message is
     * @param offset bytes from the beginning of the span
     * @param bytes length of the message, 0 is a message too
     * @param dst the receiver's rank
     * @param mai the entry, 0 to count - 1
     */
    public void send(Span span, long offset, long bytes, int dst, int mai) {
        messages.send(Span.memory(span), offset, bytes, dst, mai);
    }

    /**
     * Receives into a span; see {@link #recv(Span, long, long, int, int)}.
     *
     * @param span where to put it
     * @param src the sender's rank
     * @param mai the entry, 0 to count - 1
     * @return length of the message in bytes
     */
    public long recv(Span span, int src, int mai) {
        return recv(span, 0, Span.memory(span).bytes, src, mai);
    }

    /**
     * Receives, and returns when the whole message is in the span.
     *
     * @param span where to put it
     * @param offset bytes from the beginning of the span
     * @param bytes room for the message
     * @param src the sender's rank
     * @param mai the entry, 0 to count - 1
     * @return length of the message in bytes
     * @throws TruncationException if it is longer; it stays, and a larger receive gets it
     */
    public long recv(Span span, long offset, long bytes, int src, int mai) {
        return messages.receive(Span.memory(span), offset, bytes, src, mai);
    }

    /**
     * Starts a send of all of a span.
     *
     * @param span what to send, not to be changed until the request is over
     * @param dst the receiver's rank
     * @param mai the entry, 0 to count - 1
     * @return the request of (dst, mai), always the same object
     */
    public Request isend(Span span, int dst, int mai) {
        return isend(span, 0, Span.memory(span).bytes, dst, mai);
    }

    /**
     * Starts a send.
     *
     * @param span where the message is, not to be changed until the request is over
     * @param offset bytes from the beginning of the span
     * @param bytes length of the message
     * @param dst the receiver's rank
     * @param mai the entry, 0 to count - 1
     * @return the request of (dst, mai), always the same object
     */
    public Request isend(Span span, long offset, long bytes, int dst, int mai) {
        Request request = requests.get(dst, mai, true);
        request.state.begin(Span.memory(span), offset, bytes);
        return request;
    }

    /**
     * Starts a receive into a span. Posted early, it makes its send immediate.
     *
     * @param span where to put the message, not to be used until the request is over
     * @param src the sender's rank
     * @param mai the entry, 0 to count - 1
     * @return the request of (src, mai), always the same object
     */
    public Request irecv(Span span, int src, int mai) {
        return irecv(span, 0, Span.memory(span).bytes, src, mai);
    }

    /**
     * Starts a receive. Posted early, it makes its send immediate.
     *
     * @param span where to put the message, not to be used until the request is over
     * @param offset bytes from the beginning of the span
     * @param bytes room for the message
     * @param src the sender's rank
     * @param mai the entry, 0 to count - 1
     * @return the request of (src, mai), always the same object
     */
    public Request irecv(Span span, long offset, long bytes, int src, int mai) {
        Request request = requests.get(src, mai, false);
        request.state.begin(Span.memory(span), offset, bytes);
        return request;
    }

    /**
     * Waits for all of the requests.
     *
     * @param all the requests
     * @throws HayateException the first failure, the others suppressed in it, after all are over
     */
    public void waitAll(Request... all) {
        HayateException first = null;
        for (Request request : Errors.required(all, "requests")) {
            try {
                Errors.required(request, "request").await();
            } catch (HayateException e) {
                first = Errors.join(first, e);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /**
     * Waits until one of the requests is over, and says so once for each operation: those already
     * reported by any call are passed over. Whether it succeeded, {@link Request#await()} says.
     *
     * @param any requests of this FMPL, each once
     * @return index of one that is over, or -1 if all were reported before
     * @throws ArgumentException if one is null or of another FMPL
     * @throws BusyException if another thread is using one, or one is given twice
     */
    public int waitAny(Request... any) {
        return requests.awaitAny(Request.states(Errors.required(any, "requests")));
    }

    /**
     * Gives FMPL a send buffer: a blocking send whose receive has not come after the time-out puts
     * its data aside there, and returns. What is left there at close is lost, see checkSendBuffer.
     *
     * @param memory of the heap or direct, not used otherwise meanwhile; {@code null} takes it back
     * @param timeout 0 to about 35 minutes, in microseconds; ignored if there is no memory
     * @throws ArgumentException if the memory is an array, or the time-out out of range
     * @throws BusyException if messages are waiting in the send buffer that is there
     */
    public void setSendBuffer(Span memory, Duration timeout) {
        state.sendBuffer().set(memory == null ? null : memory.memory, timeout);
    }

    /**
     * Pushes out what has become sendable from the send buffer.
     *
     * @return what was sent since the last check, and what waits
     */
    public SendBufferState checkSendBuffer() {
        return state.sendBuffer().check();
    }

    /**
     * Gives the eager buffers of this rank that nobody waits for back to the symmetric heap. Rarely
     * needed: what traffic does not use goes back by itself, and all the rest before an allocation
     * fails; it makes {@link Hayate#heapFree()} show it. Messages that are not received yet keep
     * their buffers; entries and communicators that another thread is sending on are passed over.
     * Local; any thread may call at any time, and no operation is refused because of it.
     *
     * @return bytes given back
     * @throws ClosedException after close
     */
    public long trim() {
        context().requireOpen();
        return messages.trim();
    }

    /**
     * The communicator of all ranks of the job.
     *
     * @return always the same object
     */
    public Communicator world() {
        return world;
    }

    /**
     * Makes a communicator of the ranks that call with {@code true}. Collective over all ranks of
     * the job; {@link Communicator} says what that means for threads, and how it ends.
     *
     * @param member whether this rank joins
     * @return the communicator, to be closed; on those that did not join one without members
     * @throws MemoryExhaustedException if 64 are open
     */
    public Communicator create(boolean member) {
        return state.communicators().create(member, made -> new Communicator(state, made));
    }

    /**
     * Broadcasts a span over all ranks; see {@link #bcast(Span, long, long, int, Communicator)}.
     *
     * @param span the memory, of the same length everywhere
     * @param root the rank that has the data
     */
    public void bcast(Span span, int root) {
        bcast(span, root, world());
    }

    /**
     * Broadcasts a span; see {@link #bcast(Span, long, long, int, Communicator)}.
     *
     * @param span the memory, of the same length everywhere
     * @param root the member that has the data
     * @param comm the communicator
     */
    public void bcast(Span span, int root, Communicator comm) {
        collectives.bcast(FmplBinding.BCAST, Span.memory(span), root, Communicator.state(comm));
    }

    /**
     * Broadcasts: the memory of the root to that of all members.
     *
     * @param span the memory
     * @param offset bytes from its beginning
     * @param bytes the same on every member
     * @param root the member that has the data
     * @param comm the communicator
     * @throws MismatchException if the members disagree
     */
    public void bcast(Span span, long offset, long bytes, int root, Communicator comm) {
        collectives.bcast(FmplBinding.BCAST, Span.memory(span), offset, bytes, root,
                Communicator.state(comm));
    }

    /**
     * Broadcasts over all ranks by the fastest means of the machine: inside a node the root writes
     * once, and all read it there.
     *
     * @param span the memory, of the same length everywhere
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
     * @param reduction what to do
     * @param root the rank that gets the result
     */
    public void reduce(Span span, Reduction reduction, int root) {
        reduce(span, reduction, root, world());
    }

    /**
     * Reduces a span; see {@link #reduce(Span, long, long, Reduction, int, Communicator)}.
     *
     * @param span the elements
     * @param reduction what to do
     * @param root the member that gets the result
     * @param comm the communicator
     */
    public void reduce(Span span, Reduction reduction, int root, Communicator comm) {
        reduce(span, 0, count(span, reduction), reduction, root, comm);
    }

    /**
     * Reduces element by element: the memory of the root becomes the result, that of the others is
     * unchanged. Nothing is allocated by it on the Java heap.
     *
     * @param span the memory, aligned to its elements
     * @param offset bytes from its beginning
     * @param count elements, the same on every member
     * @param reduction what to do
     * @param root the member that gets the result
     * @param comm the communicator
     * @throws MismatchException if the members disagree
     * @throws CallbackException if a user's reducer threw; the collective was completed
     */
    public void reduce(Span span, long offset, long count, Reduction reduction, int root,
            Communicator comm) {
        collectives.reduce(FmplBinding.REDUCE, Span.memory(span), offset, count,
                Reduction.op(reduction), root, Communicator.state(comm));
    }

    /**
     * Reduces a span over all ranks, and all get the result; see
     * {@link #allreduce(Span, long, long, Reduction, Communicator)}.
     *
     * @param span the elements
     * @param reduction what to do
     */
    public void allreduce(Span span, Reduction reduction) {
        allreduce(span, reduction, world());
    }

    /**
     * Reduces a span, and all members get the result; see
     * {@link #allreduce(Span, long, long, Reduction, Communicator)}.
     *
     * @param span the elements
     * @param reduction what to do
     * @param comm the communicator
     */
    public void allreduce(Span span, Reduction reduction, Communicator comm) {
        allreduce(span, 0, count(span, reduction), reduction, comm);
    }

    /**
     * Reduces element by element, and all members get the result, bit for bit the same.
     *
     * @param span the memory, aligned to its elements
     * @param offset bytes from its beginning
     * @param count elements, the same on every member
     * @param reduction what to do
     * @param comm the communicator
     * @throws MismatchException if the members disagree
     * @throws CallbackException if a user's reducer threw; the collective was completed
     */
    public void allreduce(Span span, long offset, long count, Reduction reduction,
            Communicator comm) {
        collectives.reduce(FmplBinding.ALLREDUCE, Span.memory(span), offset, count,
                Reduction.op(reduction), 0, Communicator.state(comm));
    }

    /** Elements of a whole span. */
    private static long count(Span span, Reduction reduction) {
        return Reduction.op(reduction).count(Span.memory(span).bytes);
    }

    /** Returns when every rank has called it. */
    public void barrier() {
        barrier(world());
    }

    /**
     * Returns when every member has called it.
     *
     * @param comm the communicator
     */
    public void barrier(Communicator comm) {
        collectives.barrier(Communicator.state(comm));
    }

    /**
     * What the instrument has measured on this rank; see {@link #breakdown(boolean)}.
     *
     * @return medians in nanoseconds; all 0 if it was never on
     * @throws ClosedException after close
     */
    public Breakdown breakdown() {
        return state.instrument().read();
    }

    /**
     * Switches the instrument that takes messages apart. It is off at first, and free while off.
     *
     * @param on whether to measure, which slows short messages; switching on begins anew
     * @throws ClosedException after close
     */
    public void breakdown(boolean on) {
        state.instrument().turn(on);
    }

    /**
     * Closes FMPL on this rank; idempotent. Operations that other threads have under way end with
     * {@link ClosedException}. What is prepared on it by {@link PersistentColl} cannot be started
     * any more.
     */
    @Override
    public void close() {
        state.close();
    }
}
