// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Communicator;
import io.hayate.HayateException;
import io.hayate.internal.bindings.TaggedBinding;
import io.hayate.internal.errors.Errors;

/**
 * What a communicator is made of, and how its calls fail. A communicator is null before MPI.Init
 * (MPI.COMM_WORLD), after it was freed, and on ranks that do not belong to it.
 */
class CommState {
    /** The native object for messages; 0: the communicator is null. */
    long tagged;
    /** The same members with messages of its own: those of collectives. */
    Comm hidden;
    private int exchanges;
    Engine engine;
    /** For collectives of the local group. */
    Communicator collectives;
    /** The ranks to which messages are sent: of an intercommunicator, those of the other group. */
    Members partners;
    Members members;
    int rank;
    /** mpiJava: the group of the members; null while the communicator is null. */
    public Group group;
    private volatile Errhandler errhandler = Errhandler.INITIAL;

    CommState() {
    }

    /**
     * Makes a communicator of this object.
     *
     * @param messages the native object for the program's messages
     * @param hiddenMessages another one, for those of collectives; 0: it has no collectives
     */
    final void become(Engine its, Communicator local, long messages, long hiddenMessages,
            Members own, Members other) {
        if (hiddenMessages != 0) {
            hidden = new Comm();
            hidden.become(its, local, hiddenMessages, 0, own, other);
        }
        engine = its;
        collectives = local;
        members = own;
        partners = other;
        rank = local.rank();
        group = new Group(own, its.job.rank());
        tagged = messages;
    }

    /** Opens messages on a communicator of Hayate, and makes a communicator of this object. */
    final void become(Engine its, Communicator local) {
        int[] worlds = new int[local.size()];
        for (int i = 0; i < worlds.length; i++) {
            worlds[i] = local.jobRank(i);
        }
        Members own = new Members(worlds);
        become(its, local, its.openOn(local), its.openOn(local), own, own);
    }

    final Engine requireOpen() {
        if (tagged == 0) {
            Engine.get();
            throw fails(ErrorClass.COMM, "the communicator is null or was freed: expected one such"
                    + " as MPI.COMM_WORLD");
        }
        return engine;
    }

    /** Returns the number of the next exchange of messages of a collective. */
    final int nextExchange() {
        return exchanges++ & Integer.MAX_VALUE;
    }

    final boolean isInterComm() {
        return partners != members;
    }

    final Errhandler handler() {
        return errhandler;
    }

    final void handler(Errhandler next) {
        if (next == null) {
            throw fails(ErrorClass.ARG, "the error handler is null: expected MPI.ERRORS_RETURN or"
                    + " MPI.ERRORS_ARE_FATAL");
        }
        errhandler = next;
    }

    // ---- failures ----

    /** Returns an exception to throw, unless the error handler ends the job. */
    final MPIException fails(int errorClass, String message) {
        return fails(new MPIException(errorClass, message));
    }

    final MPIException fails(MPIException failure) {
        return errhandler.handle(failure, engine);
    }

    final MPIException fails(HayateException failure) {
        return fails(Failures.of(failure));
    }

    /** Returns the exception for a native call that failed with this code. */
    final MPIException failed(long code) {
        try {
            Errors.check(code);
        } catch (HayateException failure) {
            return fails(failure);
        }
        throw new AssertionError("no failure: " + code);
    }

    // ---- checks ----

    final void checkDestination(int dest, int tag) {
        requireOpen();
        if (dest != Constants.PROC_NULL && (dest < 0 || dest >= partners.size())) {
            throw fails(ErrorClass.RANK, "the destination is rank " + dest + ": expected 0 to "
                    + (partners.size() - 1) + ", or MPI.PROC_NULL");
        }
        if (tag < 0) {
            throw fails(ErrorClass.TAG, "the tag is " + tag + ": expected 0 to 2147483647");
        }
    }

    final void checkSource(int source, int tag) {
        requireOpen();
        if (source != Constants.PROC_NULL && source != Constants.ANY_SOURCE
                && (source < 0 || source >= partners.size())) {
            throw fails(ErrorClass.RANK, "the source is rank " + source + ": expected 0 to "
                    + (partners.size() - 1) + ", MPI.ANY_SOURCE or MPI.PROC_NULL");
        }
        if (tag < 0 && tag != Constants.ANY_TAG) {
            throw fails(ErrorClass.TAG, "the tag is " + tag
                    + ": expected 0 to 2147483647, or MPI.ANY_TAG");
        }
    }

    /** Closes its messages; the memory of what is under way stays as long as it must. */
    final void release() {
        long messages = tagged;
        tagged = 0;
        if (hidden != null) {
            hidden.release();
        }
        if (messages != 0) {
            TaggedBinding.closeOn(messages);
        }
    }
}
