// SPDX-License-Identifier: Apache-2.0
/** What {@code hayate perf footprint} measures: the memory and page tables of jobs. */
package io.hayate.cli.footprint;
