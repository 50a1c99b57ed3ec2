// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Which datatypes a view of a file can have. */
final class ViewTypes {
    private ViewTypes() {
    }

    /** Checks both; writable: whether the file can be written, so that data must not overlap. */
    static void check(Datatype etype, Datatype filetype, boolean writable) {
        requireData(etype, "etype");
        requireData(filetype, "filetype");
        TypeMap map = filetype.map();
        if (etype.bytes == 0 || map.size % etype.bytes != 0) {
            throw new MPIException(ErrorClass.TYPE, "the filetype has " + map.size + " bytes of"
                    + " data, the etype " + etype.bytes + ": expected a multiple");
        }
        if (map.trueLb < 0 || map.size > 0 && map.extent() <= 0) {
            throw new MPIException(ErrorClass.TYPE, "the filetype begins at byte " + map.trueLb
                    + " and repeats every " + map.extent() + " bytes: expected a place of 0 or"
                    + " more, and an extent above 0");
        }
        ordered(map.pieces, writable);
        if (writable && new FileMap(0, map).overlapsNext()) {
            throw new MPIException(ErrorClass.TYPE, "the filetype repeats every " + map.extent()
                    + " bytes, where its data overlap those of the next copy, and the file is"
                    + " opened for writing: expected a larger extent (Datatype.createResized)");
        }
    }

    private static void requireData(Datatype type, String what) {
        if (Datatype.usable(type).kind.element == Kind.OBJECT) {
            throw new MPIException(ErrorClass.TYPE, "the " + what + " is of objects, which have no"
                    + " fixed size in a file: expected a type of primitive elements");
        }
    }

    /**
     * Checks that each block begins behind the one before it: behind its end, or, if blocks may
     * overlap, its beginning. Returns where the first one begins, and what is behind the last one.
     */
    private static long[] ordered(Piece[] pieces, boolean disjoint) {
        long first = 0;
        long last = 0;
        for (int i = 0; i < pieces.length; i++) {
            Piece piece = pieces[i];
            long[] each = piece.isLeaf() ? new long[] {0, disjoint ? piece.block() : 0}
                    : ordered(piece.body(), disjoint);
            long begin = piece.offset() + each[0];
            boolean forward = piece.count() == 1 || piece.stride() + each[0] >= each[1];
            if (!forward || i > 0 && begin < last) {
                throw new MPIException(ErrorClass.TYPE, "blocks of the filetype "
                        + (disjoint ? "go back, or overlap in a file that is opened for writing"
                                : "go back") + ": expected one behind the other");
            }
            first = i == 0 ? begin : first;
            last = piece.offset() + (piece.count() - 1) * piece.stride() + each[1];
        }
        return new long[] {first, last};
    }
}
