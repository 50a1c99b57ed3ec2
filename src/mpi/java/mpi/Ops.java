// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The predefined operations, to which the constants of MPI refer. */
final class Ops {
    static final Op MAX = new Op(Operator.MAX);
    static final Op MIN = new Op(Operator.MIN);
    static final Op SUM = new Op(Operator.SUM);
    static final Op PROD = new Op(Operator.PROD);
    static final Op LAND = new Op(Operator.LAND);
    static final Op BAND = new Op(Operator.BAND);
    static final Op LOR = new Op(Operator.LOR);
    static final Op BOR = new Op(Operator.BOR);
    static final Op LXOR = new Op(Operator.LXOR);
    static final Op BXOR = new Op(Operator.BXOR);
    static final Op MAXLOC = new Op(Operator.MAXLOC);
    static final Op MINLOC = new Op(Operator.MINLOC);
    static final Op REPLACE = new Op(Operator.REPLACE);
    static final Op NO_OP = new Op(Operator.NO_OP);

    private Ops() {
    }
}
