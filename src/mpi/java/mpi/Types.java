// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The predefined datatypes, to which the constants of MPI refer. */
final class Types {
    static final Datatype NULL = new Datatype();
    static final Datatype BYTE = basic(Kind.BYTE);
    static final Datatype CHAR = basic(Kind.CHAR);
    static final Datatype SHORT = basic(Kind.SHORT);
    static final Datatype BOOLEAN = basic(Kind.BOOLEAN);
    static final Datatype INT = basic(Kind.INT);
    static final Datatype LONG = basic(Kind.LONG);
    static final Datatype FLOAT = basic(Kind.FLOAT);
    static final Datatype DOUBLE = basic(Kind.DOUBLE);
    static final Datatype PACKED = basic(Kind.PACKED);
    static final Datatype OBJECT = basic(Kind.OBJECT);
    static final Datatype LB = new Datatype(Kind.NONE, TypeMap.LB_MARKER, "MPI_LB");
    static final Datatype UB = new Datatype(Kind.NONE, TypeMap.UB_MARKER, "MPI_UB");
    static final Datatype SHORT2 = basic(Kind.SHORT2);
    static final Datatype INT2 = basic(Kind.INT2);
    static final Datatype LONG2 = basic(Kind.LONG2);
    static final Datatype FLOAT2 = basic(Kind.FLOAT2);
    static final Datatype DOUBLE2 = basic(Kind.DOUBLE2);
    static final Datatype SHORT_INT = basic(Kind.SHORT_INT);
    static final Datatype LONG_INT = basic(Kind.LONG_INT);
    static final Datatype FLOAT_INT = basic(Kind.FLOAT_INT);
    static final Datatype DOUBLE_INT = basic(Kind.DOUBLE_INT);
    static final Datatype FLOAT_COMPLEX = basic(Kind.FLOAT_COMPLEX);
    static final Datatype DOUBLE_COMPLEX = basic(Kind.DOUBLE_COMPLEX);

    private Types() {
    }

    private static Datatype basic(Kind kind) {
        return new Datatype(kind, TypeMap.of(kind), "MPI_" + kind);
    }
}
