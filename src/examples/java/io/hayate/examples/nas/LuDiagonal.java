// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The blocks of 5 x 5 numbers on the diagonal of the implicit system. Only viscosity and diffusion
 * get into them, so that they are lower triangular: density first, velocities, then energy.
 */
final class LuDiagonal {
    private final double own; // on the diagonal of all components, but for the viscosity
    private final double[] viscosity = new double[3]; // along each axis
    private final double conduction;
    private final LuFlow flow;

    LuDiagonal(LuFlow flow, double timeStep) {
        this.flow = flow;
        double diffusion = 0;
        double across = 0;
        for (int axis = 0; axis < 3; axis++) {
            double twice = 2 * timeStep / Math.pow(flow.box().axis(axis).step(), 2);
            diffusion += twice * LuFluid.diffusion(axis);
            across += twice * LuFluid.VISCOSITY;
            viscosity[axis] = twice * LuFluid.VISCOSITY * LuFluid.BULK;
        }
        for (int axis = 0; axis < 3; axis++) {
            viscosity[axis] += across;
        }
        own = 1 + diffusion;
        conduction = LuFluid.CONDUCTION * across;
    }

    /** Replaces the right side by the solution, at a point. */
    void solve(int at, double[] vector) {
        double volume = flow.volume()[at];
        double density = vector[0] / own;
        double heat = conduction * volume;
        double rest = vector[4] + heat * flow.energy()[at] * density;
        vector[0] = density;
        for (int axis = 0; axis < 3; axis++) {
            double velocity = flow.velocity(axis)[at];
            double drag = viscosity[axis] * volume;
            double momentum = (vector[1 + axis] + drag * velocity * density) / (own + drag);
            vector[1 + axis] = momentum;
            rest -= (drag - heat) * velocity * (momentum - velocity * density);
        }
        vector[4] = rest / (own + heat);
    }
}
