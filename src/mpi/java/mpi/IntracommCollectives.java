// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Collectives that only intracommunicators have, and those by the names of mpiJava. */
class IntracommCollectives extends Comm {
    IntracommCollectives() {
    }
}
