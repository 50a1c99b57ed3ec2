// SPDX-License-Identifier: Apache-2.0
/** The measurements of {@code hayate perf footprint}: memory and page tables of jobs. */
package io.hayate.cli.footprint;
