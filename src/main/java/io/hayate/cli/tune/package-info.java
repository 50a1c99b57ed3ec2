// SPDX-License-Identifier: Apache-2.0
/**
 * The measurement of the cost model of this machine, and the comparison of its choices with
 * measurements.
 */
package io.hayate.cli.tune;
