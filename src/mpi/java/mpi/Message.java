// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.internal.bindings.TaggedBinding;
import io.hayate.internal.errors.Outcome;
import java.lang.ref.Reference;
import java.nio.Buffer;

/**
 * A message that a probe has taken out, so that only a receive by this object gets it. An object
 * holds one message at a time, or none, or that of {@code MPI.PROC_NULL}. One thread at a time.
 */
public final class Message {
    private Comm comm;
    private Status status;
    /** The native message; 0: none. */
    private long taken;
    private boolean nobody;

    /** Creates an object without a message. */
    public Message() {
    }

    /**
     * Says whether it holds no message.
     *
     * @return true: a probe must come first
     */
    public boolean isNull() {
        return taken == 0 && !nobody;
    }

    /**
     * Says whether it holds the message of {@code MPI.PROC_NULL}.
     *
     * @return true: a receive gets nothing
     */
    public boolean isNoProc() {
        return nobody;
    }

    /**
     * Waits for a message, and takes it.
     *
     * @param source the rank of the sender, {@code MPI.ANY_SOURCE} or {@code MPI.PROC_NULL}
     * @param tag 0 or more, or {@code MPI.ANY_TAG}
     * @param from the communicator
     * @return source, tag and length of the message
     */
    public Status mProbe(int source, int tag, Comm from) {
        return take(source, tag, from, true);
    }

    /**
     * Takes a message if one has arrived.
     *
     * @param source the rank of the sender, {@code MPI.ANY_SOURCE} or {@code MPI.PROC_NULL}
     * @param tag 0 or more, or {@code MPI.ANY_TAG}
     * @param from the communicator
     * @return source, tag and length of the message; null: none has arrived
     */
    public Status imProbe(int source, int tag, Comm from) {
        return take(source, tag, from, false);
    }

    private Status take(int source, int tag, Comm from, boolean waits) {
        if (!isNull()) {
            throw from.fails(ErrorClass.REQUEST, "the object holds a message: receive it first");
        }
        long[] found = new long[1];
        status = from.probe(source, tag, waits, found);
        comm = from;
        taken = found[0];
        nobody = status != null && taken == 0;
        return status;
    }

    /**
     * Receives the message.
     *
     * @param buf the room for it
     * @param count the number of elements that there is room for
     * @param type their type
     * @return source, tag and length of the message
     */
    public Status mRecv(Object buf, int count, Datatype type) {
        return receive(buf, count, type).waitStatus();
    }

    /**
     * Starts to receive the message.
     *
     * @param buf the room for it, not to be used until the request is complete
     * @param count the number of elements that there is room for
     * @param type their type
     * @return the request
     */
    public Request imRecv(Buffer buf, int count, Datatype type) {
        return receive(buf, count, type);
    }

    private Request receive(Object buf, int count, Datatype type) {
        if (isNull()) {
            throw new MPIException(ErrorClass.REQUEST, "there is no message: call mProbe or"
                    + " imProbe first");
        }
        Payload room = comm.room(buf, 0, count, type);
        if (nobody) {
            nobody = false;
            return Request.complete(comm.engine, Status.ofNobody());
        }
        Comm from = comm;
        long outcome = room.isObjects()
                ? TaggedBinding.receiveTakenNew(from.tagged, taken)
                : TaggedBinding.receiveTaken(from.tagged, taken, room.memory, room.start,
                        room.bytes);
        Reference.reachabilityFence(from);
        if (!Outcome.goesOn(outcome)) {
            throw from.failed(outcome);
        }
        taken = 0;
        return new Request(from, room, outcome, false);
    }
}
