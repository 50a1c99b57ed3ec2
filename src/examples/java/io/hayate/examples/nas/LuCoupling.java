// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * How a point depends on its two neighbours along an axis: the blocks of 5 x 5 numbers beside the
 * diagonal of the implicit system. A product with one is the derivative of the fluxes in the
 * direction of a vector, so that no block is ever formed.
 */
final class LuCoupling {
    private final double convection;
    private final double viscosity;
    private final double diffusion;
    private final int normal; // components: momentum along the axis, and across it
    private final int side;
    private final int other;
    private final double[] volume;
    private final double[] alongNormal; // velocities
    private final double[] alongSide;
    private final double[] alongOther;
    private final double[] kinetic;
    private final double[] energy;

    LuCoupling(LuFlow flow, int axis, double timeStep) {
        double step = flow.box().axis(axis).step();
        convection = timeStep / (2 * step);
        viscosity = timeStep * LuFluid.VISCOSITY / (step * step);
        diffusion = timeStep * LuFluid.diffusion(axis) / (step * step);
        int second = (axis + 1) % 3;
        int third = (axis + 2) % 3;
        normal = 1 + axis;
        side = 1 + second;
        other = 1 + third;
        volume = flow.volume();
        alongNormal = flow.velocity(axis);
        alongSide = flow.velocity(second);
        alongOther = flow.velocity(third);
        kinetic = flow.kinetic();
        energy = flow.energy();
    }

    /**
     * Adds the product of a neighbour's block with its vector.
     *
     * @param at the neighbour, upwards (`direction` 1) or downwards (-1)
     */
    void add(double[][] vectors, int at, int direction, double[] sum) {
        double density = vectors[0][at];
        double flow = vectors[normal][at];
        double heat = vectors[4][at];
        double v = alongNormal[at];
        double s = alongSide[at];
        double o = alongOther[at];
        double faster = flow - v * density; // changes of velocities, times the density
        double fasterSide = vectors[side][at] - s * density;
        double fasterOther = vectors[other][at] - o * density;
        double pressure = (LuFluid.GAMMA - 1)
                * (heat - kinetic[at] * density - v * faster - s * fasterSide - o * fasterOther);
        double enthalpy = LuFluid.GAMMA * energy[at] - (LuFluid.GAMMA - 1) * kinetic[at];
        double work = (1 - LuFluid.CONDUCTION) * (v * faster + s * fasterSide + o * fasterOther)
                + LuFluid.BULK * v * faster + LuFluid.CONDUCTION * (heat - energy[at] * density);
        double c = direction * convection;
        double w = viscosity * volume[at];
        sum[0] += c * flow - diffusion * density;
        sum[normal] += c * (v * flow + v * faster + pressure) - w * (1 + LuFluid.BULK) * faster
                - diffusion * flow;
        sum[side] += c * (v * vectors[side][at] + s * faster) - w * fasterSide
                - diffusion * vectors[side][at];
        sum[other] += c * (v * vectors[other][at] + o * faster) - w * fasterOther
                - diffusion * vectors[other][at];
        sum[4] += c * (v * (heat + pressure) + enthalpy * faster) - w * work - diffusion * heat;
    }
}
