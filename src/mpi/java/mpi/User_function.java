// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The function of an operation in mpiJava's dialect. */
public abstract class User_function {
    /** Nothing is to be done. */
    public User_function() {
    }

    /**
     * Combines two vectors: inoutvec[i] becomes invec[i] op inoutvec[i]. It must not change invec.
     *
     * @param invec an array of the left operands, of lower ranks
     * @param inoffset the index of the first one
     * @param inoutvec an array of the right operands, which receives the results
     * @param inoutoffset the index of the first one
     * @param count the number of elements
     * @param datatype their type
     */
    public abstract void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset,
            int count, Datatype datatype);
}
