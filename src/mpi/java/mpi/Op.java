// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Reduction;

/**
 * An operation that combines the data of processes: one of the constants of {@link MPI}, or a
 * function of the program. Any thread may use it; only one may free it, when no other uses it.
 *
 * <p>A function of the program must be associative. Data are always combined in the order of the
 * ranks, so it need not commute.
 */
public class Op implements Freeable {
    /** A number that mpiJava programs gave; 0 if none. */
    public int opCode;

    /** What a predefined one does; null: a function of the program does it. */
    final Operator operator;
    private final UserFunction function;
    private final User_function offsetFunction;
    private final boolean commutative;
    private volatile boolean freed;

    Op(Operator operator) {
        this(operator, null, null, true);
    }

    private Op(Operator operator, UserFunction function, User_function offsetFunction,
            boolean commutative) {
        this.operator = operator;
        this.function = function;
        this.offsetFunction = offsetFunction;
        this.commutative = commutative;
        if (operator == null && function == null && offsetFunction == null) {
            throw new MPIException(ErrorClass.ARG, "the function of an operation is null");
        }
    }

    /**
     * Creates an operation.
     *
     * @param function combines two vectors
     * @param commute whether its operands can be exchanged
     * @throws MPIException ERR_ARG if the function is null
     */
    public Op(UserFunction function, boolean commute) {
        this(null, function, null, commute);
    }

    /**
     * Creates an operation in mpiJava's dialect.
     *
     * @param function combines two vectors
     * @param commute whether its operands can be exchanged
     * @throws MPIException ERR_ARG if the function is null
     */
    public Op(User_function function, boolean commute) {
        this(null, null, function, commute);
    }

    /**
     * Creates an operation in mpiJava's dialect, with a number.
     *
     * @param function combines two vectors
     * @param commute whether its operands can be exchanged
     * @param code the number, which has no meaning here
     * @throws MPIException ERR_ARG if the function is null
     */
    public Op(User_function function, boolean commute, int code) {
        this(function, commute);
        opCode = code;
    }

    /**
     * Says whether operands can be exchanged.
     *
     * @return what its creation stated; true for the constants
     */
    public boolean isCommutative() {
        return commutative;
    }

    /**
     * Says whether the operation was freed.
     *
     * @return whether no collective accepts it any more
     */
    public boolean isNull() {
        return freed;
    }

    /** Frees an operation that the program created. */
    @Override
    public void free() {
        required(this);
        if (operator != null) {
            throw new MPIException(ErrorClass.OP, "the operation MPI." + operator
                    + " is predefined: free only operations that the program created");
        }
        freed = true;
    }

    /** Does nothing: an operation has no memory of its own. */
    @Override
    @SuppressWarnings({"deprecation", "removal"})
    public void finalize() {
    }

    /** Returns an operation, which must not be null or freed. */
    static Op required(Op op) {
        if (op == null || op.freed) {
            throw new MPIException(ErrorClass.OP, (op == null ? "the operation is null"
                    : "the operation was freed") + ": expected one of MPI, such as MPI.SUM, or one"
                    + " that was created");
        }
        return op;
    }

    /** Checks that it can combine elements of a datatype. */
    static void check(Op op, Datatype type) {
        Datatype.usable(type);
        if (required(op).operator != null && !op.operator.takes(type.kind)) {
            throw new MPIException(ErrorClass.OP, "the operation MPI." + op.operator
                    + " does not combine elements of the datatype " + type + ": create an"
                    + " operation, or use a datatype of numbers that the operation takes");
        }
    }

    /** Returns the same operation of the collectives of Hayate; null: they have none. */
    Reduction reduction(Datatype type) {
        return operator == null ? null : operator.reduction(type.kind);
    }

    /** Says whether its function gets arrays; otherwise direct buffers. */
    boolean takesArrays(Datatype type) {
        Kind element = type.kind.element;
        return offsetFunction != null || element == Kind.BOOLEAN || element == Kind.OBJECT;
    }

    /** Calls the function of the program. */
    void call(Object in, Object inOut, int count, Datatype type) {
        try {
            if (offsetFunction != null) {
                offsetFunction.Call(in, 0, inOut, 0, count, type);
            } else if (takesArrays(type)) {
                function.call(in, inOut, count, type);
            } else {
                function.call(Operands.view(in), Operands.view(inOut), count, type);
            }
        } catch (MPIException failure) {
            throw failure;
        } catch (RuntimeException failure) {
            throw new MPIException(ErrorClass.OTHER, "the function of an operation failed: "
                    + failure, failure);
        }
    }
}
