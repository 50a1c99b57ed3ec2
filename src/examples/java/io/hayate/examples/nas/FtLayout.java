// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * Which part of the points this rank has: in space some planes (z), and of the coefficients some
 * rows of each plane (y). A row is all real parts along x, then all imaginary ones. In the memory
 * of messages rows stand ordered by z, then y: so the part of one rank's planes that is another's
 * rows is one block, on either side.
 */
record FtLayout(FtProblem problem, int rank, int ranks) {
    /** Planes of a rank. */
    int planes() {
        return problem.z() / ranks;
    }

    /** The z of this rank's first plane. */
    int firstPlane() {
        return rank * planes();
    }

    /** Rows of a rank, of each plane. */
    int rows() {
        return problem.y() / ranks;
    }

    /** The y of this rank's first row. */
    int firstRow() {
        return rank * rows();
    }

    int rowLength() {
        return 2 * problem.x();
    }

    /** Doubles of a rank's part. */
    int length() {
        return planes() * problem.y() * rowLength();
    }

    /** Where in the memory of messages row y of an own plane stands. */
    int rowOfPlane(int plane, int y) {
        int peer = y / rows();
        return rowOfColumn(peer * planes() + plane, y % rows());
    }

    /** Where in the memory of messages the own row of plane z stands. */
    int rowOfColumn(int z, int row) {
        return (z * rows() + row) * rowLength();
    }
}
