// SPDX-License-Identifier: Apache-2.0
/** The parts of {@code hayate explain}: the answers of the library, and pictures of them. */
package io.hayate.cli.explain;
