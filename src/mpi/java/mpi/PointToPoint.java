// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.internal.bindings.TaggedBinding;
import io.hayate.internal.errors.Outcome;
import io.hayate.internal.job.VirtualThreads;
import java.lang.ref.Reference;
import java.nio.Buffer;

/**
 * Messages between two processes, by the names of Open MPI's Java binding. Buffers are arrays,
 * direct buffers, or buffers of arrays; positions and limits of buffers do not matter, {@link
 * MPI#slice} makes one that begins elsewhere. An arena (JDK 22) that a buffer's memory belongs to
 * must not be closed before the call or the request is over. Any thread may call any method.
 *
 * <p>All methods throw {@link MPIException} before anything is sent: ERR_COMM (the communicator is
 * null), ERR_RANK, ERR_TAG, ERR_COUNT, ERR_TYPE, ERR_BUFFER (null, too short, read-only, of a
 * closed arena or of one of another thread); and ERR_PROC_FAILED if the other process ends
 * meanwhile, ERR_TRUNCATE if a message is longer than the room for it, whose beginning it then has.
 */
class PointToPoint extends CommState {
    static final int STANDARD = TaggedBinding.STANDARD;
    static final int SYNCHRONOUS = TaggedBinding.SYNCHRONOUS;
    /** Nothing was sent: native code cannot use the memory as it is, or refuses an argument. */
    private static final int UNUSABLE = -1;

    PointToPoint() {
    }

    // ---- blocking ----

    /**
     * Sends a message, and returns when the buffer may be changed.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     */
    public final void send(Object buf, int count, Datatype type, int dest, int tag) {
        if (type != null && type.plain && count >= 0 && tagged != 0 && dest >= 0
                && !VirtualThreads.isCurrent()) {
            int rc = quickly(buf, count * type.bytes, type, dest, tag);
            Reference.reachabilityFence(this);
            if (rc == 0) {
                return;
            }
            if (rc != UNUSABLE) {
                throw failed(rc);
            }
        }
        send(buf, 0, count, type, dest, tag, STANDARD);
    }

    /** Sends memory that native code can use as it is. Returns 0, UNUSABLE or another code. */
    private int quickly(Object buf, long bytes, Datatype type, int dest, int tag) {
        if (bytes <= Payload.direct(buf)) {
            return TaggedBinding.sendDirect(tagged, buf, 0, bytes, dest, tag);
        }
        return bytes <= Payload.array(buf, type) ? TaggedBinding.send(tagged, buf,
                Payload.startOf(buf), bytes, dest, tag, STANDARD) : UNUSABLE;
    }

    final void send(Object buf, long offset, int count, Datatype type, int dest, int tag,
            int mode) {
        checkDestination(dest, tag);
        Payload data = sent(buf, offset, count, type);
        if (dest == Constants.PROC_NULL) {
            return;
        }
        if (VirtualThreads.isCurrent()) {
            isend(data, dest, tag, mode).waitFor();
            return;
        }
        int rc = TaggedBinding.send(tagged, data.memory, data.start, data.bytes, dest, tag, mode);
        Reference.reachabilityFence(this);
        if (rc != 0) {
            throw failed(rc);
        }
    }

    /** Returns the data of a send; the error handler hears of what is wrong with them. */
    final Payload sent(Object buf, long offset, int count, Datatype type) {
        try {
            return Payload.ofSend(buf, offset, count, type);
        } catch (MPIException wrong) {
            throw fails(wrong);
        }
    }

    final Payload room(Object buf, long offset, int count, Datatype type) {
        try {
            return Payload.ofReceive(buf, offset, count, type);
        } catch (MPIException wrong) {
            throw fails(wrong);
        }
    }

    /**
     * Receives a message.
     *
     * @param buf the room for it
     * @param count the number of elements that there is room for
     * @param type their type
     * @param source the rank of the sender, {@code MPI.ANY_SOURCE} or {@code MPI.PROC_NULL}
     * @param tag 0 or more, or {@code MPI.ANY_TAG}
     * @return source, tag and length of the message
     */
    public final Status recv(Object buf, int count, Datatype type, int source, int tag) {
        if (type != null && type.plain && count >= 0 && tagged != 0 && source >= 0 && tag >= 0
                && !VirtualThreads.isCurrent()) {
            long outcome = quickly(buf, count * type.bytes, type, source, tag, 0);
            Reference.reachabilityFence(this);
            if (Outcome.isComplete(outcome)) {
                return new Status(source, tag, Outcome.bytes(outcome));
            }
            if (outcome != 0) {
                checkSource(source, tag);
                throw failed(outcome);
            }
        }
        return receive(buf, 0, count, type, source, tag);
    }

