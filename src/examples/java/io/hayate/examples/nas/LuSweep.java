// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.Arrays;

/**
 * Successive over-relaxation of a plane: upwards, each point needs its three lower neighbours to
 * be done, downwards its upper ones. Allocates nothing.
 */
final class LuSweep {
    private static final double OMEGA = 1.2;

    private final LuBox box;
    private final double timeStep;
    private final double[][] state;
    private final double[][] residual;
    private final LuCoupling[] couplings = new LuCoupling[3];
    private final LuDiagonal diagonal;
    private final double[] vector = new double[CfdExact.COMPONENTS];

    /** Of the residual of the flow, which sweeps make its correction. */
    LuSweep(LuFlow flow, double[][] residual, double timeStep) {
        box = flow.box();
        this.timeStep = timeStep;
        state = flow.state();
        this.residual = residual;
        for (int axis = 0; axis < couplings.length; axis++) {
            couplings[axis] = new LuCoupling(flow, axis, timeStep);
        }
        diagonal = new LuDiagonal(flow, timeStep);
    }

    /** Solves the lower triangular system with the residual as its right side. */
    void up(int k) {
        for (int j = box.y().begin(); j < box.y().end(); j++) {
            int row = box.row(j, k);
            for (int at = row + box.x().begin(); at < row + box.x().end(); at++) {
                addNeighbours(at, -1);
                for (int m = 0; m < vector.length; m++) {
                    vector[m] = timeStep * residual[m][at] - OMEGA * vector[m];
                }
                diagonal.solve(at, vector);
                for (int m = 0; m < vector.length; m++) {
                    residual[m][at] = vector[m];
                }
            }
        }
    }

    /** Solves the upper triangular system with what came of it, and corrects the flow. */
    void down(int k) {
        for (int j = box.y().end() - 1; j >= box.y().begin(); j--) {
            int row = box.row(j, k);
            for (int at = row + box.x().end() - 1; at >= row + box.x().begin(); at--) {
                addNeighbours(at, 1);
                diagonal.solve(at, vector);
                for (int m = 0; m < vector.length; m++) {
                    residual[m][at] -= OMEGA * vector[m];
                    state[m][at] += residual[m][at] / (OMEGA * (2 - OMEGA));
                }
            }
        }
    }

    private void addNeighbours(int at, int direction) {
        Arrays.fill(vector, 0);
        for (int axis = 0; axis < couplings.length; axis++) {
            couplings[axis].add(residual, at + direction * box.pitch(axis), direction, vector);
        }
    }
}
