// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** Solves the linear systems of the lines of points along an axis, in two passes. */
interface CfdSolver {
    /** On how many points before it, or after it, a point depends in a pass; 1 or 2. */
    int reach();

    /**
     * Eliminates, upwards, what couples points to those before them. Ghosts of right sides and
     * factors have what was left there.
     */
    void eliminate(CfdCell cell);

    /** Makes right sides the solution, downwards; their ghosts are solved. */
    void substitute(CfdCell cell);
}
