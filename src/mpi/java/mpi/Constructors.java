// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The type maps of the constructors of datatypes. */
final class Constructors {
    private Constructors() {
    }

    /** Blocks of some elements each, every {@code stride} times {@code unit} bytes. */
    static TypeMap vector(int count, int blockLength, int stride, long unit, Datatype old) {
        TypeMap map = Datatype.required(old).map();
        notNegative("the number of blocks", count);
        notNegative("the length of the blocks", blockLength);
        try {
            TypeMap block = new TypeMap.Builder().add(map, 0, blockLength).build();
            return new TypeMap.Builder()
                    .add(block, 0, count, Math.multiplyExact(stride, unit)).build();
        } catch (ArithmeticException e) {
            throw tooLarge();
        }
    }

    /** One block for each length, at displacements that are in units of {@code unit} bytes. */
    static TypeMap indexed(int[] blockLengths, int[] displacements, long unit, Datatype old) {
        TypeMap element = Datatype.required(old).map();
        sameLength(blockLengths, displacements);
        TypeMap.Builder map = new TypeMap.Builder();
        try {
            for (int i = 0; i < blockLengths.length; i++) {
                notNegative("the length of a block", blockLengths[i]);
                map.add(element, Math.multiplyExact(displacements[i], unit), blockLengths[i]);
            }
            return map.build();
        } catch (ArithmeticException e) {
            throw tooLarge();
        }
    }

    /** One block of each type, at displacements that are in units of {@code unit} bytes. */
    static TypeMap struct(int[] blockLengths, int[] displacements, long unit, Datatype[] types) {
        sameLength(blockLengths, displacements);
        TypeMap.Builder map = new TypeMap.Builder();
        try {
            for (int i = 0; i < blockLengths.length; i++) {
                notNegative("the length of a block", blockLengths[i]);
                map.add(types[i].map(), displacements[i] * unit, blockLengths[i]);
            }
            return map.build();
        } catch (ArithmeticException e) {
            throw tooLarge();
        }
    }

    /** Returns what the members of a struct have in common. */
    static Kind commonKind(int[] blockLengths, Datatype[] types) {
        if (types == null || blockLengths == null || types.length != blockLengths.length) {
            throw new MPIException(ErrorClass.ARG, "the arrays of a struct are null or differ in"
                    + " length: expected one length, displacement and type for each member");
        }
        Kind kind = Kind.NONE;
        for (int i = 0; i < types.length; i++) {
            Kind member = Datatype.required(types[i]).kind;
            kind = blockLengths[i] == 0 ? kind : kind.with(member);
        }
        return kind;
    }

    /** The same for mpiJava, where members must consist of the same array elements. */
    static Kind sameElements(int[] blockLengths, Datatype[] types) {
        Kind common = commonKind(blockLengths, types);
        for (int i = 0; i < types.length; i++) {
            Kind kind = types[i].kind;
            if (blockLengths[i] != 0 && kind != Kind.NONE && kind.element != common.element) {
                throw new MPIException(ErrorClass.TYPE, "the members of the struct consist of "
                        + kind + " and of other types: expected one primitive type, or use"
                        + " createStruct, whose displacements are bytes");
            }
        }
        return common;
    }

    private static void notNegative(String what, int value) {
        if (value < 0) {
            throw new MPIException(ErrorClass.COUNT,
                    what + " of a datatype is " + value + ": expected 0 or more");
        }
    }

    private static void sameLength(int[] blockLengths, int[] displacements) {
        if (blockLengths == null || displacements == null
                || blockLengths.length != displacements.length) {
            throw new MPIException(ErrorClass.ARG, "the arrays of block lengths and displacements"
                    + " are null or differ in length: expected one of each for each block");
        }
    }

    private static MPIException tooLarge() {
        return new MPIException(ErrorClass.ARG, "the datatype extends over more than 2^63 bytes:"
                + " make it of fewer blocks, or send several elements of it");
    }
}