    /** The same for a receive; 0: native code cannot use the memory as it is. */
    private long quickly(Object buf, long bytes, Datatype type, int source, int tag, long none) {
        if (bytes <= Payload.direct(buf)) {
            return ((Buffer) buf).isReadOnly() ? none
                    : TaggedBinding.recvDirect(tagged, buf, 0, bytes, source, tag);
        }
        return bytes <= Payload.array(buf, type) ? TaggedBinding.recv(tagged, buf,
                Payload.startOf(buf), bytes, source, tag, null) : none;
    }

    final Status receive(Object buf, long offset, int count, Datatype type, int source, int tag) {
        checkSource(source, tag);
        Payload room = room(buf, offset, count, type);
        if (source == Constants.PROC_NULL) {
            return Status.ofNobody();
        }
        if (room.isObjects() || VirtualThreads.isCurrent()) {
            return start(room, source, tag).waitStatus();
        }
        long[] found = new long[2];
        long outcome = TaggedBinding.recv(tagged, room.memory, room.start, room.bytes, source, tag,
                found);
        Reference.reachabilityFence(this);
        if (Outcome.isComplete(outcome) || outcome == Request.TRUNCATED) {
            room.arrived(outcome == Request.TRUNCATED ? room.bytes : Outcome.bytes(outcome));
        }
        if (!Outcome.isComplete(outcome)) {
            throw failed(outcome);
        }
        return new Status((int) found[0], (int) found[1], Outcome.bytes(outcome));
    }

    /**
     * Sends a message, and returns when its receive has begun and the buffer may be changed.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     */
    public final void sSend(Object buf, int count, Datatype type, int dest, int tag) {
        send(buf, 0, count, type, dest, tag, SYNCHRONOUS);
    }

    /**
     * Sends a message whose receive has been posted, as {@link #send}.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     */
    public final void rSend(Object buf, int count, Datatype type, int dest, int tag) {
        send(buf, 0, count, type, dest, tag, STANDARD);
    }

    /**
     * Sends a message, or a copy of it in the buffer that {@link MPI#attachBuffer} has attached;
     * never waits for the receiver.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @throws MPIException ERR_BUFFER if there is no room for a copy
     */
    public final void bSend(Object buf, int count, Datatype type, int dest, int tag) {
        buffered(buf, 0, count, type, dest, tag);
    }

    final void buffered(Object buf, long offset, int count, Datatype type, int dest, int tag) {
        checkDestination(dest, tag);
        Payload data = sent(buf, offset, count, type);
        if (dest == Constants.PROC_NULL) {
            return;
        }
        try {
            engine.buffered.reserve(engine, data.bytes);
        } catch (MPIException full) {
            throw fails(full);
        }
        int rc = TaggedBinding.bsend(tagged, data.memory, data.start, data.bytes, dest, tag);
        Reference.reachabilityFence(this);
        if (rc != 0) {
            throw failed(rc);
        }
    }

    /**
     * Sends one message and receives another at the same time.
     *
     * @param sendbuf the data to send
     * @param sendcount their number of elements
     * @param sendtype their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param sendtag 0 or more
     * @param recvbuf the room for the message that comes; it must not overlap the data to send
     * @param recvcount the elements that there is room for
     * @param recvtype their type
     * @param source the rank of the sender, {@code MPI.ANY_SOURCE} or {@code MPI.PROC_NULL}
     * @param recvtag 0 or more, or {@code MPI.ANY_TAG}
     * @return source, tag and length of the message received
     */
    public final Status sendRecv(Object sendbuf, int sendcount, Datatype sendtype, int dest,
            int sendtag, Object recvbuf, int recvcount, Datatype recvtype, int source,
            int recvtag) {
        return exchange(sendbuf, 0, sendcount, sendtype, dest, sendtag, recvbuf, 0, recvcount,
                recvtype, source, recvtag);
    }

    final Status exchange(Object out, long outOffset, int outCount, Datatype outType, int dest,
            int outTag, Object in, long inOffset, int inCount, Datatype inType, int source,
            int inTag) {
        checkSource(source, inTag);
        checkDestination(dest, outTag);
        room(in, inOffset, inCount, inType);
        Request sending = isend(out, outOffset, outCount, outType, dest, outTag, STANDARD);
        return both(sending, in, inOffset, inCount, inType, source, inTag);
    }

    /** Receives, and waits for a send; if the receive fails, the send goes on. */
    private Status both(Request sending, Object in, long offset, int count, Datatype type,
            int source, int tag) {
        try {
            Status status = receive(in, offset, count, type, source, tag);
            sending.waitFor();
            return status;
        } catch (MPIException failure) {
            sending.free();
            throw failure;
        }
    }

