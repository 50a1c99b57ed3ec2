// SPDX-License-Identifier: Apache-2.0
package io.hayate.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs a test method on all ranks of a job at the same time. A method with this annotation is a
 * test; {@code @Test} is not needed. On a class, the annotation applies to all its test methods,
 * including parameterized and repeated ones.
 *
 * <pre>{@code
 * import static org.junit.jupiter.api.Assertions.assertEquals;
 *
 * import io.hayate.*;
 * import io.hayate.junit.Ranks;
 *
 * public class SumTest {
 *     @Ranks(4)
 *     void shouldAddUp(Fmpl fmpl, int rank) {
 *         double[] sum = {rank};
 *         fmpl.allreduce(Span.of(sum), Reduction.DOUBLE_SUM);
 *         assertEquals(6, sum[0]);
 *     }
 * }
 * }</pre>
 *
 * <p>Each rank calls the method in a thread of its own. The method may have these parameters:
 * {@code Hayate}, the rank; {@code Fmpl}, opened on it; {@code int}, the number of the rank (not in
 * parameterized and repeated tests, which have numbers of their own). The rank and the FMPL are
 * closed when the method ends on this rank. Other parameters have the same value on all ranks.
 *
 * <p>The ranks are threads of the JVM of the test by default. They share the test object and all
 * static fields; fixtures ({@code @BeforeEach} and so on) run once, in the thread of the test. With
 * {@link #processes} each rank is a JVM of its own, started by {@code hayate run}, with a test
 * object and fixtures of its own. Fixtures then also run in the JVM of the test.
 *
 * <p>The test fails if the method throws anything on any rank. The text names the rank that failed
 * first, with the cause; failures of other ranks are suppressed exceptions, of which those that
 * were only a consequence come last. If a rank has not ended after {@link #seconds}, the text names
 * the rank and tells which ranks wait for which, as {@code hayate stat --waits} does; the cause has
 * the stack trace of its thread. An assumption that does not hold on
 * the rank that fails first aborts the test. What ranks print is shown with the rank before each
 * line, like {@code [3] text}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Test
@ExtendWith(RanksExtension.class)
@SuppressWarnings("exports")
public @interface Ranks {
    /**
     * The number of ranks.
     *
     * @return 1 to 4096
     */
    int value();

    /**
     * Whether each rank is a JVM of its own. It gets the class path, the module path, the system
     * properties and the options of the JVM of the test, except those of a debugger.
     *
     * @return false: the ranks are threads of one JVM
     */
    boolean processes() default false;

    /**
     * How long the method may take on each rank; with {@link #processes}, the start of the JVMs is
     * not included.
     *
     * @return seconds, at least 1
     */
    int seconds() default 60;
}
