// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Hayate;
import java.nio.ByteBuffer;

/**
 * MPI: begins and ends it, and has its constants. Between {@link #Init} and {@link #Finalize}, any
 * thread may call any method.
 */
public class MPI extends MpiBuffers {
    /** mpiJava: no datatype. */
    public static final Datatype NULL = Types.NULL;
    /** No datatype. */
    public static final Datatype DATATYPE_NULL = Types.NULL;
    // Operations of reductions

    /** The greater one. */
    public static final Op MAX = Ops.MAX;
    /** The smaller one. */
    public static final Op MIN = Ops.MIN;
    /** The sum. */
    public static final Op SUM = Ops.SUM;
    /** The product. */
    public static final Op PROD = Ops.PROD;
    /** Logical and: 1 or 0. */
    public static final Op LAND = Ops.LAND;
    /** Bitwise and. */
    public static final Op BAND = Ops.BAND;
    /** Logical or: 1 or 0. */
    public static final Op LOR = Ops.LOR;
    /** Bitwise or. */
    public static final Op BOR = Ops.BOR;
    /** Logical exclusive or: 1 or 0. */
    public static final Op LXOR = Ops.LXOR;
    /** Bitwise exclusive or. */
    public static final Op BXOR = Ops.BXOR;
    /** The greater one of pairs, and the lower index of equal ones. */
    public static final Op MAXLOC = Ops.MAXLOC;
    /** The smaller one of pairs, and the lower index of equal ones. */
    public static final Op MINLOC = Ops.MINLOC;
    /** The last one; for windows. */
    public static final Op REPLACE = Ops.REPLACE;
    /** The one that is there; for windows. */
    public static final Op NO_OP = Ops.NO_OP;

    /** Signed bytes. */
    public static final Datatype BYTE = Types.BYTE;
    /** Values of the type char. */
    public static final Datatype CHAR = Types.CHAR;
    /** Values of the type short. */
    public static final Datatype SHORT = Types.SHORT;
    /** Values of the type boolean. */
    public static final Datatype BOOLEAN = Types.BOOLEAN;
    /** Values of the type int. */
    public static final Datatype INT = Types.INT;
    /** Values of the type long. */
    public static final Datatype LONG = Types.LONG;
    /** Values of the type float. */
    public static final Datatype FLOAT = Types.FLOAT;
    /** Values of the type double. */
    public static final Datatype DOUBLE = Types.DOUBLE;
    /** Packed bytes. */
    public static final Datatype PACKED = Types.PACKED;
    /** Objects, which are serialized. */
    public static final Datatype OBJECT = Types.OBJECT;
    /** mpiJava: a marker of the lower bound of a struct. */
    public static final Datatype LB = Types.LB;
    /** mpiJava: a marker of the upper bound of a struct. */
    public static final Datatype UB = Types.UB;
    /** mpiJava: pairs of shorts, a value and an index. */
    public static final Datatype SHORT2 = Types.SHORT2;
    /** Pairs of ints, a value and an index. */
    public static final Datatype INT2 = Types.INT2;
    /** mpiJava: pairs of longs, a value and an index. */
    public static final Datatype LONG2 = Types.LONG2;
    /** mpiJava: pairs of floats, a value and an index. */
    public static final Datatype FLOAT2 = Types.FLOAT2;
    /** mpiJava: pairs of doubles, a value and an index. */
    public static final Datatype DOUBLE2 = Types.DOUBLE2;
    /** A short and an index: {@link #shortInt}. */
    public static final Datatype SHORT_INT = Types.SHORT_INT;
    /** A long and an index: {@link #longInt}. */
    public static final Datatype LONG_INT = Types.LONG_INT;
    /** A float and an index: {@link #floatInt}. */
    public static final Datatype FLOAT_INT = Types.FLOAT_INT;
    /** A double and an index: {@link #doubleInt}. */
    public static final Datatype DOUBLE_INT = Types.DOUBLE_INT;
    /** Complex numbers of two floats. */
    public static final Datatype FLOAT_COMPLEX = Types.FLOAT_COMPLEX;
    /** Complex numbers of two doubles. */
    public static final Datatype DOUBLE_COMPLEX = Types.DOUBLE_COMPLEX;