    /**
     * Sends a message and receives another into the same buffer.
     *
     * @param buf the data to send, then the message received
     * @param count the number of elements
     * @param type their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param sendtag 0 or more
     * @param source the rank of the sender, {@code MPI.ANY_SOURCE} or {@code MPI.PROC_NULL}
     * @param recvtag 0 or more, or {@code MPI.ANY_TAG}
     * @return source, tag and length of the message received
     */
    public final Status sendRecvReplace(Object buf, int count, Datatype type, int dest,
            int sendtag, int source, int recvtag) {
        return replace(buf, 0, count, type, dest, sendtag, source, recvtag);
    }

    final Status replace(Object buf, long offset, int count, Datatype type, int dest, int sendTag,
            int source, int recvTag) {
        checkSource(source, recvTag);
        checkDestination(dest, sendTag);
        room(buf, offset, count, type);
        Payload data = Payload.ofCopy(buf, offset, count, type);
        Request sending = dest == Constants.PROC_NULL ? Request.complete(engine)
                : isend(data, dest, sendTag, STANDARD);
        return both(sending, buf, offset, count, type, source, recvTag);
    }

    // ---- non-blocking ----

    /**
     * Starts a send. The data must not change until the request is complete.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @return the request
     */
    public final Request iSend(Buffer buf, int count, Datatype type, int dest, int tag) {
        return isend(buf, 0, count, type, dest, tag, STANDARD);
    }

    /**
     * Starts a buffered send, which is complete at once: as {@link #bSend}.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @return the request
     */
    public final Request ibSend(Buffer buf, int count, Datatype type, int dest, int tag) {
        bSend(buf, count, type, dest, tag);
        return Request.complete(engine);
    }

    /**
     * Starts a synchronous send, which is complete when its receive has begun.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @return the request
     */
    public final Request isSend(Buffer buf, int count, Datatype type, int dest, int tag) {
        return isend(buf, 0, count, type, dest, tag, SYNCHRONOUS);
    }

    /**
     * Starts a send whose receive has been posted, as {@link #iSend}.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @return the request
     */
    public final Request irSend(Buffer buf, int count, Datatype type, int dest, int tag) {
        return iSend(buf, count, type, dest, tag);
    }

    final Request isend(Object buf, long offset, int count, Datatype type, int dest, int tag,
            int mode) {
        checkDestination(dest, tag);
        Payload data = sent(buf, offset, count, type);
        return dest == Constants.PROC_NULL ? Request.complete(engine)
                : isend(data, dest, tag, mode);
    }

    private Request isend(Payload data, int dest, int tag, int mode) {
        long outcome = TaggedBinding.isend(tagged, data.memory, data.start, data.bytes, dest, tag,
                mode);
        Reference.reachabilityFence(this);
        if (Outcome.goesOn(outcome)) {
            return new Request((Comm) this, data, outcome, true);
        }
        if (!Outcome.isComplete(outcome)) {
            throw failed(outcome);
        }
        return Request.complete(engine);
    }

    /**
     * Starts a receive. The buffer must not be used until the request is complete.
     *
     * @param buf the room for the message
     * @param count the number of elements that there is room for
     * @param type their type
     * @param source the rank of the sender, {@code MPI.ANY_SOURCE} or {@code MPI.PROC_NULL}
     * @param tag 0 or more, or {@code MPI.ANY_TAG}
     * @return the request
     */
    public final Request iRecv(Buffer buf, int count, Datatype type, int source, int tag) {
        return irecv(buf, 0, count, type, source, tag);
    }

    final Request irecv(Object buf, long offset, int count, Datatype type, int source, int tag) {
        checkSource(source, tag);
        Payload room = room(buf, offset, count, type);
        return source == Constants.PROC_NULL ? Request.complete(engine, Status.ofNobody())
                : start(room, source, tag);
    }

    private Request start(Payload room, int source, int tag) {
        if (room.isObjects()) {
            long outcome = TaggedBinding.irecvNew(tagged, source, tag);
            Reference.reachabilityFence(this);
            if (!Outcome.goesOn(outcome)) {
                throw failed(outcome);
            }
            return new Request((Comm) this, room, outcome, false);
        }
        long[] found = new long[2];
        long outcome = TaggedBinding.irecv(tagged, room.memory, room.start, room.bytes, source,
                tag, found);
        Reference.reachabilityFence(this);
        if (Outcome.goesOn(outcome)) {
            return new Request((Comm) this, room, outcome, false);
        }
        if (!Outcome.isComplete(outcome)) {
            MPIException failure = failed(outcome);
            room.arrived(outcome == Request.TRUNCATED ? room.bytes : 0);
            return Request.failed((Comm) this, failure);
        }
        room.arrived(Outcome.bytes(outcome));
        return Request.complete(engine, new Status((int) found[0], (int) found[1],
                Outcome.bytes(outcome)));
    }

