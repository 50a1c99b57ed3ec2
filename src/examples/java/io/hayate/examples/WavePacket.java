// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/**
 * A coherent state of the harmonic oscillator in three dimensions, in units where its mass, its
 * frequency and h-bar are 1: a Gaussian that swings to and fro without changing its shape,
 * differently on each axis. The box is as long as the largest wave number of the grid is large, so
 * that both cut the packet off alike.
 */
final class WavePacket {
    private static final double[] POSITION = {0.75, -0.5, 0.25};
    private static final double[] MOMENTUM = {0.25, 0.5, -0.5};

    private final int points;
    private final double side;

    WavePacket(int points) {
        this.points = points;
        side = Math.sqrt(2 * Math.PI * points);
    }

    double side() {
        return side;
    }

    double coordinate(int i) {
        return (i - points / 2) * side / points;
    }

    /** Potential energy on an axis. */
    double[] potential() {
        double[] energies = new double[points];
        for (int i = 0; i < points; i++) {
            energies[i] = coordinate(i) * coordinate(i) / 2;
        }
        return energies;
    }

    /** Kinetic energy on an axis, in the order of the transform. */
    double[] kinetic(Fft fft) {
        double[] energies = new double[points];
        for (int i = 0; i < points; i++) {
            double momentum = 2 * Math.PI / side * fft.waveNumber(i);
            energies[i] = momentum * momentum / 2;
        }
        return energies;
    }

    /** Where its centre is. */
    double position(int axis, double time) {
        return POSITION[axis] * Math.cos(time) + MOMENTUM[axis] * Math.sin(time);
    }

    /** The factor of an axis, complex; the squares of their product's values add up to 1. */
    double[] values(int axis, double time) {
        double centre = position(axis, time);
        double momentum = MOMENTUM[axis] * Math.cos(time) - POSITION[axis] * Math.sin(time);
        double height = Math.sqrt(side / points / Math.sqrt(Math.PI));
        double[] values = new double[2 * points];
        for (int i = 0; i < points; i++) {
            double x = coordinate(i);
            double size = height * Math.exp(-(x - centre) * (x - centre) / 2);
            double phase = momentum * (x - centre / 2) - time / 2;
            values[2 * i] = size * Math.cos(phase);
            values[2 * i + 1] = size * Math.sin(phase);
        }
        return values;
    }

    /**
     * How far a split-step solution may be off. The steps are exact ones of a Hamiltonian that
     * differs by step^2 (p^2 / 12 - x^2 / 24), and p^2 and x^2 of a packet are less than
     * amplitude^2 + 3/2 on each axis. The ends of the box cut off the Gaussian's tails.
     */
    double errorLimit(double step, double time) {
        double splitting = 0;
        double largest = 0;
        for (int axis = 0; axis < POSITION.length; axis++) {
            double square = POSITION[axis] * POSITION[axis] + MOMENTUM[axis] * MOMENTUM[axis];
            splitting += (square + 1.5) / 8;
            largest = Math.max(largest, square);
        }
        double end = side / 2 - Math.sqrt(largest);
        double tails = Math.exp(-end * end / 2);
        return 1e-12 + time * step * step * splitting + (1 + time) * tails;
    }
}
