// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * Messages between two processes, by the names of mpiJava: the data begin at an element of the
 * buffer, usually an array, and non-blocking calls take arrays, too. What the methods do, and what
 * they throw, is described at those of {@link PointToPoint} that they name.
 */
class MpiJavaMessages extends PointToPoint {
    MpiJavaMessages() {
    }

    /**
     * Sends a message, as {@link #send}.
     *
     * @param buf the data
     * @param offset the element of the buffer with which they begin
     * @param count the number of elements
     * @param datatype their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     */
    public void Send(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        send(buf, Payload.offset(buf, offset), count, datatype, dest, tag, STANDARD);
    }

    /**
     * Sends a message synchronously, as {@link #sSend}.
     *
     * @param buf the data
     * @param offset the element of the buffer with which they begin
     * @param count the number of elements
     * @param datatype their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     */
    public void Ssend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        send(buf, Payload.offset(buf, offset), count, datatype, dest, tag, SYNCHRONOUS);
    }

    /**
     * Sends a message whose receive has been posted, as {@link #rSend}.
     *
     * @param buf the data
     * @param offset the element of the buffer with which they begin
     * @param count the number of elements
     * @param datatype their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     */
    public void Rsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        send(buf, Payload.offset(buf, offset), count, datatype, dest, tag, STANDARD);
    }

    /**
     * Sends a message or a copy of it, as {@link #bSend}.
     *
     * @param buf the data
     * @param offset the element of the buffer with which they begin
     * @param count the number of elements
     * @param datatype their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     */
    public void Bsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        buffered(buf, Payload.offset(buf, offset), count, datatype, dest, tag);
    }

    /**
     * Receives a message, as {@link #recv}.
     *
     * @param buf the room for the message
     * @param offset the element of the buffer with which it begins
     * @param count the number of elements that there is room for
     * @param datatype their type
     * @param source the rank of the sender, {@code MPI.ANY_SOURCE} or {@code MPI.PROC_NULL}
     * @param tag 0 or more, or {@code MPI.ANY_TAG}
     * @return source, tag and length of the message
     */
    public Status Recv(Object buf, int offset, int count, Datatype datatype, int source, int tag) {
        return receive(buf, Payload.offset(buf, offset), count, datatype, source, tag);
    }

    /**
     * Starts a send, as {@link #iSend}.
     *
     * @param buf the data
     * @param offset the element of the buffer with which they begin
     * @param count the number of elements
     * @param datatype their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @return the request
     */
    public Request Isend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return isend(buf, Payload.offset(buf, offset), count, datatype, dest, tag, STANDARD);
    }

    /**
     * Starts a synchronous send, as {@link #isSend}.
     *
     * @param buf the data
     * @param offset the element of the buffer with which they begin
     * @param count the number of elements
     * @param datatype their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @return the request
     */
    public Request Issend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return isend(buf, Payload.offset(buf, offset), count, datatype, dest, tag, SYNCHRONOUS);
    }

    /**
     * Starts a send whose receive has been posted, as {@link #irSend}.
     *
     * @param buf the data
     * @param offset the element of the buffer with which they begin
     * @param count the number of elements
     * @param datatype their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @return the request
     */
    public Request Irsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return isend(buf, Payload.offset(buf, offset), count, datatype, dest, tag, STANDARD);
    }

    /**
     * Starts a buffered send, as {@link #ibSend}.
     *
     * @param buf the data
     * @param offset the element of the buffer with which they begin
     * @param count the number of elements
     * @param datatype their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @return the request
     */
    public Request Ibsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        Bsend(buf, offset, count, datatype, dest, tag);
        return Request.complete(engine);
    }

    /**
     * Starts a receive, as {@link #iRecv}.
     *
     * @param buf the room for the message
     * @param offset the element of the buffer with which it begins
     * @param count the number of elements that there is room for
     * @param datatype their type
     * @param source the rank of the sender, {@code MPI.ANY_SOURCE} or {@code MPI.PROC_NULL}
     * @param tag 0 or more, or {@code MPI.ANY_TAG}
     * @return the request
     */
    public Request Irecv(Object buf, int offset, int count, Datatype datatype, int source,
            int tag) {
        return irecv(buf, Payload.offset(buf, offset), count, datatype, source, tag);
    }

    /**
     * Creates a request for sends, as {@link #sendInit}.
     *
     * @param buf the data
     * @param offset the element of the buffer with which they begin
     * @param count the number of elements
     * @param datatype their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @return the request, not started
     */
    public Prequest Send_init(Object buf, int offset, int count, Datatype datatype, int dest,
            int tag) {
        Datatype lasting = lasting(datatype);
        return prepared(dest, tag, () -> Isend(buf, offset, count, lasting, dest, tag));
    }

    /**
     * Creates a request for buffered sends, as {@link #bSendInit}.
     *
     * @param buf the data
     * @param offset the element of the buffer with which they begin
     * @param count the number of elements
     * @param datatype their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @return the request, not started
     */
    public Prequest Bsend_init(Object buf, int offset, int count, Datatype datatype, int dest,
            int tag) {
        Datatype lasting = lasting(datatype);
        return prepared(dest, tag, () -> Ibsend(buf, offset, count, lasting, dest, tag));
    }

    /**
     * Creates a request for synchronous sends, as {@link #sSendInit}.
     *
     * @param buf the data
     * @param offset the element of the buffer with which they begin
     * @param count the number of elements
     * @param datatype their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @return the request, not started
     */
    public Prequest Ssend_init(Object buf, int offset, int count, Datatype datatype, int dest,
            int tag) {
        Datatype lasting = lasting(datatype);
        return prepared(dest, tag, () -> Issend(buf, offset, count, lasting, dest, tag));
    }

    /**
     * Creates a request for sends whose receives have been posted, as {@link #rSendInit}.
     *
     * @param buf the data
     * @param offset the element of the buffer with which they begin
     * @param count the number of elements
     * @param datatype their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param tag 0 or more
     * @return the request, not started
     */
    public Prequest Rsend_init(Object buf, int offset, int count, Datatype datatype, int dest,
            int tag) {
        Datatype lasting = lasting(datatype);
        return prepared(dest, tag, () -> Irsend(buf, offset, count, lasting, dest, tag));
    }

    /**
     * Creates a request for receives, as {@link #recvInit}.
     *
     * @param buf the room for the message
     * @param offset the element of the buffer with which it begins
     * @param count the number of elements that there is room for
     * @param datatype their type
     * @param source the rank of the sender, {@code MPI.ANY_SOURCE} or {@code MPI.PROC_NULL}
     * @param tag 0 or more, or {@code MPI.ANY_TAG}
     * @return the request, not started
     */
    public Prequest Recv_init(Object buf, int offset, int count, Datatype datatype, int source,
            int tag) {
        checkSource(source, tag);
        Datatype lasting = lasting(datatype);
        return new Prequest((Comm) this,
                () -> Irecv(buf, offset, count, lasting, source, tag));
    }

    /**
     * Sends one message and receives another, as {@link #sendRecv}.
     *
     * @param sendbuf the data to send
     * @param sendoffset the element of the buffer with which they begin
     * @param sendcount their number of elements
     * @param sendtype their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param sendtag 0 or more
     * @param recvbuf the room for the message that comes
     * @param recvoffset the element of the buffer with which it begins
     * @param recvcount the elements that there is room for
     * @param recvtype their type
     * @param source the rank of the sender, {@code MPI.ANY_SOURCE} or {@code MPI.PROC_NULL}
     * @param recvtag 0 or more, or {@code MPI.ANY_TAG}
     * @return source, tag and length of the message received
     */
    public Status Sendrecv(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
            int dest, int sendtag, Object recvbuf, int recvoffset, int recvcount,
            Datatype recvtype, int source, int recvtag) {
        return exchange(sendbuf, Payload.offset(sendbuf, sendoffset), sendcount, sendtype, dest,
                sendtag, recvbuf, Payload.offset(recvbuf, recvoffset), recvcount, recvtype, source,
                recvtag);
    }

    /**
     * Sends a message and receives another into the same buffer, as {@link #sendRecvReplace}.
     *
     * @param buf the data to send, then the message received
     * @param offset the element of the buffer with which they begin
     * @param count the number of elements
     * @param type their type
     * @param dest the rank of the receiver, or {@code MPI.PROC_NULL}
     * @param sendtag 0 or more
     * @param source the rank of the sender, {@code MPI.ANY_SOURCE} or {@code MPI.PROC_NULL}
     * @param recvtag 0 or more, or {@code MPI.ANY_TAG}
     * @return source, tag and length of the message received
     */
    public Status Sendrecv_replace(Object buf, int offset, int count, Datatype type, int dest,
            int sendtag, int source, int recvtag) {
        return replace(buf, Payload.offset(buf, offset), count, type, dest, sendtag, source,
                recvtag);
    }

    /**
     * Waits for a message, and leaves it, as {@link #probe(int, int)}.
     *
     * @param source the rank of the sender, {@code MPI.ANY_SOURCE} or {@code MPI.PROC_NULL}
     * @param tag 0 or more, or {@code MPI.ANY_TAG}
     * @return source, tag and length of the message
     */
    public Status Probe(int source, int tag) {
        return probe(source, tag);
    }

    /**
     * Looks for a message, and leaves it, as {@link #iProbe}.
     *
     * @param source the rank of the sender, {@code MPI.ANY_SOURCE} or {@code MPI.PROC_NULL}
     * @param tag 0 or more, or {@code MPI.ANY_TAG}
     * @return source, tag and length of the message; null: none has arrived
     */
    public Status Iprobe(int source, int tag) {
        return iProbe(source, tag);
    }
}