    // ---- persistent ----

    /**
     * Creates a request that sends the same buffer each time that it is started.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @return the request, not started
     */
    public final Prequest sendInit(Buffer buf, int count, Datatype type, int dest, int tag) {
        Datatype lasting = lasting(type);
        return prepared(dest, tag, () -> iSend(buf, count, lasting, dest, tag));
    }

    /**
     * Creates a request for buffered sends: see {@link #bSend}.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @return the request, not started
     */
    public final Prequest bSendInit(Buffer buf, int count, Datatype type, int dest, int tag) {
        Datatype lasting = lasting(type);
        return prepared(dest, tag, () -> ibSend(buf, count, lasting, dest, tag));
    }

    /**
     * Creates a request for synchronous sends: see {@link #sSend}.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @return the request, not started
     */
    public final Prequest sSendInit(Buffer buf, int count, Datatype type, int dest, int tag) {
        Datatype lasting = lasting(type);
        return prepared(dest, tag, () -> isSend(buf, count, lasting, dest, tag));
    }

    /**
     * Creates a request for sends whose receives have been posted: see {@link #rSend}.
     *
     * @param buf the data
     * @param count the number of elements
     * @param type their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @return the request, not started
     */
    public final Prequest rSendInit(Buffer buf, int count, Datatype type, int dest, int tag) {
        return sendInit(buf, count, type, dest, tag);
    }

    /**
     * Creates a request that receives into the same buffer each time that it is started.
     *
     * @param buf the room for the messages
     * @param count the number of elements that there is room for
     * @param type their type
     * @param source the rank of the sender, {@code MPI.ANY_SOURCE} or {@code MPI.PROC_NULL}
     * @param tag 0 or more, or {@code MPI.ANY_TAG}
     * @return the request, not started
     */
    public final Prequest recvInit(Buffer buf, int count, Datatype type, int source, int tag) {
        checkSource(source, tag);
        Datatype lasting = lasting(type);
        return new Prequest((Comm) this, () -> iRecv(buf, count, lasting, source, tag));
    }

    /** The program may free a datatype while persistent requests use it. */
    final Datatype lasting(Datatype type) {
        try {
            return Datatype.lasting(type);
        } catch (MPIException wrong) {
            throw fails(wrong);
        }
    }

    final Prequest prepared(int dest, int tag, java.util.function.Supplier<Request> start) {
        checkDestination(dest, tag);
        return new Prequest((Comm) this, start);
    }

    // ---- probes ----

    /**
     * Waits for a message, and leaves it to be received.
     *
     * @param source the rank of the sender, {@code MPI.ANY_SOURCE} or {@code MPI.PROC_NULL}
     * @param tag 0 or more, or {@code MPI.ANY_TAG}
     * @return source, tag and length of the message
     */
    public final Status probe(int source, int tag) {
        return probe(source, tag, true, null);
    }

    /**
     * Looks for a message, and leaves it to be received.
     *
     * @param source the rank of the sender, {@code MPI.ANY_SOURCE} or {@code MPI.PROC_NULL}
     * @param tag 0 or more, or {@code MPI.ANY_TAG}
     * @return source, tag and length of the message; null: none has arrived
     */
    public final Status iProbe(int source, int tag) {
        return probe(source, tag, false, null);
    }

    /** take: not null: the message is taken out, and take[0] names it. */
    final Status probe(int source, int tag, boolean waits, long[] take) {
        checkSource(source, tag);
        if (source == Constants.PROC_NULL) {
            return Status.ofNobody();
        }
        if (waits && VirtualThreads.isCurrent()) {
            Status[] found = {null};
            engine.park(() -> (found[0] = probe(source, tag, false, take)) != null);
            return found[0];
        }
        long[] found = new long[3];
        long outcome = TaggedBinding.probe(tagged, source, tag, waits, take != null, found);
        Reference.reachabilityFence(this);
        if (Outcome.goesOn(outcome)) {
            return null;
        }
        if (!Outcome.isComplete(outcome)) {
            throw failed(outcome);
        }
        if (take != null) {
            take[0] = found[2];
        }
        return new Status((int) found[0], (int) found[1], Outcome.bytes(outcome));
    }
}
