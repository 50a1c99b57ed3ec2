// SPDX-License-Identifier: Apache-2.0
/** The {@code hayate} command. Each subcommand has a class; the package has no public interface. */
package io.hayate.cli;
