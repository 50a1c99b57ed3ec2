// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * An ordered set of processes. The position of a process in it is its rank, from 0. A group does
 * not change, so any number of threads may use it; operations on groups are local. After
 * {@link #free} every call fails with {@code MPI.ERR_GROUP}, except {@link #isNull}.
 */
public class Group implements Freeable {
    /** The {@link #code} of {@code MPI.GROUP_EMPTY}. */
    public static final int EMPTY = 3;

    /** {@code MPI.GROUP_EMPTY}, which cannot be freed: to free it has no effect. */
    static final Group NOBODY = new Group(Members.NONE, -1);
    /** {@code MPI.GROUP_NULL}. */
    static final Group NULL = new Group((Members) null, -1);

    /** {@link #EMPTY} for {@code MPI.GROUP_EMPTY}, otherwise -1. */
    public int code = -1;

    static {
        NOBODY.code = EMPTY;
    }

    /** Null: freed, or null from the beginning. */
    private volatile Members members;
    /** The world rank of this process, -1: not known. */
    private final int self;

    /** A group of different world ranks, seen by the process whose world rank is {@code self}. */
    Group(int[] worldRanks, int self) {
        this(new Members(worldRanks.clone()), self);
    }

    /** A group that shares its members with another group or a communicator. */
    Group(Members members, int self) {
        this.members = members;
        this.self = self;
    }

    /** Returns the members. */
    Members members() {
        Members current = members;
        if (current == null) {
            throw new MPIException(ErrorClass.GROUP, "the group is null or was freed: expected a"
                    + " group; MPI.GROUP_EMPTY is one without members");
        }
        return current;
    }

    private static Members members(Group group) {
        return (group == null ? NULL : group).members();
    }

    /** Returns the world rank of a member. */
    int world(int rank) {
        return members().world(RankRanges.checkRank(rank, getSize()));
    }

    /** Returns the rank of a world rank in this group, or -1 if it is no member. */
    int rankOf(int world) {
        return members().rankOf(world);
    }

    private static Group of(Members members, Group one, Group other) {
        return new Group(members, Math.max(one.self, other.self));
    }

    private Group of(Members part) {
        return new Group(part, self);
    }

    /**
     * Returns the number of members.
     *
     * @return 0 or more
     */
    public final int getSize() {
        return members().size();
    }

    /**
     * Returns the rank of this process.
     *
     * @return its rank in this group, or {@code MPI.UNDEFINED} if it is no member
     */
    public final int getRank() {
        int rank = rankOf(self);
        return rank < 0 ? Constants.UNDEFINED : rank;
    }

    /**
     * Says whether this is a null group, as after {@link #free}.
     *
     * @return true if every other call fails
     */
    public final boolean isNull() {
        return members == null;
    }

    /**
     * Frees this group; it is null then. Communicators that were created from it stay as they are.
     *
     * @throws MPIException {@code ERR_GROUP} if this group is null
     */
    @Override
    public final void free() {
        members();
        if (this != NOBODY) {
            members = null;
        }
    }

    /** Does nothing: the memory of a group needs no finalisation. */
    @Override
    @SuppressWarnings({"deprecation", "removal"})
    public void finalize() {
    }

    /**
     * Compares two groups.
     *
     * @param group1 a group
     * @param group2 a group
     * @return {@code MPI.IDENT}: the same members in the same order; {@code MPI.SIMILAR}: in
     *     another order; or {@code MPI.UNEQUAL}
     */
    public static int compare(Group group1, Group group2) {
        return members(group1).compare(members(group2));
    }

    /**
     * Translates ranks of one group to another one.
     *
     * @param group1 the group of the given ranks
     * @param ranks ranks in it, or {@code MPI.PROC_NULL}
     * @param group2 another group
     * @return for each rank that of the same process in group2; {@code MPI.UNDEFINED} if it is no
     *     member; {@code MPI.PROC_NULL} for itself
     * @throws MPIException {@code ERR_RANK} if group1 has no such rank
     */
    public static int[] translateRanks(Group group1, int[] ranks, Group group2) {
        Members from = members(group1);
        Members to = members(group2);
        int[] result = Bounds.required(ranks, "the array of ranks").clone();
        for (int i = 0; i < result.length; i++) {
            result[i] = result[i] == Constants.PROC_NULL
                    ? Constants.PROC_NULL : translate(from, result[i], to);
        }
        return result;
    }

    private static int translate(Members from, int rank, Members to) {
        int there = to.rankOf(from.world(RankRanges.checkRank(rank, from.size())));
        return there < 0 ? Constants.UNDEFINED : there;
    }

    /**
     * Returns the union of two groups.
     *
     * @param group1 a group
     * @param group2 a group
     * @return the members of group1, then those of group2 that group1 does not have
     */
    public static Group union(Group group1, Group group2) {
        return of(members(group1).union(members(group2)), group1, group2);
    }

    /**
     * Returns the intersection of two groups.
     *
     * @param group1 a group
     * @param group2 a group
     * @return the members of group1 that group2 also has, in the order of group1
     */
    public static Group intersection(Group group1, Group group2) {
        return of(members(group1).and(members(group2)), group1, group2);
    }

    /**
     * Returns the difference of two groups.
     *
     * @param group1 a group
     * @param group2 a group
     * @return the members of group1 that group2 does not have, in the order of group1
     */
    public static Group difference(Group group1, Group group2) {
        return of(members(group1).minus(members(group2)), group1, group2);
    }

    /**
     * Returns a group of some of the members.
     *
     * @param ranks different ranks of this group; the first one gets rank 0, and so on
     * @return the new group
     * @throws MPIException {@code ERR_RANK} if a rank is out of range or given twice
     */
    public final Group incl(int[] ranks) {
        return of(members().only(RankRanges.check(ranks, getSize())));
    }

    /**
     * Returns a group of all other members, in the order of this group.
     *
     * @param ranks different ranks of this group
     * @return the new group
     * @throws MPIException {@code ERR_RANK} if a rank is out of range or given twice
     */
    public final Group excl(int[] ranks) {
        return of(members().without(RankRanges.check(ranks, getSize())));
    }

    /**
     * Returns a group of the members in ranges of ranks.
     *
     * @param ranges triples (first, last, stride): the ranks first, first + stride, and so on up to
     *     last, or down to last if the stride is negative
     * @return the new group, in the order of the ranges
     * @throws MPIException {@code ERR_RANK} if a rank is out of range or given twice, or a stride
     *     is 0 or leads away from last; {@code ERR_ARG} if a range has not three numbers
     */
    public final Group rangeIncl(int[][] ranges) {
        return of(members().only(RankRanges.expand(ranges, getSize())));
    }

    /**
     * Returns a group of the members outside of ranges of ranks, in the order of this group.
     *
     * @param ranges triples (first, last, stride), as of {@link #rangeIncl}
     * @return the new group
     * @throws MPIException as of {@link #rangeIncl}
     */
    public final Group rangeExcl(int[][] ranges) {
        return of(members().without(RankRanges.expand(ranges, getSize())));
    }

    /**
     * Returns the number of members, as {@link #getSize}.
     *
     * @return 0 or more
     */
    public final int Size() {
        return getSize();
    }

    /**
     * Returns the rank of this process, as {@link #getRank}.
     *
     * @return its rank in this group, or {@code MPI.UNDEFINED}
     */
    public final int Rank() {
        return getRank();
    }

    /**
     * Compares two groups, as {@link #compare}.
     *
     * @param group1 a group
     * @param group2 a group
     * @return {@code MPI.IDENT}, {@code MPI.SIMILAR} or {@code MPI.UNEQUAL}
     */
    public static int Compare(Group group1, Group group2) {
        return compare(group1, group2);
    }

    /**
     * Translates ranks of one group to another one, as {@link #translateRanks}.
     *
     * @param group1 the group of the given ranks
     * @param ranks1 ranks in it, or {@code MPI.PROC_NULL}
     * @param group2 another group
     * @return for each rank that of the same process in group2
     */
    public static int[] Translate_ranks(Group group1, int[] ranks1, Group group2) {
        return translateRanks(group1, ranks1, group2);
    }

    /**
     * Returns the union of two groups, as {@link #union}.
     *
     * @param group1 a group
     * @param group2 a group
     * @return the members of group1, then those of group2 that group1 does not have
     */
    public static Group Union(Group group1, Group group2) {
        return union(group1, group2);
    }

    /**
     * Returns the intersection of two groups, as {@link #intersection}.
     *
     * @param group1 a group
     * @param group2 a group
     * @return the members of group1 that group2 also has
     */
    public static Group Intersection(Group group1, Group group2) {
        return intersection(group1, group2);
    }

    /**
     * Returns the difference of two groups, as {@link #difference}.
     *
     * @param group1 a group
     * @param group2 a group
     * @return the members of group1 that group2 does not have
     */
    public static Group Difference(Group group1, Group group2) {
        return difference(group1, group2);
    }

    /**
     * Returns a group of some of the members, as {@link #incl}.
     *
     * @param ranks different ranks of this group
     * @return the new group
     */
    public final Group Incl(int[] ranks) {
        return incl(ranks);
    }

    /**
     * Returns a group of all other members, as {@link #excl}.
     *
     * @param ranks different ranks of this group
     * @return the new group
     */
    public final Group Excl(int[] ranks) {
        return excl(ranks);
    }

    /**
     * Returns a group of the members in ranges of ranks, as {@link #rangeIncl}.
     *
     * @param ranges triples (first, last, stride)
     * @return the new group
     */
    public final Group Range_incl(int[][] ranges) {
        return rangeIncl(ranges);
    }

    /**
     * Returns a group of the members outside of ranges of ranks, as {@link #rangeExcl}.
     *
     * @param ranges triples (first, last, stride)
     * @return the new group
     */
    public final Group Range_excl(int[][] ranges) {
        return rangeExcl(ranges);
    }
}
