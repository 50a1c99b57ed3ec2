// SPDX-License-Identifier: Apache-2.0
/** Cartesian grids of ranks, and the exchange of what their blocks share at the edges. */
package io.hayate.internal.grid;
