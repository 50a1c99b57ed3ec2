// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.CollOptions;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.junit.Ranks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In a job of one rank, inside this JVM. */
@Tag("example")
@Ranks(1)
class SplitStepTest {
    private static final Slabs SLABS = new Slabs(32, 1, 4);

    @Test
    void should_follow_the_analytic_solution_to_second_order(Hayate job, Fmpl fmpl) {
        PacketCheck coarse = solve(job, fmpl, 10, 0.05);
        PacketCheck fine = solve(job, fmpl, 20, 0.025);
        assertTrue(coarse.isRight(), coarse.toString());
        assertTrue(fine.isRight(), fine.toString());
        assertEquals(4, coarse.error() / fine.error(), 0.1);
    }

    @Test
    void should_give_back_the_packet_when_there_is_no_step(Hayate job, Fmpl fmpl) {
        PacketCheck check = solve(job, fmpl, 0, 0.05);
        assertTrue(check.isRight(), check.toString());
        assertEquals(0, check.error(), 1e-13);
        assertEquals(0.75, check.centre()[0], 1e-6);
        assertEquals(-0.5, check.centre()[1], 1e-6);
        assertEquals(0.25, check.centre()[2], 1e-6);
    }

    /** Of another moment, with axes exchanged, of another norm. */
    @Test
    void should_see_a_wrong_field(Hayate job, Fmpl fmpl) {
        WavePacket packet = new WavePacket(16);
        double[][] right = {packet.values(0, 1), packet.values(1, 1), packet.values(2, 1)};
        double[][] late = {packet.values(0, 1.01), packet.values(1, 1.01),
            packet.values(2, 1.01)};
        double[][] turned = {right[1], right[0], right[2]};
        assertTrue(check(job, fmpl, packet, right, 1).isRight());
        assertFalse(check(job, fmpl, packet, late, 1).isRight());
        assertFalse(check(job, fmpl, packet, turned, 1).isRight());
        PacketCheck larger = check(job, fmpl, packet, right, 1 + 1e-9);
        assertTrue(larger.error() <= larger.errorLimit() && !larger.isRight(), larger.toString());
    }

    private PacketCheck check(Hayate job, Fmpl fmpl, WavePacket packet, double[][] factors,
            double scale) {
        PacketCheck.Parts parts = new PacketCheck.Parts(packet, 1, squares(factors));
        double[] row = new double[32];
        for (int z = 0; z < 16; z++) {
            for (int y = 0; y < 16; y++) {
                PacketCheck.exact(factors, y, z, row, 0);
                for (int i = 0; i < row.length; i++) {
                    row[i] *= scale;
                }
                parts.addRow(row, 0, y, z);
                parts.addCoefficients(row, 1);
            }
        }
        try (GlobalSums sums = new GlobalSums(job, fmpl, new Stopwatch())) {
            return parts.sum(sums, packet.errorLimit(0.01, 1), 100);
        }
    }

    private static double squares(double[][] factors) {
        double product = 1;
        for (double[] factor : factors) {
            product *= PacketCheck.squares(factor, 0, factor.length);
        }
        return product;
    }

    private PacketCheck solve(Hayate job, Fmpl fmpl, int steps, double step) {
        try (DistributedFft fft = new DistributedFft(job, fmpl, SLABS, CollOptions.AUTO,
                new Stopwatch());
                GlobalSums sums = new GlobalSums(job, fmpl, new Stopwatch())) {
            SplitStep solver = new SplitStep(fft, SLABS, 0, new WavePacket(SLABS.points()), step);
            solver.begin();
            for (int i = 0; i < steps; i++) {
                solver.advance();
            }
            return solver.finish(sums);
        }
    }
}