    /** The struct of {@link #SHORT_INT}. */
    public static final ShortInt shortInt = new ShortInt(2, 4, 4);
    /** The struct of {@link #INT2}. */
    public static final Int2 int2 = new Int2(4, 4);
    /** The struct of {@link #LONG_INT}. */
    public static final LongInt longInt = new LongInt(8, 8, 4);
    /** The struct of {@link #FLOAT_INT}. */
    public static final FloatInt floatInt = new FloatInt(4, 4);
    /** The struct of {@link #DOUBLE_INT}. */
    public static final DoubleInt doubleInt = new DoubleInt(8, 4);

    /** All processes of the job. */
    public static final Intracomm COMM_WORLD = PredefinedComms.WORLD;
    /** This process alone. */
    public static final Intracomm COMM_SELF = PredefinedComms.SELF;
    /** mpiJava: no communicator, null. */
    public static final Comm COMM_NULL = null;
    /** The group without members. */
    public static final Group GROUP_EMPTY = Group.NOBODY;
    /** mpiJava: no group. */
    public static final Group GROUP_NULL = Group.NULL;
    /** No request. */
    public static final Request REQUEST_NULL = Request.ofNothing();
    /** mpiJava: the status of no message. */
    public static final Status EMPTY_STATUS = new Status();
    /** No hints. */
    public static final Info INFO_NULL = Info.NULL;
    /**
     * How this process was started: command, argv, host, arch and wdir, and after {@link #Init}
     * also maxprocs, soft and thread_level.
     */
    public static final Info INFO_ENV = Environment.ofProcess();

    /** A call that fails throws an exception. All communicators begin so. */
    public static final Errhandler ERRORS_RETURN = Errhandler.RETURN;
    /** A call that fails ends the job. */
    public static final Errhandler ERRORS_ARE_FATAL = Errhandler.ARE_FATAL;
    /** A call that fails ends the job. */
    public static final Errhandler ERRORS_ABORT = Errhandler.ABORT;

    /** Does nothing: all members are static. */
    public MPI() {
    }

    // ---- begin and end ----

    /**
     * Joins the job; collective over its processes. The first call of a program.
     *
     * @param args the arguments of the program
     * @return the same, without those that {@code hayate run --mpj-arguments} has added
     */
    public static String[] Init(String[] args) {
        begin(THREAD_SINGLE);
        return MpjArguments.drop(args);
    }

    /**
     * Joins the job, as {@link #Init}.
     *
     * @param args the arguments of the program
     * @param required {@code MPI.THREAD_SINGLE} to {@code THREAD_MULTIPLE}
     * @return the same level
     */
    public static int InitThread(String[] args, int required) {
        begin(required);
        return required;
    }

    /**
     * mpiJava: joins the job, as {@link #InitThread}.
     *
     * @param required {@code MPI.THREAD_SINGLE} to {@code THREAD_MULTIPLE}
     * @param provided has no effect
     * @param args the arguments of the program
     * @return what {@link #Init} returns
     */
    public static String[] initThread(int required, int provided, String[] args) {
        begin(required);
        return MpjArguments.drop(args);
    }

    private static void begin(int level) {
        if (level < THREAD_SINGLE || level > THREAD_MULTIPLE) {
            throw new MPIException(ERR_ARG, "the level of threads is " + level
                    + ": expected MPI.THREAD_SINGLE to MPI.THREAD_MULTIPLE");
        }
        Engine engine = Engine.start(level);
        PredefinedComms.open(engine);
        Environment.addJob(INFO_ENV, engine.job.size(), level);
    }

    /**
     * Leaves the job; collective over its processes, which have completed their communication.
     */
    public static void Finalize() {
        try {
            Engine.end();
        } finally {
            PredefinedComms.close();
        }
    }

    /**
     * Says whether {@link #Init} was called. May be called at any time.
     *
     * @return true also after {@link #Finalize}
     */
    public static boolean isInitialized() {
        return Engine.isStarted();
    }

    /**
     * Says whether {@link #Finalize} was called. May be called at any time.
     *
     * @return true if so
     */
    public static boolean isFinalized() {
        return Engine.isEnded();
    }

    /**
     * mpiJava: says whether {@link #Init} was called, as {@link #isInitialized}.
     *
     * @return true also after {@link #Finalize}
     */
    public static boolean Initialized() {
        return isInitialized();
    }

