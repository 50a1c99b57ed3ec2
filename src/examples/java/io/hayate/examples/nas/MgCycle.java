// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.Arrays;

/**
 * The V-cycle: the residual goes down to a grid of two points on a side, and a correction comes up
 * again, smoothed on each level. Residuals and solutions have valid ghosts between the steps.
 * Collective; allocates nothing.
 */
final class MgCycle {
    private final MgLevel[] levels; // level k has 2^k points on a side; there is no level 0
    private final MgLevel finest;
    private final MgOperators operators;
    private final double[] right; // right side, on the finest level

    MgCycle(NasJob job, MgRanks ranks, MgProblem problem) {
        MgBox box = ranks.box(problem.points());
        MgPort below = new MgPort(job, box.largestFace(), -1);
        MgPort above = new MgPort(job, box.largestFace(), 1);
        levels = new MgLevel[problem.levels() + 1];
        for (int k = 1; k < levels.length; k++) {
            levels[k] = new MgLevel(job, ranks, 1 << k, below, above);
        }
        finest = levels[problem.levels()];
        operators = new MgOperators(problem.smoother(), box.rowLength());
        right = new double[box.length()];
    }

    /** The solution is 0, the right side that of the charges, with an error or without. */
    void begin(MgCharges charges, boolean damaged) {
        Arrays.fill(finest.solution(), 0);
        Arrays.fill(right, 0);
        charges.place(right);
        if (damaged) {
            right[finest.box().row(1, 1) + 1] += 1;
        }
        finest.exchange(right);
        subtract();
    }

    /** The residual of the solution as it is. */
    void subtract() {
        subtract(finest, right);
    }

    /** Improves the solution once. */
    void run() {
        for (int k = levels.length - 1; k > 1; k--) {
            restrict(levels[k], levels[k - 1]);
        }
        solveCoarsest(levels[1]);
        for (int k = 2; k < levels.length - 1; k++) {
            Arrays.fill(levels[k].solution(), 0);
            correct(levels[k - 1], levels[k], levels[k].residual());
        }
        correct(levels[levels.length - 2], finest, right);
    }

    /** Of this rank's part of the residual. */
    double squares() {
        return operators.squares(finest);
    }

    private void restrict(MgLevel fine, MgLevel coarse) {
        if (coarse.isAwake()) {
            operators.restrict(fine, coarse);
            coarse.exchange(coarse.residual());
        }
    }

    private void solveCoarsest(MgLevel level) {
        if (level.isAwake()) {
            Arrays.fill(level.solution(), 0);
            smooth(level);
        }
    }

    /** Adds the coarser level's solution, and smooths what is left. */
    private void correct(MgLevel coarse, MgLevel level, double[] of) {
        if (coarse.isAwake()) {
            operators.prolong(coarse, level);
        }
        if (level.isAwake()) {
            level.awaken();
            subtract(level, of);
            smooth(level);
        }
    }

    private void subtract(MgLevel level, double[] of) {
        operators.subtract(level, of);
        level.exchange(level.residual());
    }

    private void smooth(MgLevel level) {
        operators.smooth(level);
        level.exchange(level.solution());
    }
}
