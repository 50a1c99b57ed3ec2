// SPDX-License-Identifier: Apache-2.0
package io.hayate.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Reduction;
import io.hayate.Span;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Ranks(2)
class RanksOnClassTest {
    private static double sum(Fmpl fmpl, double value) {
        double[] sum = {value};
        fmpl.allreduce(Span.of(sum), Reduction.DOUBLE_SUM);
        return sum[0];
    }

    @Test
    void should_run_plain_tests_on_ranks(Fmpl fmpl, int rank) {
        assertEquals(1, sum(fmpl, rank));
    }

    @Ranks(3)
    void should_prefer_the_annotation_of_the_method(Fmpl fmpl) {
        assertEquals(3, sum(fmpl, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void should_run_parameterized_tests_on_ranks(int value, Fmpl fmpl) {
        assertEquals(2 * value, sum(fmpl, value));
    }

    @RepeatedTest(2)
    void should_run_repeated_tests_on_ranks(Fmpl fmpl, Hayate job) {
        assertEquals(1, sum(fmpl, job.rank()));
    }

    /** Run by {@link RanksTest}, as Surefire does not count tests of nested classes. */
    @Ranks(2)
    static class Outer {
        @Nested
        class Inner {
            @Test
            void sums(Fmpl fmpl) {
                assertEquals(2, sum(fmpl, 1));
            }
        }
    }
}
