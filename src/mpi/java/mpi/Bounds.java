// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Reads entries of arrays by the numbers that a program gives. */
final class Bounds {
    private Bounds() {
    }

    /** Returns an entry; {@code what} names it in the error. */
    static int at(int[] values, int index, String what) {
        return values[check(index, values.length, what)];
    }

    /** Returns the index if it is one of {@code count} entries. */
    static int check(int index, int count, String what) {
        if (index < 0 || index >= count) {
            throw new MPIException(ErrorClass.ARG, what + " " + index + ": "
                    + (count == 0 ? "there is none" : "expected 0 to " + (count - 1)));
        }
        return index;
    }

    /** Returns the array, which must not be null. */
    static int[] required(int[] values, String what) {
        if (values == null) {
            throw new MPIException(ErrorClass.ARG, what + " is null: expected an array");
        }
        return values;
    }
}
