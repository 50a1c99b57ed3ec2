// SPDX-License-Identifier: Apache-2.0
/** The parts of {@code hayate explain}: what the library tells, and the pictures of it. */
package io.hayate.cli.explain;
