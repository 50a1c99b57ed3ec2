// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.Arrays;

/**
 * The flow at a rank's points: the five conserved variables, and what follows from them. Outside of
 * the cube the density is 1 and all else 0.
 */
final class LuFlow {
    private final LuBox box;
    private final double[][] state; // density, momentum along x, y, z, energy
    private final double[] volume; // per mass, as energies are
    private final double[][] velocity;
    private final double[] kinetic;
    private final double[] energy;

    LuFlow(LuBox box) {
        this.box = box;
        state = new double[CfdExact.COMPONENTS][box.length()];
        Arrays.fill(state[0], 1);
        volume = new double[box.length()];
        velocity = new double[3][box.length()];
        kinetic = new double[box.length()];
        energy = new double[box.length()];
    }

    LuBox box() {
        return box;
    }

    double[][] state() {
        return state;
    }

    double[] volume() {
        return volume;
    }

    double[] velocity(int axis) {
        return velocity[axis];
    }

    double[] kinetic() {
        return kinetic;
    }

    double[] energy() {
        return energy;
    }

    double pressure(int at) {
        return (LuFluid.GAMMA - 1) * (state[4][at] - state[0][at] * kinetic[at]);
    }

    /** Computes, from the variables, what follows from them, for ghosts too. */
    void derive() {
        double[] x = velocity[0];
        double[] y = velocity[1];
        double[] z = velocity[2];
        for (int at = 0; at < volume.length; at++) {
            double inverse = 1 / state[0][at];
            volume[at] = inverse;
            x[at] = inverse * state[1][at];
            y[at] = inverse * state[2][at];
            z[at] = inverse * state[3][at];
            kinetic[at] = 0.5 * (x[at] * x[at] + y[at] * y[at] + z[at] * z[at]);
            energy[at] = inverse * state[4][at];
        }
    }

    /** Of the variables from the exact solution. */
    double[][] difference() {
        LuFlow exact = new LuFlow(box);
        exact.setExact();
        double[][] difference = exact.state;
        for (int m = 0; m < state.length; m++) {
            for (int at = 0; at < state[m].length; at++) {
                difference[m][at] -= state[m][at];
            }
        }
        return difference;
    }

    /** Begins with the exact solution. */
    void setExact() {
        set(CfdExact::value);
    }

    /** Begins with the exact solution on the boundary of the cube, and a guess within. */
    void setGuess() {
        set(LuFlow::guess);
    }

    private interface Values {
        double at(int component, double x, double y, double z);
    }

    /** Values are those within the cube. */
    private void set(Values values) {
        for (int k = 0; k < box.z().length(); k++) {
            for (int j = 0; j < box.y().length(); j++) {
                for (int i = 0; i < box.x().length(); i++) {
                    if (box.isInside(i, j, k)) {
                        set(box.isOnBoundary(i, j, k) ? CfdExact::value : values, i, j, k);
                    }
                }
            }
        }
        derive();
    }

    private void set(Values values, int i, int j, int k) {
        for (int m = 0; m < state.length; m++) {
            state[m][box.row(j, k) + i] = values.at(m, box.x().position(i), box.y().position(j),
                    box.z().position(k));
        }
    }

    /** Combines the linear interpolations between opposite faces. */
    private static double guess(int m, double x, double y, double z) {
        double alongX = (1 - x) * CfdExact.value(m, 0, y, z)
                + x * CfdExact.value(m, 1, y, z);
        double alongY = (1 - y) * CfdExact.value(m, x, 0, z)
                + y * CfdExact.value(m, x, 1, z);
        double alongZ = (1 - z) * CfdExact.value(m, x, y, 0)
                + z * CfdExact.value(m, x, y, 1);
        return alongX + alongY + alongZ - alongX * alongY - alongY * alongZ - alongZ * alongX
                + alongX * alongY * alongZ;
    }
}
