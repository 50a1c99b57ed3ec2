// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.BusyException;
import io.hayate.Communicator;
import io.hayate.HayateException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A communicator: processes that send each other messages, which those of other communicators never
 * meet. One that is null ({@link #isNull}) belongs to nobody: all methods but that one, and
 * {@code compare}, throw ERR_COMM.
 *
 * <p>Methods that create communicators, and {@link #disconnect}, are collective: all members call
 * them, in the same order.
 */
public class Comm extends CommProperties implements Freeable, Cloneable {
    /** Of {@link Intracomm#splitType}: the processes of the same node. */
    public static final int TYPE_SHARED = 0;

    /** What only the members of this communicator have in common. */
    private long identity;
    /** Of duplications in the background; the same on all members. */
    private final AtomicInteger duplications = new AtomicInteger();
    /** How this communicator is created; null: it is. */
    private Request creation;

    Comm() {
    }

    // ---- what it is ----

    /**
     * Returns the rank of this process.
     *
     * @return 0 to size - 1
     */
    public final int getRank() {
        requireOpen();
        return rank;
    }

    /**
     * Returns the number of members; of an intercommunicator, those of this process's group.
     *
     * @return at least 1
     */
    public final int getSize() {
        requireOpen();
        return members.size();
    }

    /**
     * Returns the group of the members; of an intercommunicator, that of this process.
     *
     * @return a new group
     */
    public final Group getGroup() {
        return new Group(members, requireOpen().job.rank());
    }

    /**
     * Says whether this is no communicator.
     *
     * @return true before MPI.Init, after it was freed, and where a process does not belong to it
     */
    public final boolean isNull() {
        return tagged == 0;
    }

    /**
     * Says whether it is an intercommunicator.
     *
     * @return true: messages go to another group
     */
    public final boolean isInter() {
        requireOpen();
        return isInterComm();
    }

    /**
     * Returns the kind of topology that it has.
     *
     * @return {@code MPI.CART}, {@code MPI.GRAPH}, {@code MPI.DIST_GRAPH} or {@code MPI.UNDEFINED}
     */
    public final int getTopology() {
        requireOpen();
        return topology();
    }

    int topology() {
        return Constants.UNDEFINED;
    }

    /** The ranks that this one receives from in collectives of neighbours, in their order. */
    int[] sources() {
        throw noTopology();
    }

    /** The ranks that this one sends to in collectives of neighbours, in their order. */
    int[] destinations() {
        throw noTopology();
    }

    final MPIException noTopology() {
        return fails(ErrorClass.TOPOLOGY, "the communicator has not this topology: expected one"
                + " made by createCart, createGraph or createDistGraph");
    }

    /**
     * Compares two communicators.
     *
     * @param comm1 one
     * @param comm2 another
     * @return {@code MPI.IDENT}: the same; {@code CONGRUENT}: the same ranks; {@code SIMILAR}: the
     *     same members; else {@code UNEQUAL}
     */
    public static int compare(Comm comm1, Comm comm2) {
        if (comm1 == null || comm2 == null) {
            throw new MPIException(ErrorClass.COMM, "a communicator to compare is null: expected"
                    + " two communicators");
        }
        comm1.requireOpen();
        comm2.requireOpen();
        if (comm1 == comm2) {
            return Constants.IDENT;
        }
        if (comm1.isInterComm() != comm2.isInterComm()) {
            return Constants.UNEQUAL;
        }
        int own = comm1.members.compare(comm2.members);
        int other = comm1.partners.compare(comm2.partners);
        return own == Constants.UNEQUAL || other == Constants.UNEQUAL ? Constants.UNEQUAL
                : own == Constants.SIMILAR || other == Constants.SIMILAR ? Constants.SIMILAR
                : Constants.CONGRUENT;
    }

    // ---- others of it ----

    /** Returns a null communicator of the same kind and topology, to become a duplicate. */
    Comm fresh() {
        throw new AssertionError("no kind of communicator");
    }

    /** Makes a communicator of an object, collective over its members. */
    final <C extends Comm> C made(C fresh, Communicator local) {
        fresh.handler(handler());
        try {
            fresh.identify(engine, local);
            fresh.become(engine, local);
        } catch (HayateException failure) {
            local.close();
            throw failure;
        }
        return fresh;
    }

    final void identify(Engine its, Communicator everybody) {
        identity = Duplication.agree(its, everybody);
    }

    /** Makes a duplicate of an object of the same kind, over a communicator of all members. */
    void duplicate(Comm fresh, Communicator everybody) {
        made(fresh, everybody);
    }

    /** Returns all its processes, of both groups of an intercommunicator. */
    Members everyMember() {
        return members;
    }

    /**
     * Makes a communicator of the same members, with the same attributes, hints and topology.
     *
     * @return the communicator
     */
    public Comm dup() {
        requireOpen();
        return guarded(() -> {
            Comm copy = fresh();
            duplicate(copy, everybody().dup());
            copy.copyFrom(this);
            return copy;
        });
    }

    /**
     * Makes a communicator as {@link #dup}, with other hints.
     *
     * @param info the hints
     * @return the communicator
     */
    public Comm dupWithInfo(Info info) {
        Comm copy = dup();
        copy.setInfo(info);
        return copy;
    }

    /**
     * Begins to make a communicator as {@link #dup}, and does not wait. It must not be used before
     * its request ({@link #getRequest}) is complete.
     *
     * @return the communicator
     */
    public Comm iDup() {
        requireOpen();
        Comm copy = fresh();
        copy.copyFrom(this);
        copy.creation = new Request(engine, Duplication.start(this, copy,
                SetupMessages.tagOfDuplication(identity, duplications.incrementAndGet())));
        return copy;
    }

    /**
     * Returns the request that is complete when the communicator exists.
     *
     * @return the request, of {@link #iDup}; a complete one if it was not made by that
     */
    public final Request getRequest() {
        return creation != null ? creation : Request.complete(requireOpen());
    }

    /**
     * Makes a communicator as {@link #dup}.
     *
     * @return the communicator
     */
    @Override
    public Comm clone() {
        return dup();
    }

    /**
     * Creates an intercommunicator of two groups that have no process in common. This communicator
     * contains both leaders, and counts only at these. Collective over both groups.
     *
     * @param localComm the communicator of this process's group
     * @param localLeader the rank of its leader in it
     * @param remoteLeader the rank of the other group's leader in this communicator, for the leader
     * @param tag the same for both leaders, 0 or more
     * @return the intercommunicator
     */
    public final Intercomm createIntercomm(Comm localComm, int localLeader, int remoteLeader,
            int tag) {
        if (localComm == null || localComm.isInter()) {
            throw fails(ErrorClass.COMM, "the local communicator is null or an intercommunicator:"
                    + " expected one of the processes of this group");
        }
        if (localLeader < 0 || localLeader >= localComm.members.size()) {
            throw localComm.fails(ErrorClass.RANK, "the leader is rank " + localLeader
                    + ": expected 0 to " + (localComm.members.size() - 1));
        }
        if (tag < 0) {
            throw localComm.fails(ErrorClass.TAG, "the tag is " + tag + ": expected 0 or more");
        }
        return localComm.guarded(() -> Intercomm.create(localComm, localLeader, tag,
                () -> worldOf(remoteLeader)));
    }

    /** Returns the rank of the job that is the leader of the other group. */
    private int worldOf(int remoteLeader) {
        requireOpen();
        if (remoteLeader < 0 || remoteLeader >= partners.size()) {
            throw new MPIException(ErrorClass.RANK, "the leader of the other group is rank "
                    + remoteLeader + ": expected 0 to " + (partners.size() - 1));
        }
        return partners.world(remoteLeader);
    }

    // ---- the end ----

    /**
     * Frees the communicator, which is null afterwards. What is under way goes on. The predefined
     * ones cannot be freed.
     */
    @Override
    public final void free() {
        requireOpen();
        if (this == PredefinedComms.WORLD || this == PredefinedComms.SELF) {
            throw fails(ErrorClass.COMM, "a predefined communicator cannot be freed: MPI.Finalize"
                    + " frees it");
        }
        release();
        guarded(() -> {
            closeCollectives();
            return null;
        });
    }

    void closeCollectives() {
        close(collectives);
    }

    /** One with a collective under way stays open until MPI.Finalize. */
    static void close(Communicator local) {
        try {
            local.close();
        } catch (BusyException underWay) {
            return;
        }
    }

    /** Waits until all members have called this method, and frees the communicator. */
    public final void disconnect() {
        requireOpen();
        guarded(() -> {
            everybody().barrier();
            return null;
        });
        free();
    }

    /** Returns the communicator of all its processes, of both groups of an intercommunicator. */
    Communicator everybody() {
        return collectives;
    }

    // ---- mpiJava ----

    /**
     * mpiJava: returns the rank of this process, as {@link #getRank}.
     *
     * @return 0 to size - 1
     */
    public int Rank() {
        return getRank();
    }

    /**
     * mpiJava: returns the number of members, as {@link #getSize}.
     *
     * @return at least 1
     */
    public int Size() {
        return getSize();
    }

    /**
     * mpiJava: returns the group of the members, as {@link #getGroup}.
     *
     * @return a new group
     */
    public Group Group() {
        return getGroup();
    }

    /**
     * mpiJava: compares two communicators, as {@link #compare}.
     *
     * @param comm1 one
     * @param comm2 another
     * @return {@code MPI.IDENT}, {@code CONGRUENT}, {@code SIMILAR} or {@code UNEQUAL}
     */
    public static int Compare(Comm comm1, Comm comm2) {
        return compare(comm1, comm2);
    }

    /**
     * mpiJava: says whether it is an intercommunicator, as {@link #isInter}.
     *
     * @return true: messages go to another group
     */
    public boolean Test_inter() {
        return isInter();
    }

    /**
     * mpiJava: returns the kind of topology that it has, as {@link #getTopology}.
     *
     * @return {@code MPI.CART}, {@code MPI.GRAPH} or {@code MPI.UNDEFINED}
     */
    public int Topo_test() {
        return getTopology();
    }

    /**
     * mpiJava: creates an intercommunicator, as {@link #createIntercomm}.
     *
     * @param local_comm the communicator of this process's group
     * @param local_leader the rank of its leader in it
     * @param remote_leader the rank of the other group's leader in this communicator
     * @param tag the same for both leaders, 0 or more
     * @return the intercommunicator
     */
    public Intercomm Create_intercomm(Comm local_comm, int local_leader, int remote_leader,
            int tag) {
        return createIntercomm(local_comm, local_leader, remote_leader, tag);
    }

    /** mpiJava: frees the communicator, as {@link #free}. */
    public void Free() {
        free();
    }
}
