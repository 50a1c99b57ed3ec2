// SPDX-License-Identifier: Apache-2.0
package mpi;

/** How many elements some received bytes are; for arrays of objects, places instead of bytes. */
final class Counting {
    /** Not a whole number of elements, or more than the result can hold. */
    static final int UNDEFINED = -32766;

    private Counting() {
    }

    /** Returns the whole elements of the datatype, or UNDEFINED. */
    static int count(long bytes, Datatype type) {
        long size = Datatype.required(type).bytes;
        if (size == 0) {
            return bytes == 0 ? 0 : UNDEFINED;
        }
        return bytes % size == 0 ? toInt(bytes / size) : UNDEFINED;
    }

    /** Returns the primitive elements, or UNDEFINED. */
    static int elements(long bytes, Datatype type) {
        return toInt(elementsX(bytes, type));
    }

    /** Returns the primitive elements, or UNDEFINED. */
    static long elementsX(long bytes, Datatype type) {
        long elements = Datatype.required(type).map().signature.elements(bytes);
        return elements < 0 ? UNDEFINED : elements;
    }

    /** Returns the bytes of some primitive elements, at least 0. */
    static long bytes(long elements, Datatype type) {
        Signature signature = Datatype.required(type).map().signature;
        if (elements < 0) {
            throw new MPIException(ErrorClass.COUNT,
                    "the number of elements is " + elements + ": expected 0 or more");
        }
        try {
            return signature.bytesOf(elements);
        } catch (ArithmeticException e) {
            throw new MPIException(ErrorClass.COUNT, elements + " elements of the datatype "
                    + type + " are more than 2^63 bytes");
        }
    }

    private static int toInt(long number) {
        return number == (int) number ? (int) number : UNDEFINED;
    }
}
