// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;

/**
 * Ranks of the job in an order, each at most once: what a group or a communicator consists of. The
 * position of a member is its rank here, "world" is its rank in the job. Immutable; all operations
 * take time proportional to the number of members and the greatest world rank.
 */
final class Members {
    /** No members. */
    static final Members NONE = new Members(new int[0]);

    private final int[] worlds;
    /** For each world rank the rank here or -1; made when it is first needed. */
    private volatile int[] ranks;

    /** Takes an array of different world ranks, which nobody changes from now on. */
    Members(int[] worlds) {
        this.worlds = worlds;
    }

    int size() {
        return worlds.length;
    }

    /** Returns the world rank of a rank, which must be in range. */
    int world(int rank) {
        return worlds[rank];
    }

    /** Returns a copy of all world ranks. */
    int[] worlds() {
        return worlds.clone();
    }

    /** Returns the rank of a world rank, or -1 if it is no member. */
    int rankOf(int world) {
        int[] table = ranks;
        if (table == null) {
            ranks = table = inverse();
        }
        return world >= 0 && world < table.length ? table[world] : -1;
    }

    private int[] inverse() {
        int[] table = new int[Arrays.stream(worlds).max().orElse(-1) + 1];
        Arrays.fill(table, -1);
        for (int rank = 0; rank < worlds.length; rank++) {
            table[worlds[rank]] = rank;
        }
        return table;
    }

    private boolean has(int world) {
        return rankOf(world) >= 0;
    }

    /** Returns the members with these ranks, in this order. */
    Members only(int[] chosen) {
        return new Members(Arrays.stream(chosen).map(rank -> worlds[rank]).toArray());
    }

    /** Returns the members without those with these ranks. */
    Members without(int[] left) {
        boolean[] leaves = new boolean[worlds.length];
        for (int rank : left) {
            leaves[rank] = true;
        }
        int[] kept = new int[worlds.length];
        int count = 0;
        for (int rank = 0; rank < worlds.length; rank++) {
            if (!leaves[rank]) {
                kept[count++] = worlds[rank];
            }
        }
        return new Members(Arrays.copyOf(kept, count));
    }

    /** Returns all members of this, then those of the other that are not in this. */
    Members union(Members other) {
        int[] added = other.minus(this).worlds;
        int[] all = Arrays.copyOf(worlds, worlds.length + added.length);
        System.arraycopy(added, 0, all, worlds.length, added.length);
        return new Members(all);
    }

    /** Returns the members of this that are in the other, in the order of this. */
    Members and(Members other) {
        return new Members(Arrays.stream(worlds).filter(other::has).toArray());
    }

    /** Returns the members of this that are not in the other, in the order of this. */
    Members minus(Members other) {
        return new Members(Arrays.stream(worlds).filter(world -> !other.has(world)).toArray());
    }

    /** Returns IDENT, SIMILAR (another order) or UNEQUAL. */
    int compare(Members other) {
        if (Arrays.equals(worlds, other.worlds)) {
            return Constants.IDENT;
        }
        return worlds.length == other.worlds.length && minus(other).size() == 0
                ? Constants.SIMILAR : Constants.UNEQUAL;
    }
}
