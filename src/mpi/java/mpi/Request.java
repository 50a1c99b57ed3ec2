// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.ArgumentException;
import io.hayate.HayateException;
import io.hayate.internal.bindings.TaggedBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.errors.Outcome;
import io.hayate.internal.job.VirtualThreads;
import java.lang.ref.Reference;

/**
 * A communication that goes on after the call that has started it. It is complete when a wait or a
 * test says so; then the request is null, and further waits return at once with an empty status.
 * Only one thread at a time may use a request; a second one gets ERR_REQUEST.
 *
 * <p>The methods with lower-case names are those of Open MPI's Java binding, the others those of
 * mpiJava. All throw {@link MPIException} if the communication failed: ERR_TRUNCATE,
 * ERR_PROC_FAILED, and what else its operation names.
 */
public class Request implements Freeable {
    static final long TRUNCATED = -2;
    private static final long CANCELLED = Errors.CANCELLED;

    final Engine engine;
    /** The communicator, which hears of errors; null: none can come. */
    final Comm comm;
    private Payload data;
    /** The native request; 0: it is complete. */
    private long name;
    private boolean sends;
    private Status status;
    private MPIException failure;
    /** What else is to be complete: of a collective, of a file; null: nothing. */
    private Pending pending;
    /** mpiJava programs may test a request again that was complete: it is null then. */
    private boolean isNull;
    /** While a wait for several collects them: it was met before. */
    boolean listed;

    /** Something that is no message. */
    interface Pending {
        /** Waits for it, or looks once; returns its status, or null: it is not complete. */
        Status complete(boolean waits);

        /** The program has freed the request, and it goes on. */
        default void freed(Engine engine) {
            engine.tags.anchor().kept().add(this);
        }
    }

    Request(Engine engine, Comm comm) {
        this.engine = engine;
        this.comm = comm;
    }

    /** A message that is under way. */
    Request(Comm comm, Payload data, long name, boolean sends) {
        this(comm.engine, comm);
        this.data = data;
        this.name = name;
        this.sends = sends;
        engine.underWay.add(name, data);
    }

    /** Something that is under way, and itself tells whom it may concern of errors. */
    Request(Engine engine, Pending pending) {
        this(engine, (Comm) null);
        this.pending = pending;
    }

    static Request complete(Engine engine) {
        return complete(engine, new Status());
    }

    static Request complete(Engine engine, Status status) {
        Request request = new Request(engine, (Comm) null);
        request.status = status;
        return request;
    }

    static Request failed(Comm comm, MPIException failure) {
        Request request = new Request(comm.engine, comm);
        request.failure = failure;
        return request;
    }

    /** The null request. */
    static Request ofNothing() {
        Request request = new Request(null, (Comm) null);
        request.isNull = true;
        return request;
    }

    // ---- what a wait does ----

    /** Says whether a wait for several requests has to wait for this one. */
    boolean isActive() {
        return !isNull;
    }

    /** Returns the request of native code; 0: it needs none. */
    final long name() {
        return name;
    }

    /** Says whether native code alone tells when it is complete. */
    final boolean isMessage() {
        return name != 0;
    }

    /** Waits, or looks once; returns the status, or null: it is not complete. */
    Status finish(boolean waits) {
        if (isNull) {
            return new Status();
        }
        if (pending != null && !settled(waits)) {
            return null;
        }
        if (name != 0 && waits && VirtualThreads.isCurrent()) {
            return parked();
        }
        if (name != 0) {
            long[] found = new long[3];
            if (data.isObjects()) {
                byte[] stream = TaggedBinding.awaitNew(engine.tags.handle(), name, !waits, found);
                return arrived(found[2], found, 0, stream);
            }
            long outcome = TaggedBinding.await(engine.tags.handle(), name, !waits, found);
            Reference.reachabilityFence(engine);
            return arrived(outcome, found, 0, null);
        }
        return over();
    }

    private Status parked() {
        Status[] found = {null};
        engine.park(() -> (found[0] = finish(false)) != null);
        return found[0];
    }

    /** Takes the outcome of what is no message; false: it is not complete. */
    private boolean settled(boolean waits) {
        try {
            status = pending.complete(waits);
        } catch (MPIException why) {
            pending = null;
            isNull = isOnce();
            throw why;
        }
        if (status != null) {
            pending = null;
        }
        return status != null;
    }

    /** Takes the outcome of native code; null: it is not complete. */
    final Status arrived(long outcome, long[] found, int from, byte[] stream) {
        if (Outcome.goesOn(outcome)) {
            return null;
        }
        if (!Outcome.isComplete(outcome)) {
            try {
                Errors.check(outcome);
            } catch (ArgumentException another) { // thread has its outcome
                throw comm.fails(ErrorClass.REQUEST, another.getMessage());
            } catch (HayateException why) {
                failure = Failures.of(why);
            }
        }
        engine.underWay.remove(name, data);
        name = 0;
        settle(outcome, found, from, stream);
        return over();
    }

