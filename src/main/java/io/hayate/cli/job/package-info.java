// SPDX-License-Identifier: Apache-2.0
/** Running jobs, as commands see them: their ranks, counters and waits. */
package io.hayate.cli.job;
