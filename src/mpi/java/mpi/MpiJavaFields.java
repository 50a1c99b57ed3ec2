// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * Fields that the class MPI has for programs in mpiJava's dialect only. A field whose name both
 * dialects have, with different types, also belongs here: class files name the type of a field, so
 * the virtual machine finds the one of this type, in the class MPI or in this superclass of it. A
 * field here has its own initializer, because to read it does not initialize the class MPI.
 */
class MpiJavaFields extends ErrorConstants {
    /** Whether the library prints what it does; it does not. */
    public static final boolean DEBUG = false;

    /** Whether an older implementation was chosen; there is none. */
    public static final boolean isOldSelected = false;

    /** The number of processors of this machine. */
    public static final int NUM_OF_PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** Bytes that a send needs besides its data. */
    public static final int SEND_OVERHEAD = 0;

    /** Bytes that a receive needs besides its data. */
    public static final int RECV_OVERHEAD = 0;

    /** This process alone. */
    public static final Comm COMM_SELF = PredefinedComms.SELF;

    MpiJavaFields() {
    }
}
