// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("example")
class ConditionEstimateTest {
    @Test
    void should_be_exact_after_as_many_steps_as_there_are_eigenvalues() {
        // Conjugate gradients on diag(1, 100) from the residual (1, 1).
        double first = 2.0 / 101;
        double r0 = 1 - first;
        double r1 = 1 - 100 * first;
        double beta = (r0 * r0 + r1 * r1) / 2;
        double p0 = r0 + beta;
        double p1 = r1 + beta;
        double second = (r0 * r0 + r1 * r1) / (p0 * p0 + 100 * p1 * p1);
        double condition =
                ConditionEstimate.of(new double[] {first, second}, new double[] {0, beta}, 2);
        assertEquals(100, condition, 1e-3);
    }

    @Test
    void should_be_one_when_nothing_is_known() {
        assertEquals(1, ConditionEstimate.of(new double[0], new double[0], 0));
        assertEquals(1, ConditionEstimate.of(new double[] {0.5}, new double[] {0}, 1), 1e-5);
    }
}
