// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A method {@code static void should...(Rank)} that all ranks of a job run at the same time. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Scenario {
    /** Fewest ranks that it makes sense with. */
    int ranks() default 1;

    /** Oldest Java that it runs on. */
    int java() default 17;
}
