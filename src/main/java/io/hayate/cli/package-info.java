// SPDX-License-Identifier: Apache-2.0
/** The {@code hayate} command: one class a subcommand, no public interface. */
package io.hayate.cli;
