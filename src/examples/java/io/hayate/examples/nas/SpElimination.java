// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The scalar pentadiagonal systems of SP along an axis, of characteristic variables: the first
 * three move with the flow and share a matrix, the fourth moves ahead of it with the speed of
 * sound, and the fifth falls behind. Rows are made when they are eliminated. Allocates nothing.
 */
final class SpElimination implements CfdSolver {
    /** For each of three matrices: what is left for the next point, and for the one after it. */
    static final int FACTORS = 6;

    private static final int COMPONENTS = CfdExact.COMPONENTS;
    private static final int WITH_FLOW = 3; // variables, of the first matrix

    private final CfdAxis axis;
    private final double[] constant; // part of all matrices: 1 - dt * stencil
    private final double convection;
    private final double conduction;
    private final CfdCell.RowWork elimination = this::eliminateRow;
    private final CfdCell.RowWork substitution = this::substituteRow;

    SpElimination(CfdAxis axis, double dt) {
        this.axis = axis;
        constant = axis.stencil().clone();
        for (int i = 0; i < constant.length; i++) {
            double unit = i % CfdAxis.STENCIL == CfdAxis.STENCIL / 2 ? 1 : 0;
            constant[i] = unit - dt * constant[i];
        }
        convection = dt * axis.first();
        conduction = dt * axis.second() * CfdFlow.VISCOSITY * CfdFlow.CONDUCTION;
    }

    @Override
    public int reach() {
        return 2;
    }

    @Override
    public void eliminate(CfdCell cell) {
        cell.forEachRow(elimination);
    }

    @Override
    public void substitute(CfdCell cell) {
        cell.forEachRowBackwards(substitution);
    }

    private void eliminateRow(CfdCell cell, int j, int k) {
        eliminateRow(cell, j, k, 0, 0);
        eliminateRow(cell, j, k, 1, 1);
        eliminateRow(cell, j, k, 2, -1);
    }

    /** Of a matrix whose variables move with the flow and with `sound` times the sound. */
    private void eliminateRow(CfdCell cell, int j, int k, int matrix, double sound) {
        double[] flow = cell.flow();
        double[] factors = cell.factors();
        double[] right = cell.right();
        int pitch = cell.pitch(axis.number());
        int flowStep = CfdFlow.SIZE * pitch;
        int step = FACTORS * pitch;
        int rightStep = COMPONENTS * pitch;
        int firstVariable = matrix == 0 ? 0 : WITH_FLOW - 1 + matrix;
        int endVariable = WITH_FLOW + matrix;
        int velocity = CfdFlow.VELOCITY + axis.number();
        int weights = CfdAxis.STENCIL * cell.position(axis.number(), j, k);
        int begin = cell.row(j, k);
        for (int at = begin; at < begin + cell.rowLength(); at++) {
            int here = CfdFlow.SIZE * at;
            int before = here - flowStep;
            int after = here + flowStep;
            double in = flow[before + velocity] + sound * flow[before + CfdFlow.SOUND];
            double out = flow[after + velocity] + sound * flow[after + CfdFlow.SOUND];
            double a = constant[weights];
            double b = constant[weights + 1] - convection * in
                    - conduction * flow[before + CfdFlow.VOLUME];
            double c = constant[weights + 2] + 2 * conduction * flow[here + CfdFlow.VOLUME];
            double d = constant[weights + 3] + convection * out
                    - conduction * flow[after + CfdFlow.VOLUME];
            double e = constant[weights + 4];
            int f = FACTORS * at + 2 * matrix;
            b -= a * factors[f - 2 * step];
            c -= a * factors[f - 2 * step + 1] + b * factors[f - step];
            d -= b * factors[f - step + 1];
            double inverse = 1 / c;
            factors[f] = inverse * d;
            factors[f + 1] = inverse * e;
            int r = COMPONENTS * at;
            for (int m = r + firstVariable; m < r + endVariable; m++) {
                right[m] = inverse
                        * (right[m] - a * right[m - 2 * rightStep] - b * right[m - rightStep]);
            }
            weights += axis.number() == 0 ? CfdAxis.STENCIL : 0;
        }
    }

    private void substituteRow(CfdCell cell, int j, int k) {
        double[] factors = cell.factors();
        double[] right = cell.right();
        int step = COMPONENTS * cell.pitch(axis.number());
        int begin = cell.row(j, k);
        for (int at = begin + cell.rowLength() - 1; at >= begin; at--) {
            for (int m = 0; m < COMPONENTS; m++) {
                int f = FACTORS * at + 2 * Math.max(0, m - WITH_FLOW + 1);
                int r = COMPONENTS * at + m;
                right[r] -= factors[f] * right[r + step] + factors[f + 1] * right[r + 2 * step];
            }
        }
    }
}
