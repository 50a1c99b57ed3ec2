// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** The constants of the simulated fluid and of its discretisation. */
final class LuFluid {
    /** Ratio of the specific heats. */
    static final double GAMMA = 1.4;
    static final double VISCOSITY = 0.1;
    /** Of heat, relative to the viscosity. */
    static final double CONDUCTION = 1.96;
    /** What the viscosity along a velocity's own axis is more than across it. */
    static final double BULK = 1.0 / 3;
    /** Factor of the fourth-order dissipation. */
    static final double DISSIPATION = 0.25;

    private static final double[] DIFFUSION = {0.75, 0.75, 1};

    private LuFluid() {}

    /** Factor of the second-order diffusion of all components along an axis. */
    static double diffusion(int axis) {
        return DIFFUSION[axis];
    }
}
