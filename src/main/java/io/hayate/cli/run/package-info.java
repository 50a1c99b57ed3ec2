// SPDX-License-Identifier: Apache-2.0
/** {@code hayate run}, and the start of ranks for the other commands. */
package io.hayate.cli.run;
