// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against their definitions, in a job of one rank, as if it were one of many. */
@Tag("example")
class MgOperatorsTest {
    private static final double[] SMOOTHER = {0.5, 0.25, -0.125};

    private final Random random = new Random(7);
    private Hayate job;
    private Fmpl fmpl;
    private NasJob own;
    private final MgOperators operators = new MgOperators(SMOOTHER, 10);

    @BeforeEach
    void open() throws UsageException {
        job = Hayate.init();
        fmpl = Fmpl.init(job);
        NasOptions options = NasOptions.parse();
        own = new NasJob(new HayateLibrary(job, fmpl, options), options);
    }

    @AfterEach
    void close() {
        own.close();
        fmpl.close();
        job.close();
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,4", "5,8"})
    void should_subtract_what_the_operator_makes_of_the_solution(int rank, int size) {
        MgLevel level = level(rank, size, 8);
        fill(level);
        double[] right = level.residual().clone();
        operators.subtract(level, level.residual());
        onOwnPoints(level, at -> assertEquals(right[at]
                - stencil(level.solution(), level.box(), at, -8.0 / 3, 0, 1.0 / 6, 1.0 / 12),
                level.residual()[at], 1e-14));
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,4", "5,8"})
    void should_smooth_by_weights_of_distance(int rank, int size) {
        MgLevel level = level(rank, size, 8);
        fill(level);
        double[] before = level.solution().clone();
        operators.smooth(level);
        onOwnPoints(level, at -> assertEquals(before[at]
                + stencil(level.residual(), level.box(), at, 0.5, 0.25, -0.125, 0),
                level.solution()[at], 1e-14));
    }

    @Test
    void should_leave_no_residual_of_a_constant() {
        MgLevel level = level(0, 1, 8);
        Arrays.fill(level.solution(), 3);
        operators.subtract(level, new double[level.box().length()]);
        assertEquals(0, operators.squares(level), 1e-25);
    }

    /** The last ranks, which are awake on all levels; some have one point on both. */
    @ParameterizedTest
    @CsvSource({"1,8", "8,8", "64,8", "64,4", "16,4", "128,8"})
    void should_restrict_to_means(int size, int points) {
        MgLevel fine = level(size - 1, size, points);
        MgLevel coarse = level(size - 1, size, points / 2);
        fill(fine);
        operators.restrict(fine, coarse);
        onOwnPoints(coarse, at -> assertEquals(
                stencil(fine.residual(), fine.box(), fineOf(coarse.box(), fine.box(), at),
                        0.5, 0.25, 0.125, 0.0625),
                coarse.residual()[at], 1e-15));
    }

    @ParameterizedTest
    @CsvSource({"1,8", "8,8", "64,8", "64,4", "16,4", "128,8"})
    void should_prolong_linearly_to_ghosts_too(int size, int points) {
        MgLevel fine = level(size - 1, size, points);
        MgLevel coarse = level(size - 1, size, points / 2);
        fill(fine);
        fill(coarse);
        double[] expected = fine.solution().clone();
        MgBox box = fine.box();
        for (int at = 0; at < expected.length; at++) {
            int[] place = {at % box.rowLength(), at / box.pitch(1) % (box.y() + 2),
                at / box.pitch(2)};
            expected[at] += interpolated(coarse, box, place);
        }
        operators.prolong(coarse, fine);
        assertArrayEquals(expected, fine.solution(), 1e-14);
    }

    @Test
    void should_sum_squares_of_own_points_only() {
        MgLevel level = level(0, 8, 8);
        Arrays.fill(level.residual(), 2);
        assertEquals(4 * 4 * 4 * 4, operators.squares(level));
    }

    private interface PointTest {
        void at(int place);
    }

    private static void onOwnPoints(MgLevel level, PointTest test) {
        MgBox box = level.box();
        for (int k = 1; k <= box.z(); k++) {
            for (int j = 1; j <= box.y(); j++) {
                for (int i = 1; i <= box.x(); i++) {
                    test.at(box.row(j, k) + i);
                }
            }
        }
    }

    /** Sums over the 27 points around a point, weighted by the number of steps away. */
    private static double stencil(double[] a, MgBox box, int at, double... weights) {
        double sum = 0;
        for (int k = -1; k <= 1; k++) {
            for (int j = -1; j <= 1; j++) {
                for (int i = -1; i <= 1; i++) {
                    sum += weights[Math.abs(i) + Math.abs(j) + Math.abs(k)]
                            * a[at + i + j * box.pitch(1) + k * box.pitch(2)];
                }
            }
        }
        return sum;
    }

    /** The fine point on which a coarse one lies. */
    private static int fineOf(MgBox coarse, MgBox fine, int at) {
        int i = onFine(coarse, fine, 0, at % coarse.rowLength());
        int j = onFine(coarse, fine, 1, at / coarse.pitch(1) % (coarse.y() + 2));
        int k = onFine(coarse, fine, 2, at / coarse.pitch(2));
        return fine.row(j, k) + i;
    }

    private static int onFine(MgBox coarse, MgBox fine, int axis, int i) {
        return coarse.own(axis) == fine.own(axis) ? 2 * i - 1 : 2 * i;
    }

    private static double interpolated(MgLevel coarse, MgBox fine, int[] place) {
        double sum = 0;
        MgBox box = coarse.box();
        for (int at = 0; at < box.length(); at++) {
            int[] from = {at % box.rowLength(), at / box.pitch(1) % (box.y() + 2),
                at / box.pitch(2)};
            double weight = 1;
            for (int axis = 0; axis < MgRanks.AXES; axis++) {
                int steps = place[axis] - onFine(box, fine, axis, from[axis]);
                weight *= Math.max(0, 1 - Math.abs(steps) / 2.0);
            }
            sum += weight * coarse.solution()[at];
        }
        return sum;
    }

    private MgLevel level(int rank, int size, int points) {
        MgRanks ranks = MgRanks.of(rank, size);
        int most = ranks.box(points).largestFace();
        return new MgLevel(own, ranks, points, new MgPort(own, most, -1), new MgPort(own, most, 1));
    }

    private void fill(MgLevel level) {
        for (int i = 0; i < level.box().length(); i++) {
            level.solution()[i] = random.nextDouble();
            level.residual()[i] = random.nextDouble();
        }
    }
}
