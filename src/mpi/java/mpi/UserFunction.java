// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;

/**
 * The function of an operation. Subclasses override one of the methods: that with direct buffers
 * is the faster one, that with arrays is the only one for booleans and objects.
 */
public abstract class UserFunction {
    /** Nothing is to be done. */
    public UserFunction() {
    }

    /**
     * Combines two vectors: inOutVec[i] becomes inVec[i] op inOutVec[i].
     *
     * @param inVec an array of the left operands, of lower ranks
     * @param inOutVec an array of the right operands, which receives the results
     * @param count the number of elements
     * @param datatype their type
     * @throws MPIException ERR_OP if it is not overridden
     */
    public void call(Object inVec, Object inOutVec, int count, Datatype datatype) {
        throw new MPIException(ErrorClass.OP, getClass().getName() + " overrides neither of the"
                + " methods call, or not the one with arrays, which the datatype " + datatype
                + " needs");
    }

    /**
     * Combines two vectors in direct buffers, in the byte order of the machine. Unless it is
     * overridden, it copies them to arrays, and calls the other method.
     *
     * @param in the left operands, of lower ranks, from index 0 on
     * @param inOut the right operands, which it replaces by the results
     * @param count the number of elements
     * @param datatype their type
     */
    public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype) {
        Kind element = datatype.kind.element;
        Datatype each = Operands.basic(element);
        int elements = in.capacity() / element.bytes;
        Object left = Operands.array(element, elements);
        Object right = Operands.array(element, elements);
        Packing.unpack(in.duplicate().clear(), left, 0, elements, each);
        Packing.unpack(inOut.duplicate().clear(), right, 0, elements, each);
        call(left, right, count, datatype);
        Packing.pack(right, 0, elements, each, inOut.duplicate().clear());
    }
}
