// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.function.Supplier;

/**
 * A persistent request: a communication with fixed arguments, which is started any number of times.
 * After a wait it is inactive, not null; {@link #free} ends it.
 */
public final class Prequest extends Request {
    private final Supplier<Request> starter;
    private Request started; // null: it is inactive
    private boolean freed;

    Prequest(Comm comm, Supplier<Request> starter) {
        super(comm.engine, comm);
        this.starter = starter;
    }

    /**
     * Starts the communication.
     *
     * @throws MPIException ERR_REQUEST if it is under way, or was freed
     */
    public void start() {
        if (freed || started != null) {
            throw comm.fails(ErrorClass.REQUEST, freed ? "the persistent request was freed"
                    : "the persistent request is under way: wait for it first");
        }
        started = starter.get();
    }

    /**
     * Starts several communications.
     *
     * @param requests the requests
     */
    public static void startAll(Prequest[] requests) {
        for (Prequest request : requests) {
            request.start();
        }
    }

    /** mpiJava: starts it, as {@link #start}. */
    public void Start() {
        start();
    }

    /**
     * mpiJava: starts several, as {@link #startAll}.
     *
     * @param requests the requests
     */
    public static void Startall(Prequest[] requests) {
        startAll(requests);
    }

    @Override
    boolean isActive() {
        return started != null;
    }

    @Override
    boolean isOnce() {
        return false;
    }

    @Override
    Request actual() {
        return started == null ? this : started;
    }

    @Override
    Status finish(boolean waits) {
        if (started == null) {
            return new Status();
        }
        Status found;
        try {
            found = started.finish(waits);
        } catch (MPIException failure) {
            started = null;
            throw failure;
        }
        if (found != null) {
            started = null;
        }
        return found;
    }

    @Override
    Status taken(long[] found, int from) {
        Request mine = started;
        started = null;
        return mine.taken(found, from);
    }

    @Override
    public void free() {
        if (started != null) {
            started.free();
            started = null;
        }
        freed = true;
        super.free();
    }
}
