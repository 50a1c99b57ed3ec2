// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The blocks that one buffer has for each of several ranks. */
interface Blocks {
    /** Returns the block of a rank. */
    Block of(int rank);

    /** Blocks of bytes at byte offsets, each of its own datatype. */
    static Blocks of(Object buf, int[] counts, int[] displs, Datatype[] types, int ranks) {
        Vector.require(counts, "count", ranks);
        Vector.require(displs, "displacement", ranks);
        if (types == null || types.length < ranks) {
            throw new MPIException(ErrorClass.ARG, (types == null ? "the array of datatypes is null"
                    : types.length + " datatypes") + ": expected " + ranks);
        }
        return i -> new Block(buf, displs[i], counts[i], types[i]);
    }
}
