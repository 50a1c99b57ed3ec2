// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Which ranks of a job have come to the store, and what they have given in this round. */
final class Roll {
    static final int ROUNDS = 2;

    private final Hello first; // what rank 0 says of itself
    private final Hello[] who;
    private final byte[][] given;
    private int round = 1;
    private int count; // of records of this round

    Roll(Hello first) {
        this.first = first;
        who = new Hello[first.size()];
        given = new byte[first.size()][];
    }

    /** The round that is not complete; {@link #ROUNDS} + 1: all are. */
    int round() {
        return round;
    }

    boolean isComplete() {
        return round > ROUNDS;
    }

    /** Returns whether a rank is of a job that was given another name. */
    boolean isForeign(Hello rank) {
        return !rank.job().equals(first.job());
    }

    String job() {
        return first.job();
    }

    /** Enters a rank; returns why that cannot be, or null. */
    String enter(Hello rank) {
        String fault = rank.fault(first);
        if (fault == null && who[rank.rank()] != null) {
            fault = "two processes are rank " + rank.rank() + ": " + who[rank.rank()] + " and "
                    + rank + "; give each process a number of its own (HAYATE_RANK)";
        }
        if (fault == null) {
            who[rank.rank()] = rank;
        }
        return fault;
    }

    /**
     * Takes the record of a rank that has been entered.
     *
     * @return whether it was the last one of the round
     * @throws BadFrameException if the rank has given one, or the round is not the current one
     */
    boolean give(int rank, int itsRound, byte[] record) throws BadFrameException {
        if (itsRound != round || given[rank] != null) {
            throw new BadFrameException("a record of round " + itsRound + " in round " + round);
        }
        given[rank] = record;
        return ++count == given.length;
    }

    /** Returns the records of this round, and begins the next one. */
    byte[] take() {
        int bytes = 0;
        for (byte[] record : given) {
            bytes += Short.BYTES + record.length;
        }
        ByteBuffer out = ByteBuffer.allocate(bytes);
        for (int rank = 0; rank < given.length; rank++) {
            Frame.putBytes(out, given[rank]);
            given[rank] = null;
        }
        count = 0;
        round++;
        return out.array();
    }

    /** Returns the first rank that has not given a record; -1: all have. */
    int firstMissing() {
        for (int rank = 0; rank < given.length; rank++) {
            if (given[rank] == null) {
                return rank;
            }
        }
        return -1;
    }

    /** Returns the ranks that have not given a record, such as "2, 5-7". */
    String missing() {
        List<String> runs = new ArrayList<>();
        for (int rank = 0; rank < given.length; rank++) {
            int from = rank;
            while (rank < given.length && given[rank] == null) {
                rank++;
            }
            if (rank > from) {
                runs.add(rank - from == 1 ? "" + from : from + "-" + (rank - 1));
            }
        }
        return shortened(runs);
    }

    private static String shortened(List<String> runs) {
        int most = 50;
        return String.join(", ", runs.subList(0, Math.min(most, runs.size())))
                + (runs.size() > most ? ", ..." : "");
    }
}
