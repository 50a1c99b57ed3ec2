// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Communicator;
import io.hayate.Span;
import java.util.Arrays;

/**
 * What the ranks that call a collective method tell each other, so that it succeeds or fails on all
 * of them. Collective over the communicator; so are its methods that talk.
 */
final class Agreement {
    /** One row for each rank: its error class or 0, then what it tells. */
    private final long[][] rows;

    private Agreement(long[][] rows) {
        this.rows = rows;
    }

    /** Something that one rank does, and may fail at. */
    interface Step {
        void run();
    }

    /** Returns how a step has failed, in any way; null: it has not. */
    static MPIException failureOf(Step step) {
        try {
            step.run();
            return null;
        } catch (RuntimeException | OutOfMemoryError failure) {
            return Failures.ofAny(failure);
        }
    }

    /** Does a step on this rank; fails if it fails on any rank. Tells the others something. */
    static Agreement on(Communicator ranks, Step step, long... told) {
        return on(ranks, failureOf(step), told);
    }

    static Agreement on(Communicator ranks, MPIException failure, long... told) {
        Agreement made = exchange(ranks, failure, told);
        made.requireSuccess(failure);
        return made;
    }

    /** Tells the others a failure or null, and something; does not fail if one has failed. */
    static Agreement exchange(Communicator ranks, MPIException failure, long... told) {
        int length = told.length + 1;
        long[] mine = new long[length];
        mine[0] = failure == null ? 0 : failure.getErrorClass();
        System.arraycopy(told, 0, mine, 1, told.length);
        long[] all = new long[length * ranks.size()];
        ranks.allgather(Span.of(mine), Span.of(all));
        long[][] rows = new long[ranks.size()][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = Arrays.copyOfRange(all, i * length, (i + 1) * length);
        }
        return new Agreement(rows);
    }

    /** Fails if a rank has failed, with the failure of this one if it has. */
    void requireSuccess(MPIException mine) {
        if (mine != null) {
            throw mine;
        }
        for (int rank = 0; rank < rows.length; rank++) {
            if (rows[rank][0] != 0) {
                throw new MPIException((int) rows[rank][0], "rank " + rank + " has failed in this"
                        + " collective call, which therefore fails on all ranks: see its error");
            }
        }
    }

    /** Returns what a rank has told. */
    long of(int rank, int i) {
        return rows[rank][i + 1];
    }

    /** Fails if the ranks have not told the same. */
    Agreement requireSame(int i, String what) {
        for (int rank = 1; rank < rows.length; rank++) {
            if (of(rank, i) != of(0, i)) {
                throw new MPIException(ErrorClass.NOT_SAME, what + " is " + of(0, i) + " on rank 0,"
                        + " and " + of(rank, i) + " on rank " + rank + ": expected the same on all"
                        + " ranks");
            }
        }
        return this;
    }
}
