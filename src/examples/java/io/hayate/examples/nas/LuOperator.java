// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The differential operator: convection and viscosity of the compressible Navier-Stokes equations,
 * and dissipation of second and fourth order, by differences along each axis. Of own points within
 * the cube; it reads two ghosts on each side. Allocates nothing.
 */
final class LuOperator {
    private final LuFlow flow;
    private final LuBox box;

    LuOperator(LuFlow flow) {
        this.flow = flow;
        box = flow.box();
    }

    /** sum += the operator's value. */
    void addTo(double[][] sum) {
        for (int axis = 0; axis < 3; axis++) {
            for (int k = box.z().begin(); k < box.z().end(); k++) {
                for (int j = box.y().begin(); j < box.y().end(); j++) {
                    int from = box.row(j, k) + box.x().begin();
                    int to = box.row(j, k) + box.x().end();
                    convect(axis, from, to, sum);
                    diffuse(axis, from, to, sum);
                    dissipate(axis, j, k, sum);
                }
            }
        }
    }

    private void convect(int axis, int from, int to, double[][] sum) {
        double[][] u = flow.state();
        double[] velocity = flow.velocity(axis);
        double factor = 0.5 / box.axis(axis).step();
        int pitch = box.pitch(axis);
        int normal = 1 + axis;
        for (int at = from; at < to; at++) {
            int up = at + pitch;
            int down = at - pitch;
            double v = velocity[up];
            double w = velocity[down];
            double high = flow.pressure(up);
            double low = flow.pressure(down);
            sum[0][at] -= factor * (u[normal][up] - u[normal][down]);
            sum[1][at] -= factor * (u[1][up] * v - u[1][down] * w);
            sum[2][at] -= factor * (u[2][up] * v - u[2][down] * w);
            sum[3][at] -= factor * (u[3][up] * v - u[3][down] * w);
            sum[normal][at] -= factor * (high - low);
            sum[4][at] -= factor * ((u[4][up] + high) * v - (u[4][down] + low) * w);
        }
    }

    private void diffuse(int axis, int from, int to, double[][] sum) {
        double[] v = flow.velocity(axis);
        int pitch = box.pitch(axis);
        double factor = Math.pow(box.axis(axis).step(), -2);
        double viscosity = factor * LuFluid.VISCOSITY;
        for (int m = 0; m < sum.length; m++) {
            addSecond(factor * LuFluid.diffusion(axis), flow.state()[m], pitch, from, to, sum[m]);
        }
        for (int i = 0; i < 3; i++) {
            double own = i == axis ? 1 + LuFluid.BULK : 1;
            addSecond(viscosity * own, flow.velocity(i), pitch, from, to, sum[1 + i]);
        }
        double[] energy = sum[4];
        addSecond(viscosity * (1 - LuFluid.CONDUCTION), flow.kinetic(), pitch, from, to, energy);
        addSecond(viscosity * LuFluid.CONDUCTION, flow.energy(), pitch, from, to, energy);
        double half = viscosity * LuFluid.BULK / 2;
        for (int at = from; at < to; at++) {
            double up = v[at + pitch];
            double down = v[at - pitch];
            energy[at] += half * (up * up - 2 * v[at] * v[at] + down * down);
        }
    }

    private static void addSecond(double factor, double[] a, int pitch, int from, int to,
            double[] sum) {
        for (int at = from; at < to; at++) {
            sum[at] += factor * (a[at + pitch] - 2 * a[at] + a[at - pitch]);
        }
    }

    /** Along x the weights of the points at the ends of a row are others than between them. */
    private void dissipate(int axis, int j, int k, double[][] sum) {
        int begin = box.x().begin();
        int end = box.x().end();
        if (axis > 0) {
            dissipate(axis, axis == 1 ? j : k, box.row(j, k) + begin, box.row(j, k) + end, sum);
            return;
        }
        int inner = Math.min(end, begin + 2);
        int outer = Math.max(inner, end - 2);
        for (int i = begin; i < inner; i++) {
            dissipate(0, i, box.row(j, k) + i, box.row(j, k) + i + 1, sum);
        }
        dissipate(0, inner, box.row(j, k) + inner, box.row(j, k) + outer, sum);
        for (int i = outer; i < end; i++) {
            dissipate(0, i, box.row(j, k) + i, box.row(j, k) + i + 1, sum);
        }
    }

    /** Of points with the same weights as that with `index` along the axis. */
    private void dissipate(int axis, int index, int from, int to, double[][] sum) {
        int below = box.axis(axis).point(index);
        int above = box.axis(axis).points() - 1 - below;
        double down2 = below > 2 ? 1 : 0;
        double down = below > 1 ? -4 : 0;
        double centre = below > 1 && above > 1 ? 6 : 5;
        double up = above > 1 ? -4 : 0;
        double up2 = above > 2 ? 1 : 0;
        int pitch = box.pitch(axis);
        for (int m = 0; m < sum.length; m++) {
            double[] u = flow.state()[m];
            double[] v = sum[m];
            for (int at = from; at < to; at++) {
                v[at] -= LuFluid.DISSIPATION * (down2 * u[at - 2 * pitch] + down * u[at - pitch]
                        + centre * u[at] + up * u[at + pitch] + up2 * u[at + 2 * pitch]);
            }
        }
    }
}
