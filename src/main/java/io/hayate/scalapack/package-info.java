// SPDX-License-Identifier: Apache-2.0
/**
 * Dense linear algebra on distributed matrices by ScaLAPACK, whose messages Hayate carries.
 *
 * <p>A {@link io.hayate.scalapack.BlockCyclic} layout says which process of a
 * {@link io.hayate.Grid} stores which elements, a {@link io.hayate.scalapack.DistributedMatrix} is
 * this process's part of a matrix, and {@link io.hayate.scalapack.ScaLapack} computes. The names of
 * its calls are those of ScaLAPACK without the letters for the parallel version and the type:
 * {@code gesv} calls {@code psgesv}, {@code pdgesv}, {@code pcgesv} or {@code pzgesv}, by the type
 * of the elements. A name is that of the real routine where the complex one has another:
 * {@code syev} calls {@code pzheev}. Indices count from 0.
 *
 * <p>The library libscalapack is not part of Hayate. It is loaded at the first call of
 * {@link io.hayate.scalapack.ScaLapack#on}. MPI, for which it was compiled, is not used.
 */
package io.hayate.scalapack;
