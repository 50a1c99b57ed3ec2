// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of programs on several nodes, which are containers:
 * {@link io.hayate.testcontainers.HayateCluster}. The package needs Testcontainers 2, which a
 * program that depends on Hayate does not get otherwise, and a Docker engine.
 */
package io.hayate.testcontainers;
