// SPDX-License-Identifier: Apache-2.0
package mpi;

/** An object of MPI that the program frees when it no longer needs it. */
public interface Freeable {
    /**
     * Frees the object. It must not be used afterwards.
     *
     * @throws MPIException if the object was freed before, or is one that cannot be freed
     */
    void free();
}
