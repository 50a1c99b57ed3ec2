// SPDX-License-Identifier: Apache-2.0
/**
 * MPI for Java. Names in lower case ({@code send}) are those of Open MPI's Java binding, names in
 * upper case ({@code Send}, with an offset) those of mpiJava and MPJ Express. A program begins with
 * {@link mpi.MPI#Init}; beside it, {@link io.hayate.Hayate#current} gives it the job for Hayate's
 * own API.
 */
package mpi;
