// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Communicator;
import io.hayate.Span;
import java.util.function.Supplier;

/** A communicator of two groups of processes: messages go from one group to the other. */
public final class Intercomm extends Comm {
    /** Of both groups: the members of one have the first numbers. */
    private Communicator union;
    /** Whether those of this process's group have them. */
    private boolean first;

    Intercomm() {
    }

    /** Collective over both groups, which their leaders connect; findOther: only at the leader. */
    static Intercomm create(Comm local, int leader, int tag, Supplier<Integer> findOther) {
        Leaders leaders = new Leaders(local.engine, local.collectives, leader,
                SetupMessages.tagOfLeaders(tag));
        Members others = leaders.meet(local.members, findOther);
        if (others.size() == 0 || others.and(local.members).size() > 0) {
            throw new MPIException(ErrorClass.COMM, "the groups of an intercommunicator have"
                    + " processes in common: expected two separate groups");
        }
        boolean first = local.members.world(0) < others.world(0);
        Members all = first ? local.members.union(others) : others.union(local.members);
        Communicator union = Meeting.of(local.engine, all, leaders.exchange(first));
        Intercomm made = new Intercomm();
        made.become(local.engine, union, first, local.members, others);
        made.handler(local.handler());
        return made;
    }

    private void become(Engine its, Communicator both, boolean isFirst, Members own,
            Members others) {
        union = both;
        first = isFirst;
        identify(its, both);
        Communicator local = both.split(isFirst ? 0 : 1, 0);
        int from = isFirst ? own.size() : 0;
        long messages = its.openPart(both, from, others.size());
        become(its, local, messages, its.openPart(both, from, others.size()), own, others);
    }

    @Override
    Comm fresh() {
        return new Intercomm();
    }

    @Override
    void duplicate(Comm fresh, Communicator both) {
        fresh.handler(handler());
        ((Intercomm) fresh).become(engine, both, first, members, partners);
    }

    @Override
    Members everyMember() {
        return first ? members.union(partners) : partners.union(members);
    }

    @Override
    Communicator everybody() {
        return union;
    }

    @Override
    void closeCollectives() {
        super.closeCollectives();
        close(union);
    }

    /**
     * Returns the number of processes in the other group.
     *
     * @return at least 1
     */
    public int getRemoteSize() {
        requireOpen();
        return partners.size();
    }

    /**
     * Returns the other group.
     *
     * @return a new group
     */
    public Group getRemoteGroup() {
        return new Group(partners, requireOpen().job.rank());
    }

    /**
     * Makes a communicator of both groups.
     *
     * @param high whether the processes of this group get the higher ranks: the same in all of it;
     *     if both groups pass the same, those of the group that has the first process of lower rank
     *     in the job get the lower ranks
     * @return the communicator
     */
    public Intracomm merge(boolean high) {
        requireOpen();
        return guarded(() -> {
            int[] flags = new int[union.size()];
            union.allgather(Span.of(new int[] {high ? 1 : 0}), Span.of(flags));
            int firstSize = first ? members.size() : partners.size();
            boolean swapped = flags[0] > flags[firstSize];
            int key = first == swapped ? 1 : 0;
            return made(new Intracomm(), union.split(0, key));
        });
    }

    /**
     * Returns the intercommunicator to the processes that started this one: there are none.
     *
     * @return null communicator
     */
    public static Intercomm getParent() {
        Engine.get();
        return new Intercomm();
    }

    @Override
    public Intercomm dup() {
        return (Intercomm) super.dup();
    }

    @Override
    public Intercomm dupWithInfo(Info info) {
        return (Intercomm) super.dupWithInfo(info);
    }

    @Override
    public Intercomm iDup() {
        return (Intercomm) super.iDup();
    }

    @Override
    public Intercomm clone() {
        return dup();
    }

    /**
     * mpiJava: returns the number of processes in the other group, as {@link #getRemoteSize}.
     *
     * @return at least 1
     */
    public int Remote_size() {
        return getRemoteSize();
    }

    /**
     * mpiJava: returns the other group, as {@link #getRemoteGroup}.
     *
     * @return a new group
     */
    public Group Remote_group() {
        return getRemoteGroup();
    }

    /**
     * mpiJava: makes a communicator of both groups, as {@link #merge}.
     *
     * @param high whether the processes of this group get the higher ranks
     * @return the communicator
     */
    public Intracomm Merge(boolean high) {
        return merge(high);
    }
}
