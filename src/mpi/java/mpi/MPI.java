// SPDX-License-Identifier: Apache-2.0
package mpi;

/** MPI: begins and ends it, and has its constants. */
public class MPI extends MpiJavaFields {
    /** Signed bytes. */
    public static final Datatype BYTE = Types.BYTE;
    /** Values of the type int. */
    public static final Datatype INT = Types.INT;
    /** Values of the type double. */
    public static final Datatype DOUBLE = Types.DOUBLE;
    /** Objects, which are serialized. */
    public static final Datatype OBJECT = Types.OBJECT;
    /** All processes of the job. */
    public static final Intracomm COMM_WORLD = new Intracomm();

    /** Does nothing: all members are static. */
    public MPI() {
    }

    /**
     * Joins the job; collective over its processes.
     *
     * @param args the arguments of the program
     * @return the same
     */
    public static String[] Init(String[] args) {
        Engine engine = Engine.start(THREAD_SINGLE);
        COMM_WORLD.become(engine, engine.fmpl.world());
        return args;
    }

    /** Leaves the job; collective over its processes, which have completed their communication. */
    public static void Finalize() {
        Engine.end();
    }
}
