// SPDX-License-Identifier: Apache-2.0
/** The measurements of {@code hayate perf}. */
package io.hayate.cli.perf;
