// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

/**
 * The edges of this member in a directed graph on the members of a communicator, and whether they
 * are those that the other members have passed.
 */
public final class NeighborGraph {
    private static final int FITS = -1;

    public final NeighborSide sources;
    public final NeighborSide destinations;
    private final CommunicatorState communicator;

    /** Describes the edges of this member. */
    public NeighborGraph(CommunicatorState communicator, NeighborSide sources,
            NeighborSide destinations) {
        this.communicator = communicator;
        this.sources = sources;
        this.destinations = destinations;
    }

    /** Returns what each member is told: how often it is a destination, and a source. */
    public long[] told() {
        int[] to = destinations.times();
        int[] from = sources.times();
        long[] told = new long[to.length];
        for (int member = 0; member < told.length; member++) {
            told[member] = (long) to[member] << Integer.SIZE | from[member];
        }
        return told;
    }

    private int misfit(long[] heard) {
        int[] to = destinations.times();
        int[] from = sources.times();
        for (int member = 0; member < heard.length; member++) {
            if (sends(heard[member]) != from[member] || receives(heard[member]) != to[member]) {
                return member;
            }
        }
        return FITS;
    }

    private static int sends(long told) {
        return (int) (told >>> Integer.SIZE);
    }

    private static int receives(long told) {
        return (int) told;
    }

    /** Returns 0, or a number that names two members whose edges do not fit together. */
    public long verdict(long[] heard) {
        int member = misfit(heard);
        return member == FITS ? 0
                : communicator.rank() + 1L << Integer.SIZE | member;
    }

    /** Returns the rank of a member that does not fit to this one, or is one of two others. */
    public int culprit(long[] heard, long verdict) {
        int member = misfit(heard);
        return communicator.members().jobRank(member == FITS ? receives(verdict) : member);
    }

    /** Says who names whom. */
    public String reason(long[] heard, long verdict) {
        int member = misfit(heard);
        Members members = communicator.members();
        if (member == FITS) {
            return "the neighbourhoods of ranks " + members.jobRank(sends(verdict) - 1) + " and "
                    + members.jobRank(receives(verdict)) + " do not fit together: see their errors";
        }
        int rank = members.jobRank(member);
        int from = sources.times()[member];
        boolean toThis = sends(heard[member]) != from;
        String theirs = toThis ? times(sends(heard[member])) + " as a destination"
                : times(receives(heard[member])) + " as a source";
        String own = toThis ? times(from) + " as a source"
                : times(destinations.times()[member]) + " as a destination";
        return "rank " + rank + " names this rank " + theirs + ", but this rank names rank " + rank
                + " " + own + ": expected as often";
    }

    private static String times(int count) {
        return count + (count == 1 ? " time" : " times");
    }
}
