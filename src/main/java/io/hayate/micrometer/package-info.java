// SPDX-License-Identifier: Apache-2.0
/**
 * The counters of a rank as metrics of Micrometer: {@link io.hayate.micrometer.HayateMetrics}. The
 * package needs micrometer-core (tested with 1.15), which a program that depends on Hayate does not
 * get otherwise. A program of modules also requires the module {@code micrometer.core}.
 */
package io.hayate.micrometer;
