// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The systems that sweeps solve, put together from the couplings of points. */
@Tag("example")
class LuSweepTest {
    private static final double TIME_STEP = 0.01;
    private static final double OMEGA = 1.2;
    private static final int COMPONENTS = CfdExact.COMPONENTS;

    private final LuFlow flow = new LuFlow(LuRanks.of(0, 1).box(6));
    private final LuBox box = flow.box();
    private final double[][] field = new double[COMPONENTS][box.length()];
    private final LuSweep sweep = new LuSweep(flow, field, TIME_STEP);

    private interface PointTest {
        void at(int place);
    }

    LuSweepTest() {
        Random random = new Random(3);
        flow.setGuess();
        onInnerPoints(at -> {
            for (int m = 0; m < COMPONENTS; m++) {
                field[m][at] = random.nextDouble();
            }
        });
    }

    @Test
    void should_solve_the_lower_system_upwards() {
        double[][] right = copy(field);
        for (int k = box.z().begin(); k < box.z().end(); k++) {
            sweep.up(k);
        }
        onInnerPoints(at -> {
            double[] own = diagonal(field, at);
            double[] others = neighbours(field, at, -1);
            for (int m = 0; m < COMPONENTS; m++) {
                assertEquals(TIME_STEP * right[m][at], own[m] + OMEGA * others[m], 1e-13);
            }
        });
    }

    @Test
    void should_solve_the_upper_system_downwards_and_correct_the_flow() {
        double[][] before = copy(field);
        double[][] state = copy(flow.state());
        for (int k = box.z().end() - 1; k >= box.z().begin(); k--) {
            sweep.down(k);
        }
        double[][] change = copy(field);
        onInnerPoints(at -> {
            for (int m = 0; m < COMPONENTS; m++) {
                change[m][at] -= before[m][at];
                assertEquals(state[m][at] + field[m][at] / (OMEGA * (2 - OMEGA)),
                        flow.state()[m][at], 1e-13);
            }
        });
        onInnerPoints(at -> {
            double[] own = diagonal(change, at);
            double[] others = neighbours(field, at, 1);
            for (int m = 0; m < COMPONENTS; m++) {
                assertEquals(-OMEGA * others[m], own[m], 1e-13);
            }
        });
    }

    /** The diagonal block is one less what a point couples to itself as its own neighbour. */
    private double[] diagonal(double[][] vectors, int at) {
        double[] product = new double[COMPONENTS];
        for (int axis = 0; axis < 3; axis++) {
            LuCoupling coupling = new LuCoupling(flow, axis, TIME_STEP);
            coupling.add(vectors, at, 1, product);
            coupling.add(vectors, at, -1, product);
        }
        for (int m = 0; m < COMPONENTS; m++) {
            product[m] = vectors[m][at] - product[m];
        }
        return product;
    }

    private double[] neighbours(double[][] vectors, int at, int direction) {
        double[] product = new double[COMPONENTS];
        for (int axis = 0; axis < 3; axis++) {
            new LuCoupling(flow, axis, TIME_STEP).add(vectors, at + direction * box.pitch(axis),
                    direction, product);
        }
        return product;
    }

    private void onInnerPoints(PointTest test) {
        for (int k = box.z().begin(); k < box.z().end(); k++) {
            for (int j = box.y().begin(); j < box.y().end(); j++) {
                for (int i = box.x().begin(); i < box.x().end(); i++) {
                    test.at(box.row(j, k) + i);
                }
            }
        }
    }

    private static double[][] copy(double[][] fields) {
        double[][] copy = new double[fields.length][];
        for (int m = 0; m < fields.length; m++) {
            copy[m] = fields[m].clone();
        }
        return copy;
    }
}