    /** Takes the outcome of a wait for several messages: from an index, source, tag and outcome. */
    Status taken(long[] found, int from) {
        return arrived(found[from + 2], found, from, null);
    }

    final boolean isObjects() {
        return data != null && data.isObjects();
    }

    private void settle(long outcome, long[] found, int from, byte[] stream) {
        if (outcome == CANCELLED) {
            failure = null;
            status = new Status().cancelled(true);
        } else if (sends) {
            status = new Status();
        } else if (Outcome.isComplete(outcome) || outcome == TRUNCATED) {
            long bytes = Outcome.isComplete(outcome) ? Outcome.bytes(outcome) : data.bytes;
            status = new Status((int) found[from], (int) found[from + 1], bytes);
            store(bytes, stream);
        }
        data = null;
    }

    private void store(long bytes, byte[] stream) {
        try {
            if (data.isObjects() && stream == null) {
                throw new MPIException(ErrorClass.NO_MEM, "the objects of the message take "
                        + bytes + " bytes: there is no memory, or no array is as long");
            }
            if (data.isObjects()) {
                status.bytes = data.objects(stream);
            } else {
                data.arrived(bytes);
            }
        } catch (MPIException wrong) {
            failure = wrong;
        }
    }

    private Status over() {
        isNull = isOnce();
        if (failure != null) {
            MPIException why = failure;
            failure = null;
            throw comm.fails(why);
        }
        Status result = status;
        status = null;
        return result == null ? new Status() : result;
    }

    /** Says whether it is null when it is complete. */
    boolean isOnce() {
        return true;
    }

    // ---- Open MPI ----

    /**
     * Says whether this is a null request: complete, or freed.
     *
     * @return true: a wait returns at once
     */
    public final boolean isNull() {
        return isNull;
    }

    /**
     * Asks to end the communication: a receive that nothing has matched, or a send that nothing
     * has received. It must be waited for all the same; its status tells whether it was cancelled.
     */
    public final void cancel() {
        Request actual = actual();
        if (actual.name == 0) {
            return;
        }
        try {
            Errors.check(TaggedBinding.cancel(engine.tags.handle(), actual.name));
        } catch (HayateException why) {
            throw actual.comm.fails(ErrorClass.REQUEST, why.getMessage());
        }
    }

    /** Returns the request that is under way: of a persistent one, that of its last start. */
    Request actual() {
        return this;
    }

    /** Forgets the request. The communication goes on; nobody can wait for it any more. */
    @Override
    public void free() {
        if (name != 0) {
            engine.adopt(new Request(comm, data, name, sends));
            name = 0;
        }
        if (pending != null) {
            pending.freed(engine);
            pending = null;
        }
        isNull = true;
    }

    /** Waits until it is complete. */
    public final void waitFor() {
        finish(true);
    }

    /**
     * Waits until it is complete.
     *
     * @return source, tag and length of a message that was received
     */
    public final Status waitStatus() {
        return finish(true);
    }

    /**
     * Looks whether it is complete.
     *
     * @return true: it is
     */
    public final boolean test() {
        return finish(false) != null;
    }

    /**
     * Looks whether it is complete.
     *
     * @return source, tag and length of a message that was received; null: it is not complete
     */
    public final Status testStatus() {
        return finish(false);
    }

    /**
     * Looks whether it is complete, and leaves it as it is.
     *
     * @return source, tag and length of a message that was received; null: it is not complete
     */
    public final Status getStatus() {
        Request actual = actual();
        if (actual.isNull || actual.name == 0 && actual.pending == null) {
            return actual.status == null ? new Status() : actual.status;
        }
        if (actual.pending != null) {
            return actual.settled(false) ? actual.status : null;
        }
        return actual.peek();
    }

    /** As finish(false), but a complete request keeps its status. */
    private Status peek() {
        Status found = finish(false);
        if (found != null) {
            status = found;
            isNull = false;
        }
        return found;
    }

    /**
     * Waits until all are complete.
     *
     * @param requests the requests; null ones count as complete
     */
    public static void waitAll(Request[] requests) {
        Requests.all(requests, true);
    }

    /**
     * Waits until all are complete.
     *
     * @param requests the requests
     * @return the status of each
     */
    public static Status[] waitAllStatus(Request[] requests) {
        return Requests.all(requests, true);
    }

