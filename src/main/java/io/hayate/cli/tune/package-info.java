// SPDX-License-Identifier: Apache-2.0
/** Measuring the model of this machine, and holding its choices against measurements. */
package io.hayate.cli.tune;
