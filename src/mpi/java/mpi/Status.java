// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * What a receive or a probe has found: the source, the tag and the length of a message. A send has
 * an empty status.
 */
public final class Status {
    /** mpiJava: the rank of the sender. */
    public int source;
    /** mpiJava: the tag of the message. */
    public int tag;
    /** mpiJava: the place of the request among those that a call waited for. */
    public int index;
    /** mpiJava: the number of elements of the message; -1: not known. */
    public int count = -1;
    /** mpiJava: the length of the message in bytes; those beyond 2^31 do not count. */
    public int countInBytes;
    /** mpiJava: the number of elements of the message; -1: not known. */
    public int numEls = -1;

    int error;
    long bytes;
    private boolean cancelled;

    /** Creates the status of no message. */
    public Status() {
        this(Constants.ANY_SOURCE, Constants.ANY_TAG, 0);
    }

    Status(int source, int tag, long bytes) {
        this.source = source;
        this.tag = tag;
        this.bytes = bytes;
        countInBytes = (int) bytes;
        index = Constants.UNDEFINED;
    }

    /** The status of a message from or to MPI.PROC_NULL. */
    static Status ofNobody() {
        return new Status(Constants.PROC_NULL, Constants.ANY_TAG, 0);
    }

    Status at(int place) {
        index = place;
        return this;
    }

    Status cancelled(boolean was) {
        cancelled = was;
        return this;
    }

    /**
     * Returns the number of elements of the message.
     *
     * @param datatype the type of the elements, usually that of the receive
     * @return the number; {@code MPI.UNDEFINED} if the message ends inside an element
     * @throws MPIException ERR_TYPE if the datatype is null or was freed
     */
    public int getCount(Datatype datatype) {
        return Counting.count(bytes, datatype);
    }

    /**
     * Returns the number of values of primitive types in the message.
     *
     * @param datatype the type of the elements
     * @return the number; {@code MPI.UNDEFINED} if the message ends inside a value
     * @throws MPIException ERR_TYPE if the datatype is null or was freed
     */
    public int getElements(Datatype datatype) {
        return Counting.elements(bytes, datatype);
    }

    /**
     * Returns the same as {@link #getElements}, for messages of any length.
     *
     * @param datatype the type of the elements
     * @return the number
     */
    public Count getElementsX(Datatype datatype) {
        return new Count(Counting.elementsX(bytes, datatype));
    }

    /**
     * Sets what {@link #getElements} returns.
     *
     * @param datatype the type of the elements
     * @param number their number
     */
    public void setElements(Datatype datatype, int number) {
        bytes = Counting.bytes(number, datatype);
    }

    /**
     * Sets what {@link #getElementsX} returns.
     *
     * @param datatype the type of the elements
     * @param number their number
     */
    public void setElementsX(Datatype datatype, Count number) {
        bytes = Counting.bytes(number.getCount(), datatype);
    }

    /**
     * Returns the rank of the sender.
     *
     * @return its rank in the communicator, or {@code MPI.PROC_NULL}
     */
    public int getSource() {
        return source;
    }

    /**
     * Returns the tag of the message.
     *
     * @return the tag
     */
    public int getTag() {
        return tag;
    }

    /**
     * Returns the error class of the operation.
     *
     * @return {@code MPI.SUCCESS}, or the class
     */
    public int getError() {
        return error;
    }

    /**
     * Returns the place of the request in the array of the call that returned this status.
     *
     * @return the place, or {@code MPI.UNDEFINED}
     */
    public int getIndex() {
        return index;
    }

    /**
     * Says whether the operation was cancelled.
     *
     * @return true: there is no message
     */
    public boolean isCancelled() {
        return cancelled;
    }

    /**
     * Sets what {@link #isCancelled} returns.
     *
     * @param flag the value
     */
    public void setCancelled(boolean flag) {
        cancelled = flag;
    }

    /**
     * mpiJava: returns the same as {@link #getCount}.
     *
     * @param datatype the type of the elements
     * @return the number, or {@code MPI.UNDEFINED}
     */
    public int Get_count(Datatype datatype) {
        return getCount(datatype);
    }

    /**
     * mpiJava: returns the same as {@link #getElements}.
     *
     * @param datatype the type of the elements
     * @return the number, or {@code MPI.UNDEFINED}
     */
    public int Get_elements(Datatype datatype) {
        return getElements(datatype);
    }

    /**
     * mpiJava: returns the same as {@link #isCancelled}.
     *
     * @return true: the operation was cancelled
     */
    public boolean Test_cancelled() {
        return cancelled;
    }

    /** mpiJava: does nothing. */
    public void free() {
    }
}
