// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The partners of a process when all processes of a Cartesian topology shift data. */
public class ShiftParms {
    /** The rank to receive from, or {@code MPI.PROC_NULL}. */
    public int rank_source;

    /** The rank to send to, or {@code MPI.PROC_NULL}. */
    public int rank_dest;

    ShiftParms(int source, int dest) {
        rank_source = source;
        rank_dest = dest;
    }

    /**
     * Returns the rank to receive from.
     *
     * @return a rank, or {@code MPI.PROC_NULL}
     */
    public final int getRankSource() {
        return rank_source;
    }

    /**
     * Returns the rank to send to.
     *
     * @return a rank, or {@code MPI.PROC_NULL}
     */
    public final int getRankDest() {
        return rank_dest;
    }
}
