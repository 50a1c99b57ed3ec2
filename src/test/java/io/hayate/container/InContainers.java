// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Tests that run programs in containers, where scripts/test.sh has found or started an engine. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("container")
@Timeout(600)
@EnabledIfEnvironmentVariable(named = Sandbox.BASE, matches = ".+",
        disabledReason = Sandbox.NO_BASE)
@interface InContainers {
}
