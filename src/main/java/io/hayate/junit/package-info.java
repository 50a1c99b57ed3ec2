// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of programs on several ranks, with JUnit 5: {@link io.hayate.junit.Ranks}. The package
 * needs JUnit Jupiter (5.10 or later), which a program that depends on Hayate does not get
 * otherwise.
 */
package io.hayate.junit;
