// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The block tridiagonal systems of BT along an axis. Each row is made when it is eliminated.
 * Allocates nothing.
 */
final class BtElimination implements CfdSolver {
    private static final int COMPONENTS = CfdExact.COMPONENTS;
    /** For each point: a block for the next one. */
    static final int FACTORS = COMPONENTS * COMPONENTS;

    private final int number; // of the axis
    private final BtJacobian jacobian;
    private final double convection;
    private final double viscosity;
    private final double diffusion;
    private final BtRow row = new BtRow();
    private final CfdCell.RowWork elimination = this::eliminateRow;
    private final CfdCell.RowWork substitution = this::substituteRow;

    BtElimination(CfdAxis axis, double dt) {
        number = axis.number();
        jacobian = new BtJacobian(number);
        convection = dt * axis.first();
        viscosity = dt * axis.second();
        diffusion = viscosity * axis.diffusion();
    }

    @Override
    public int reach() {
        return 1;
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
        int pitch = cell.pitch(number);
        int begin = cell.row(j, k);
        for (int at = begin; at < begin + cell.rowLength(); at++) {
            makeRow(cell.flow(), at, pitch);
            row.eliminate(cell.factors(), cell.right(), at, at - pitch);
        }
    }

    private void makeRow(double[] flow, int at, int pitch) {
        row.begin(-diffusion, 1 + 2 * diffusion);
        jacobian.addConvection(-convection, flow, at - pitch, row.before());
        jacobian.addViscosity(-viscosity, flow, at - pitch, row.before());
        jacobian.addViscosity(2 * viscosity, flow, at, row.diagonal());
        jacobian.addConvection(convection, flow, at + pitch, row.after());
        jacobian.addViscosity(-viscosity, flow, at + pitch, row.after());
    }

    private void substituteRow(CfdCell cell, int j, int k) {
        double[] factors = cell.factors();
        double[] right = cell.right();
        int step = COMPONENTS * cell.pitch(number);
        int begin = cell.row(j, k);
        for (int at = begin + cell.rowLength() - 1; at >= begin; at--) {
            int next = COMPONENTS * at + step;
            for (int m = 0; m < COMPONENTS; m++) {
                int block = FACTORS * at + COMPONENTS * m;
                double sum = 0;
                for (int n = 0; n < COMPONENTS; n++) {
                    sum += factors[block + n] * right[next + n];
                }
                right[COMPONENTS * at + m] -= sum;
            }
        }
    }
}
