// SPDX-License-Identifier: Apache-2.0
/**
 * MPI for Java on Hayate: the package {@code mpi} of Open MPI's Java binding and of mpiJava and MPJ
 * Express. Programs that were written, or even compiled, for one of them run with this module in
 * its place.
 */
module io.hayate.mpi {
    requires io.hayate;

    exports mpi;
}
