// SPDX-License-Identifier: Apache-2.0
/** The {@code hayate} command. Its subcommands are in the packages below. */
package io.hayate.cli;
