// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * Blocks of different lengths.
 *
 * @param offset bytes, or places of objects, from index 0 of the buffer to displacement 0
 * @param displs where the blocks begin, in extents of the datatype; null: they follow each other
 */
record Vector(Object buf, long offset, int[] counts, int[] displs, Datatype type)
        implements Blocks {
    static Vector of(Object buf, int[] counts, int[] displs, Datatype type) {
        return new Vector(buf, 0, counts, displs, type);
    }

    /** By the units of mpiJava. */
    static Vector of(Object buf, int offset, int[] counts, int[] displs, Datatype type) {
        return new Vector(buf, Payload.offset(buf, offset), counts, displs, type);
    }

    /** Returns this vector if it has a block for each of some ranks. */
    Vector requireFor(int ranks) {
        Datatype.usable(type);
        require(counts, "count", ranks);
        require(displs, "displacement", ranks);
        for (int i = 0; i < ranks; i++) {
            if (counts[i] < 0) {
                throw new MPIException(ErrorClass.COUNT, "the number of elements for rank " + i
                        + " is " + counts[i] + ": expected 0 or more");
            }
        }
        return this;
    }

    static void require(int[] numbers, String what, int ranks) {
        if (Bounds.required(numbers, "the array of " + what + "s").length < ranks) {
            throw new MPIException(ErrorClass.ARG, numbers.length + " " + what + "s: expected "
                    + ranks + ", one for each rank");
        }
    }

    @Override
    public Block of(int rank) {
        return new Block(buf, offset, 0, type).at(displs[rank], counts[rank]);
    }

    boolean isObjects() {
        return Datatype.usable(type).kind.element == Kind.OBJECT;
    }

    /** Returns whether the blocks follow each other from displacement 0 on. */
    boolean isConsecutive(int ranks) {
        long next = 0;
        for (int i = 0; i < ranks; i++) {
            if (counts[i] > 0 && displs[i] != next) {
                return false;
            }
            next += counts[i];
        }
        return true;
    }

    /** Returns the elements up to the end of the last block; -1: one begins before the buffer. */
    long end(int ranks) {
        long end = 0;
        for (int i = 0; i < ranks; i++) {
            if (counts[i] > 0) {
                if (displs[i] < 0) {
                    return -1;
                }
                end = Math.max(end, (long) displs[i] + counts[i]);
            }
        }
        return end;
    }
}
