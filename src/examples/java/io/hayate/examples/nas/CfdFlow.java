// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** What fluxes are made of: numbers derived from the solution at each point. */
final class CfdFlow {
    static final int SIZE = 8; // numbers for each point
    static final int VELOCITY = 0; // along x, y and z
    static final int KINETIC = 3; // energy per mass
    static final int ENERGY = 4; // per mass
    static final int VOLUME = 5; // per mass
    static final int PRESSURE = 6;
    static final int SOUND = 7; // its speed

    static final double GAMMA = 1.4; // ratio of specific heats
    static final double VISCOSITY = 0.1;
    static final double CONDUCTION = 1.96; // of heat, in units of the viscosity

    private CfdFlow() {}

    /**
     * From the solution, for own points and a layer of ghosts. It is of no use where the solution
     * is not: on edges of ghosts, and outside of the grid.
     */
    static void derive(CfdCell cell) {
        for (int k = -1; k <= cell.own(2); k++) {
            for (int j = -1; j <= cell.own(1); j++) {
                deriveRow(cell.solution(), cell.flow(), cell.at(-1, j, k), cell.own(0) + 2);
            }
        }
    }

    private static void deriveRow(double[] u, double[] flow, int first, int count) {
        for (int at = first; at < first + count; at++) {
            int c = CfdExact.COMPONENTS * at;
            int f = SIZE * at;
            double volume = 1 / u[c];
            double x = volume * u[c + 1];
            double y = volume * u[c + 2];
            double z = volume * u[c + 3];
            double kinetic = 0.5 * (x * x + y * y + z * z);
            double pressure = (GAMMA - 1) * (u[c + 4] - kinetic * u[c]);
            flow[f + VELOCITY] = x;
            flow[f + VELOCITY + 1] = y;
            flow[f + VELOCITY + 2] = z;
            flow[f + KINETIC] = kinetic;
            flow[f + ENERGY] = volume * u[c + 4];
            flow[f + VOLUME] = volume;
            flow[f + PRESSURE] = pressure;
            flow[f + SOUND] = Math.sqrt(GAMMA * pressure * volume);
        }
    }
}
