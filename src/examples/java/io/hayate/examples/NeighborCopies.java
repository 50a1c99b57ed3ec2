// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.Communicator;
import io.hayate.Neighborhood;
import io.hayate.Reduction;
import io.hayate.Span;
import java.util.stream.IntStream;

/**
 * Checkpoints in memory: each member keeps a copy of its own state and of that of the member before
 * it. The last two are kept, because a member may die while a new one is made, and then some have
 * it and others have not.
 */
final class NeighborCopies {
    /** The number of this copy, and what was copied where. */
    private record Copy(int number, int iteration, double rho, int[] members, int rank,
            double[] own, double[] before) {
    }

    /** Where to go on. */
    record Point(int iteration, double rho) {
    }

    private final int side;
    private Copy latest;
    private Copy previous;

    NeighborCopies(int side) {
        this.side = side;
    }

    /** Collective. If it fails, those made before are still there. */
    void save(Communicator comm, int iteration, double rho, double[] state) {
        int size = comm.size();
        int rank = comm.rank();
        int from = (rank + size - 1) % size;
        Neighborhood ring = comm.neighbors(new int[] {from}, new int[] {(rank + 1) % size});
        double[] before = new double[length(from, size)];
        ring.allgatherv(Span.of(state), Span.of(before),
                new long[] {(long) before.length * Double.BYTES}, null);
        int[] members = IntStream.range(0, size).map(comm::jobRank).toArray();
        int number = latest == null ? 0 : latest.number + 1;
        previous = latest;
        latest = new Copy(number, iteration, rho, members, rank, state.clone(), before);
    }

    /**
     * Fills in this member's part of the latest state that all have, whoever had it before.
     * Collective over the survivors; the whole state passes through all of them. Null: there is no
     * such state.
     */
    Point restore(Communicator survivors, double[] state) throws LostException {
        long[] number = {latest == null ? -1 : latest.number};
        survivors.allreduce(Span.of(number), Reduction.LONG_MIN);
        Copy copy = latest == null || latest.number == number[0] ? latest : previous;
        latest = copy;
        if (copy == null) {
            return null;
        }
        double[] all = new double[LineGradient.VECTORS * side * side];
        provide(copy, survivors, all);
        survivors.allreduce(Span.of(all), Reduction.DOUBLE_SUM);
        move(all, survivors.rank(), survivors.size(), state, false);
        return new Point(copy.iteration, copy.rho);
    }

    /** Each part by its own member, or by the one behind it if that one has died. */
    private void provide(Copy copy, Communicator survivors, double[] all) throws LostException {
        int[] members = copy.members;
        for (int member = 0; member < members.length; member++) {
            int behind = (member + 1) % members.length;
            boolean lives = survivors.rankOf(members[member]) >= 0;
            if (!lives && survivors.rankOf(members[behind]) < 0) {
                throw new LostException("rank " + members[member] + " and rank " + members[behind]
                        + " have died, and only they had the lines of the former");
            }
            if (copy.rank == (lives ? member : behind)) {
                move(all, member, members.length, lives ? copy.own : copy.before, true);
            }
        }
    }

    /** Moves a member's part of the three vectors into the whole, or out of it. */
    private void move(double[] all, int member, int size, double[] part, boolean in) {
        int points = part.length / LineGradient.VECTORS;
        int first = LineGradient.first(side, member, size) * side;
        for (int vector = 0; vector < LineGradient.VECTORS; vector++) {
            int there = vector * side * side + first;
            if (in) {
                System.arraycopy(part, vector * points, all, there, points);
            } else {
                System.arraycopy(all, there, part, vector * points, points);
            }
        }
    }

    private int length(int member, int size) {
        int lines = LineGradient.first(side, member + 1, size)
                - LineGradient.first(side, member, size);
        return LineGradient.VECTORS * lines * side;
    }

    /** No survivor has a part of the state. */
    static final class LostException extends Exception {
        private static final long serialVersionUID = 1;

        LostException(String message) {
            super(message);
        }
    }
}
