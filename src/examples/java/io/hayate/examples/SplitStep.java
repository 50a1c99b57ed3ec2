// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.examples.DistributedFft.PencilWork;
import io.hayate.examples.DistributedFft.PlaneWork;

/**
 * Moves a wave packet through its harmonic trap by Schroedinger's equation: the potential turns the
 * phases of the field in space, the kinetic energy those of its coefficients, half a step of the
 * one on either side of each step of the other (Strang; Feit, Fleck and Steiger 1982). Between
 * begin() and finish(), steps end with a whole step of the potential and with the field on its way.
 */
final class SplitStep {
    private final DistributedFft fft;
    private final Slabs slabs;
    private final int first; // plane, and y, of this rank
    private final WavePacket packet;
    private final double step;
    private final Phases halfPotential;
    private final Phases halfBack;
    private final PlaneWork potential;
    private final PencilWork kinetic;
    private double startSquares;
    private int steps;

    SplitStep(DistributedFft fft, Slabs slabs, int rank, WavePacket packet, double step) {
        this.fft = fft;
        this.slabs = slabs;
        this.packet = packet;
        this.step = step;
        first = rank * slabs.thickness();
        halfPotential = new Phases(packet.potential(), step / 2, 1);
        halfBack = new Phases(packet.potential(), -step / 2, 1);
        Phases whole = new Phases(packet.potential(), step, 1);
        potential = (plane, z) -> turn(whole, plane, z);
        Phases drift = new Phases(packet.kinetic(fft.axis()), step, scale());
        kinetic = (pencil, x, y) -> drift.apply(pencil, 0, x, first + y);
    }

    /** The packet at time 0. */
    void begin() {
        double[][] start = {packet.values(0, 0), packet.values(1, 0), packet.values(2, 0)};
        fft.begin((plane, z) -> {
            for (int y = 0; y < slabs.points(); y++) {
                int row = y * fft.pitch();
                PacketCheck.exact(start, y, first + z, plane, row);
                startSquares += PacketCheck.squares(plane, row, 2 * slabs.points());
            }
            turn(halfPotential, plane, z);
        });
    }

    /** Collective. Allocates nothing. */
    void advance() {
        fft.spectrum(kinetic);
        fft.space(potential);
        steps++;
    }

    /** Takes the field out and compares it with what it should be now. */
    PacketCheck finish(GlobalSums sums) {
        PacketCheck.Parts parts = new PacketCheck.Parts(packet, steps * step, startSquares);
        Phases still = new Phases(packet.kinetic(fft.axis()), 0, scale());
        fft.spectrum((pencil, x, y) -> {
            parts.addCoefficients(pencil, scale());
            still.apply(pencil, 0, x, first + y);
        });
        fft.end((plane, z) -> {
            turn(halfBack, plane, z);
            for (int y = 0; y < slabs.points(); y++) {
                parts.addRow(plane, y * fft.pitch(), y, first + z);
            }
        });
        return parts.sum(sums, packet.errorLimit(step, steps * step), steps);
    }

    /** Undoes what the transform and its inverse multiply by. */
    private double scale() {
        return Math.pow(slabs.points(), -3);
    }

    private void turn(Phases phases, double[] plane, int z) {
        for (int y = 0; y < slabs.points(); y++) {
            phases.apply(plane, y * fft.pitch(), y, first + z);
        }
    }
}