    /**
     * Looks whether all are complete.
     *
     * @param requests the requests
     * @return true: they are
     */
    public static boolean testAll(Request[] requests) {
        return Requests.all(requests, false) != null;
    }

    /**
     * Looks whether all are complete.
     *
     * @param requests the requests
     * @return the status of each; null: at least one is not complete
     */
    public static Status[] testAllStatus(Request[] requests) {
        return Requests.all(requests, false);
    }

    /**
     * Waits until one is complete.
     *
     * @param requests the requests
     * @return its place; {@code MPI.UNDEFINED} if all are null
     */
    public static int waitAny(Request[] requests) {
        return Requests.any(requests, true).index;
    }

    /**
     * Waits until one is complete.
     *
     * @param requests the requests
     * @return its status, whose index is its place, or {@code MPI.UNDEFINED} if all are null
     */
    public static Status waitAnyStatus(Request[] requests) {
        return Requests.any(requests, true);
    }

    /**
     * Looks whether one is complete.
     *
     * @param requests the requests
     * @return its place; {@code MPI.UNDEFINED}: none is
     */
    public static int testAny(Request[] requests) {
        Status one = Requests.any(requests, false);
        return one == null ? Constants.UNDEFINED : one.index;
    }

    /**
     * Looks whether one is complete.
     *
     * @param requests the requests
     * @return its status, whose index is its place; null: none is complete
     */
    public static Status testAnyStatus(Request[] requests) {
        return Requests.any(requests, false);
    }

    /**
     * Waits until at least one is complete.
     *
     * @param requests the requests
     * @return the places of those that are; null if all requests are null
     */
    public static int[] waitSome(Request[] requests) {
        return Requests.places(Requests.some(requests, true));
    }

    /**
     * Waits until at least one is complete.
     *
     * @param requests the requests
     * @return the status of those that are, with their places; null if all requests are null
     */
    public static Status[] waitSomeStatus(Request[] requests) {
        return Requests.some(requests, true);
    }

    /**
     * Looks which are complete.
     *
     * @param requests the requests
     * @return their places, perhaps none; null if all requests are null
     */
    public static int[] testSome(Request[] requests) {
        return Requests.places(Requests.some(requests, false));
    }

    /**
     * Looks which are complete.
     *
     * @param requests the requests
     * @return the status of those that are, with their places; null if all requests are null
     */
    public static Status[] testSomeStatus(Request[] requests) {
        return Requests.some(requests, false);
    }

    // ---- mpiJava ----

    /** Asks to end it, as {@link #cancel}. */
    public void Cancel() {
        cancel();
    }

    /**
     * Says whether this is a null request, as {@link #isNull}.
     *
     * @return true: a wait returns at once
     */
    public boolean Is_null() {
        return isNull;
    }

    /**
     * Looks whether it is complete, as {@link #testStatus}.
     *
     * @return its status; null: it is not complete
     */
    public Status Test() {
        return finish(false);
    }

    /**
     * Waits until it is complete, as {@link #waitStatus}.
     *
     * @return its status
     */
    public Status Wait() {
        return finish(true);
    }

    /**
     * Looks whether all are complete, as {@link #testAllStatus}.
     *
     * @param requests the requests
     * @return the status of each; null: at least one is not complete
     */
    public static Status[] Testall(Request[] requests) {
        return Requests.all(requests, false);
    }

    /**
     * Looks whether one is complete, as {@link #testAnyStatus}.
     *
     * @param requests the requests
     * @return its status; null: none is complete
     */
    public static Status Testany(Request[] requests) {
        return Requests.any(requests, false);
    }

    /**
     * Looks which are complete, as {@link #testSomeStatus}.
     *
     * @param requests the requests
     * @return their status, none if all requests are null
     */
    public static Status[] Testsome(Request[] requests) {
        Status[] complete = Requests.some(requests, false);
        return complete == null ? new Status[0] : complete;
    }

    /**
     * Waits until all are complete, as {@link #waitAllStatus}.
     *
     * @param requests the requests
     * @return the status of each
     */
    public static Status[] Waitall(Request[] requests) {
        return Requests.all(requests, true);
    }

    /**
     * Waits until one is complete, as {@link #waitAnyStatus}.
     *
     * @param requests the requests
     * @return its status, whose index is its place
     */
    public static Status Waitany(Request[] requests) {
        return Requests.any(requests, true);
    }

    /**
     * Waits until at least one is complete, as {@link #waitSomeStatus}.
     *
     * @param requests the requests
     * @return their status; null if all requests are null
     */
    public static Status[] Waitsome(Request[] requests) {
        return Requests.some(requests, true);
    }

    /** mpiJava: does nothing. */
    @Override
    @SuppressWarnings({"deprecation", "removal"})
    public void finalize() {
    }
}