    /**
     * Returns the level of threads that {@link #InitThread} was called with.
     *
     * @return {@code MPI.THREAD_SINGLE} to {@code THREAD_MULTIPLE}
     */
    public static int queryThread() {
        return Engine.get().threadLevel;
    }

    /**
     * Says whether the calling thread is the one that called {@link #Init}.
     *
     * @return true if so
     */
    public static boolean isThreadMain() {
        return Engine.get().mainThread == Thread.currentThread();
    }

    /**
     * mpiJava: says the same as {@link #isThreadMain}.
     *
     * @return true if the calling thread called {@link #Init}
     */
    public static boolean isMainThread() {
        return isThreadMain();
    }

    // ---- buffered sends ----

    /**
     * Lets buffered sends keep copies of as many bytes as a buffer has.
     *
     * @param buffer the buffer, which is not changed
     */
    public static void attachBuffer(byte[] buffer) {
        Engine engine = Engine.get();
        checkBuffer(buffer);
        engine.buffered.attach(engine, buffer, buffer.length);
    }

    /**
     * Waits until all copies of buffered sends are sent, and detaches the buffer.
     *
     * @return the buffer; null: none was attached, or one of mpiJava's
     */
    public static byte[] detachBuffer() {
        Engine engine = Engine.get();
        return engine.buffered.detach(engine);
    }

    /**
     * mpiJava: attaches a buffer, as {@link #attachBuffer}.
     *
     * @param buffer the buffer, of whose capacity copies are kept
     */
    public static void Buffer_attach(ByteBuffer buffer) {
        Engine engine = Engine.get();
        checkBuffer(buffer);
        engine.buffered.attach(engine, null, buffer.capacity());
    }

    private static void checkBuffer(Object buffer) {
        if (buffer == null) {
            throw new MPIException(ERR_BUFFER, "the buffer to attach is null: expected one with"
                    + " room for the messages");
        }
    }

    /** mpiJava: detaches the buffer, as {@link #detachBuffer}. */
    public static void Buffer_detach() {
        detachBuffer();
    }

    // ---- errors ----

    /**
     * mpiJava: returns what happens when a call on {@link #COMM_WORLD} fails.
     *
     * @return the error handler
     */
    public static Errhandler Errorhandler_get() {
        return COMM_WORLD.getErrhandler();
    }

    /**
     * mpiJava: says what happens when a call on {@link #COMM_WORLD} fails.
     *
     * @param errhandler {@link #ERRORS_RETURN} or {@link #ERRORS_ARE_FATAL}
     */
    public static void Errorhandler_set(Errhandler errhandler) {
        COMM_WORLD.setErrhandler(errhandler);
    }

    // ---- the environment ----

    /**
     * Returns the time that has passed since some moment.
     *
     * @return seconds, which only the same process can compare
     */
    public static double wtime() {
        return System.nanoTime() * 1e-9;
    }

    /**
     * Returns the unit of {@link #wtime}.
     *
     * @return seconds
     */
    public static double wtick() {
        return 1e-9;
    }

    /**
     * mpiJava: returns the time, as {@link #wtime}.
     *
     * @return seconds
     */
    public static double Wtime() {
        return wtime();
    }

    /**
     * mpiJava: returns the unit of the time, as {@link #wtick}.
     *
     * @return seconds
     */
    public static double Wtick() {
        return wtick();
    }

    /**
     * Returns the name of the node.
     *
     * @return its host name
     */
    public static String getProcessorName() {
        Engine.get();
        return Environment.hostName();
    }

    /**
     * mpiJava: returns the name of the node, as {@link #getProcessorName}.
     *
     * @return its host name
     */
    public static String Get_processor_name() {
        return getProcessorName();
    }

    /**
     * Returns the version of the standard. May be called at any time.
     *
     * @return its two numbers
     */
    public static Version getVersion() {
        return new Version(VERSION, SUBVERSION);
    }

    /**
     * Returns name and version of the library. May be called at any time.
     *
     * @return a line of text
     */
    public static String getLibVersion() {
        return "Hayate " + Hayate.version();
    }

    /**
     * Controls a profiler; there is none, so it does nothing.
     *
     * @param level any number
     * @param obj anything
     */
    public static void pControl(int level, Object obj) {
        Engine.get();
    }
}
