// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A communicator of one group of processes. */
public class Intracomm extends IntracommCollectives {
    Intracomm() {
    }
}
