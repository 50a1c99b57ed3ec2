// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** How the fluxes along an axis at a point depend on the solution there: 5 * 5 blocks, by rows. */
final class BtJacobian {
    private static final int SIZE = CfdExact.COMPONENTS;
    private static final int ENERGY = SIZE - 1; // component
    private static final double PRESSURE = CfdFlow.GAMMA - 1; // of energy

    private final int velocity; // where in the flow that along the axis is
    private final int normal; // component

    BtJacobian(int axis) {
        velocity = CfdFlow.VELOCITY + axis;
        normal = 1 + axis;
    }

    /** Adds `factor` times that of what is carried along, and of pressure. */
    void addConvection(double factor, double[] flow, int at, double[] block) {
        int f = CfdFlow.SIZE * at;
        double speed = factor * flow[f + velocity];
        double pressure = factor * PRESSURE;
        double kinetic = flow[f + CfdFlow.KINETIC];
        double energy = CfdFlow.GAMMA * flow[f + CfdFlow.ENERGY];
        block[normal] += factor;
        for (int m = 1; m < ENERGY; m++) {
            double other = flow[f + CfdFlow.VELOCITY + m - 1];
            block[SIZE * m] -= speed * other;
            block[SIZE * m + m] += speed;
            block[SIZE * m + normal] += factor * other;
            block[SIZE * normal + m] -= pressure * other;
            block[SIZE * ENERGY + m] -= PRESSURE * speed * other;
        }
        block[SIZE * normal] += pressure * kinetic;
        block[SIZE * normal + ENERGY] += pressure;
        block[SIZE * ENERGY] += speed * (2 * PRESSURE * kinetic - energy);
        block[SIZE * ENERGY + normal] += factor * (energy - PRESSURE * kinetic);
        block[SIZE * ENERGY + ENERGY] += CfdFlow.GAMMA * speed;
    }

    /** Adds `factor` times that of friction and of conduction of heat, but for the differences. */
    void addViscosity(double factor, double[] flow, int at, double[] block) {
        int f = CfdFlow.SIZE * at;
        double viscosity = factor * CfdFlow.VISCOSITY * flow[f + CfdFlow.VOLUME];
        double conduction = viscosity * CfdFlow.CONDUCTION;
        for (int m = 1; m < ENERGY; m++) {
            double other = flow[f + CfdFlow.VELOCITY + m - 1];
            double friction = m == normal ? 4 * viscosity / 3 : viscosity;
            block[SIZE * m] -= friction * other;
            block[SIZE * m + m] += friction;
            block[SIZE * ENERGY] -= (friction - conduction) * other * other;
            block[SIZE * ENERGY + m] += (friction - conduction) * other;
        }
        block[SIZE * ENERGY] -= conduction * flow[f + CfdFlow.ENERGY];
        block[SIZE * ENERGY + ENERGY] += conduction;
    }
}
