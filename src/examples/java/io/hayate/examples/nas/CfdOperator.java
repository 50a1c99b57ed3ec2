// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The right side: what changes the solution in a step, by finite differences of the fluxes along
 * all axes, and the forcing. Flow and ghosts of the solution are valid. Allocates nothing.
 */
final class CfdOperator {
    private static final int COMPONENTS = CfdExact.COMPONENTS;

    private final CfdAxis[] axes;
    private final double dt;
    private final CfdCell.RowWork work = this::applyToRow;

    CfdOperator(CfdAxis[] axes, double dt) {
        this.axes = axes;
        this.dt = dt;
    }

    void apply(CfdCell cell) {
        cell.forEachRow(work);
    }

    private void applyToRow(CfdCell cell, int j, int k) {
        double[] right = cell.right();
        int from = COMPONENTS * cell.row(j, k);
        int count = COMPONENTS * cell.rowLength();
        System.arraycopy(cell.forcing(), from, right, from, count);
        for (CfdAxis axis : axes) {
            addConvection(axis, cell, j, k);
            addViscosity(axis, cell, j, k);
        }
        for (int i = from; i < from + count; i++) {
            right[i] *= dt;
        }
    }

    /** What the flow carries along, the work and force of pressure, and the stencil. */
    private static void addConvection(CfdAxis axis, CfdCell cell, int j, int k) {
        double[] u = cell.solution();
        double[] flow = cell.flow();
        double[] right = cell.right();
        double[] stencil = axis.stencil();
        double first = axis.first();
        int velocity = CfdFlow.VELOCITY + axis.number();
        int normal = 1 + axis.number(); // component
        int step = COMPONENTS * cell.pitch(axis.number());
        int flowStep = CfdFlow.SIZE * cell.pitch(axis.number());
        int weights = CfdAxis.STENCIL * cell.position(axis.number(), j, k);
        int begin = cell.row(j, k);
        for (int at = begin; at < begin + cell.rowLength(); at++) {
            int c = COMPONENTS * at;
            int before = CfdFlow.SIZE * at - flowStep;
            int after = CfdFlow.SIZE * at + flowStep;
            double out = first * flow[after + velocity];
            double in = first * flow[before + velocity];
            double w0 = stencil[weights];
            double w1 = stencil[weights + 1] + in;
            double w2 = stencil[weights + 2];
            double w3 = stencil[weights + 3] - out;
            double w4 = stencil[weights + 4];
            for (int m = c; m < c + COMPONENTS; m++) {
                right[m] += w0 * u[m - 2 * step] + w1 * u[m - step] + w2 * u[m]
                        + w3 * u[m + step] + w4 * u[m + 2 * step];
            }
            double pressureBefore = flow[before + CfdFlow.PRESSURE];
            double pressureAfter = flow[after + CfdFlow.PRESSURE];
            right[c + normal] -= first * (pressureAfter - pressureBefore);
            right[c + 4] -= out * pressureAfter - in * pressureBefore;
            weights += axis.number() == 0 ? CfdAxis.STENCIL : 0;
        }
    }

    /** Friction, its work, and conduction of heat. */
    private static void addViscosity(CfdAxis axis, CfdCell cell, int j, int k) {
        double[] flow = cell.flow();
        double[] right = cell.right();
        double factor = CfdFlow.VISCOSITY * axis.second();
        int normal = axis.number();
        int step = CfdFlow.SIZE * cell.pitch(axis.number());
        int begin = cell.row(j, k);
        for (int at = begin; at < begin + cell.rowLength(); at++) {
            int c = COMPONENTS * at;
            int f = CfdFlow.SIZE * at;
            for (int m = 0; m < CfdCell.AXES; m++) {
                int v = f + CfdFlow.VELOCITY + m;
                right[c + 1 + m] += factor * second(flow, v, step);
            }
            int v = f + CfdFlow.VELOCITY + normal;
            double before = flow[v - step];
            double here = flow[v];
            double after = flow[v + step];
            double kinetic = second(flow, f + CfdFlow.KINETIC, step);
            double energy = second(flow, f + CfdFlow.ENERGY, step);
            right[c + 1 + normal] += factor / 3 * second(flow, v, step);
            right[c + 4] += factor * ((1 - CfdFlow.CONDUCTION) * kinetic
                    + (before * before - 2 * here * here + after * after) / 6
                    + CfdFlow.CONDUCTION * energy);
        }
    }

    /** Difference. */
    private static double second(double[] flow, int at, int step) {
        return flow[at - step] - 2 * flow[at] + flow[at + step];
    }
}
