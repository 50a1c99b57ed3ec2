// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** The fields at the beginning. */
final class CfdStart {
    private static final int COMPONENTS = CfdExact.COMPONENTS;

    private CfdStart() {}

    /** Makes the forcing, so far 0, what keeps the exact solution as it is. */
    static void balance(CfdCell cell, CfdOperator operator, double dt) {
        int ghosts = CfdCell.GHOSTS;
        for (int k = -ghosts; k < cell.own(2) + ghosts; k++) {
            for (int j = -ghosts; j < cell.own(1) + ghosts; j++) {
                for (int i = -ghosts; i < cell.own(0) + ghosts; i++) {
                    putExact(cell, i, j, k);
                }
            }
        }
        CfdFlow.derive(cell);
        operator.apply(cell);
        for (int i = 0; i < cell.forcing().length; i++) {
            cell.forcing()[i] = -cell.right()[i] / dt;
        }
    }

    /** The solution: exact on the boundary of the cube, and blended from there inside. */
    static void begin(CfdCell cell) {
        for (int k = 0; k < cell.own(2); k++) {
            for (int j = 0; j < cell.own(1); j++) {
                for (int i = 0; i < cell.own(0); i++) {
                    if (cell.isInterior(i, j, k)) {
                        blend(cell, i, j, k);
                    } else {
                        putExact(cell, i, j, k);
                    }
                }
            }
        }
    }

    private static void putExact(CfdCell cell, int i, int j, int k) {
        CfdExact.put(cell.coordinate(0, i), cell.coordinate(1, j), cell.coordinate(2, k),
                cell.solution(), COMPONENTS * cell.at(i, j, k));
    }

    /** 1 less the product of what the interpolations along each axis are less than 1. */
    private static void blend(CfdCell cell, int i, int j, int k) {
        double[] place = {cell.coordinate(0, i), cell.coordinate(1, j), cell.coordinate(2, k)};
        double[] product = {1, 1, 1, 1, 1};
        for (int axis = 0; axis < CfdCell.AXES; axis++) {
            double[] low = exactOnFace(place, axis, 0);
            double[] high = exactOnFace(place, axis, 1);
            for (int m = 0; m < COMPONENTS; m++) {
                product[m] *= 1 - (1 - place[axis]) * low[m] - place[axis] * high[m];
            }
        }
        for (int m = 0; m < COMPONENTS; m++) {
            cell.solution()[COMPONENTS * cell.at(i, j, k) + m] = 1 - product[m];
        }
    }

    private static double[] exactOnFace(double[] place, int axis, double coordinate) {
        double[] on = place.clone();
        on[axis] = coordinate;
        double[] exact = new double[COMPONENTS];
        CfdExact.put(on[0], on[1], on[2], exact, 0);
        return exact;
    }
}
