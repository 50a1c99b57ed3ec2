// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.internal.bindings.OmplBinding;
import io.hayate.internal.bindings.WindowBinding;

/** Which reduction of native code does what an operation does with elements of a kind. */
final class WinOps {
    /** There is none. */
    static final int NONE = -2;

    private WinOps() {
    }

    /** Returns its number, {@link OmplBinding#NO_REDUCTION} to replace or only read, or NONE. */
    static int reduction(Operator op, Kind kind) {
        if (op == Operator.REPLACE || op == Operator.NO_OP) {
            return isWhole(kind) ? OmplBinding.NO_REDUCTION : NONE;
        }
        int arithmetic = switch (op) {
            case SUM -> 0;
            case PROD -> WindowBinding.PROD;
            case MAX -> WindowBinding.MAX;
            case MIN -> WindowBinding.MIN;
            default -> NONE;
        };
        if (arithmetic != NONE) {
            int first = arithmeticOf(kind);
            return first == NONE ? NONE : first + arithmetic;
        }
        int logical = switch (op) {
            case LAND -> WindowBinding.LAND;
            case LOR -> WindowBinding.LOR;
            case LXOR -> WindowBinding.LXOR;
            case BAND -> WindowBinding.BAND;
            case BOR -> WindowBinding.BOR;
            case BXOR -> WindowBinding.BXOR;
            default -> NONE;
        };
        int first = logicalOf(kind);
        boolean ofBits = logical > WindowBinding.LXOR;
        return logical == NONE || first == NONE || ofBits && kind == Kind.BOOLEAN ? NONE
                : first + logical;
    }

    /** Returns the reduction of one aligned word; below 0: it needs more than that. */
    static int ofWord(Op op, Datatype type, long at) {
        Kind kind = type.kind;
        boolean word = kind == Kind.LONG || kind == Kind.INT || kind == Kind.DOUBLE;
        return !word || type.bytes != kind.bytes || (at & kind.bytes - 1) != 0 || op == null
                || op.operator == null || !op.operator.takes(kind) ? NONE
                : reduction(op.operator, kind);
    }

    /** Says whether the bytes of an element follow each other wherever it is. */
    private static boolean isWhole(Kind kind) {
        return kind != Kind.SHORT_INT && kind != Kind.MIXED;
    }

    private static int arithmeticOf(Kind kind) {
        return switch (kind) {
            case BYTE -> WindowBinding.BYTE;
            case CHAR -> WindowBinding.CHAR;
            case SHORT -> WindowBinding.SHORT;
            case INT -> WindowBinding.INT;
            case LONG -> WindowBinding.LONG;
            case FLOAT -> WindowBinding.FLOAT;
            case DOUBLE -> WindowBinding.DOUBLE;
            case FLOAT_COMPLEX -> WindowBinding.COMPLEX_FLOAT;
            case DOUBLE_COMPLEX -> WindowBinding.COMPLEX_DOUBLE;
            default -> NONE;
        };
    }

    private static int logicalOf(Kind kind) {
        return switch (kind) {
            case BYTE -> WindowBinding.BYTE_BITS;
            case CHAR -> WindowBinding.CHAR_BITS;
            case SHORT -> WindowBinding.SHORT_BITS;
            case INT -> WindowBinding.INT_BITS;
            case LONG -> WindowBinding.LONG_BITS;
            case BOOLEAN -> WindowBinding.BOOLEAN;
            default -> NONE;
        };
    }

    /** Refuses an operation that cannot combine elements of both datatypes. */
    static void check(Op op, Datatype origin, Datatype target, boolean fetches) {
        Operator operator = Op.required(op).operator;
        if (operator == null) {
            throw new MPIException(ErrorClass.OP, "the operation is a function of the program:"
                    + " windows take the constants of MPI only");
        }
        if (operator == Operator.NO_OP && !fetches) {
            throw new MPIException(ErrorClass.OP, "MPI.NO_OP accumulates nothing: expected another"
                    + " operation, or one of the methods that return the previous elements");
        }
        if (origin != null && Datatype.usable(origin).kind != target.kind) {
            throw new MPIException(ErrorClass.TYPE, "the elements of the datatype " + origin
                    + " are accumulated to those of " + target + ": expected both of the same"
                    + " primitive type");
        }
        if (target.kind == Kind.MIXED) {
            throw new MPIException(ErrorClass.TYPE, "the datatype " + target + " has elements of"
                    + " several primitive types: expected one of them only");
        }
        if (operator != Operator.NO_OP && operator != Operator.REPLACE) {
            Op.check(op, target);
        }
    }
}
