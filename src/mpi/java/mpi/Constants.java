// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * The numbers of the class MPI, which inherits them: programs write {@code MPI.ANY_TAG}. They are
 * those of Open MPI, except the results of comparisons, which class files of mpiJava contain.
 */
class Constants {
    static { // before all else of the class MPI
        Companions.check();
    }

    // Messages, ranks and processes

    /** As a source: a message of any rank. */
    public static final int ANY_SOURCE = -1;

    /** As a tag of a receive: a message with any tag. */
    public static final int ANY_TAG = -1;

    /** As a source or destination: no rank, the message does not exist. */
    public static final int PROC_NULL = -2;

    /** As the root of a collective on an intercommunicator: this rank is the root. */
    public static final int ROOT = -4;

    /** No rank, no count, no colour, no index. */
    public static final int UNDEFINED = -32766;

    /** Bytes that a buffered send needs besides its data. */
    public static final int BSEND_OVERHEAD = 128;

    // Topologies, and results of comparisons

    /** A Cartesian topology. */
    public static final int CART = 1;

    /** A graph topology. */
    public static final int GRAPH = 2;

    /** A distributed graph topology. */
    public static final int DIST_GRAPH = 3;

    /** The same members in the same order, and the same context. */
    public static final int IDENT = 0;

    /** The same members in different orders. */
    public static final int SIMILAR = 1;

    /** Different members. */
    public static final int UNEQUAL = 2;

    /** The same members in the same order, but different contexts. */
    public static final int CONGRUENT = 3;

    // Keys of attributes

    /** No key of an attribute. */
    public static final int KEYVAL_INVALID = -1;

    /** Key of the greatest tag. */
    public static final int TAG_UB = 0;

    /** Key of the rank of the host process; there is none. */
    public static final int HOST = 1;

    /** Key of a rank that can use files; any rank can. */
    public static final int IO = 2;

    /** Key of whether the clocks of all ranks agree. */
    public static final int WTIME_IS_GLOBAL = 3;

    /** Key of the number of the application within the job. */
    public static final int APPNUM = 4;

    /** Key of the greatest error code in use. */
    public static final int LASTUSEDCODE = 5;

    /** Key of the number of ranks that the job may have. */
    public static final int UNIVERSE_SIZE = 6;

    /** Key of the address of a window. */
    public static final int WIN_BASE = 7;

    /** Key of the size of a window, in bytes. */
    public static final int WIN_SIZE = 8;

    /** Key of the unit of displacements in a window, in bytes. */
    public static final int WIN_DISP_UNIT = 9;

    // Threads

    /** The process has one thread. */
    public static final int THREAD_SINGLE = 0;

    /** Only the thread that initialised MPI calls it. */
    public static final int THREAD_FUNNELED = 1;

    /** Any thread calls MPI, one at a time. */
    public static final int THREAD_SERIALIZED = 2;

    /** Any thread calls MPI at any time. */
    public static final int THREAD_MULTIPLE = 3;

    // Versions and limits

    /** The version of the standard, before the dot. */
    public static final int VERSION = 3;

    /** The version of the standard, behind the dot. */
    public static final int SUBVERSION = 1;

    /** The length that a name of an object must not reach. */
    public static final int MAX_OBJECT_NAME = 64;

    /** The length that a name of a port must not reach. */
    public static final int MAX_PORT_NAME = 1024;

    /** The length that a name of a data representation must not reach. */
    public static final int MAX_DATAREP_STRING = 128;

    /** The length that a key of an {@link Info} must not reach. */
    public static final int MAX_INFO_KEY = 36;

    /** The length that a value of an {@link Info} must not reach. */
    public static final int MAX_INFO_VAL = 256;

    // Arrays that are distributed

    /** The last index varies fastest. */
    public static final int ORDER_C = 0;

    /** The first index varies fastest. */
    public static final int ORDER_FORTRAN = 1;

    /** One block of neighbouring indices for each rank. */
    public static final int DISTRIBUTE_BLOCK = 0;

    /** Blocks of indices in turn. */
    public static final int DISTRIBUTE_CYCLIC = 1;

    /** Not distributed. */
    public static final int DISTRIBUTE_NONE = 2;

    /** The default argument of a distribution. */
    public static final int DISTRIBUTE_DFLT_DARG = -1;

    // Files

    /** Create the file if it does not exist. */
    public static final int MODE_CREATE = 1;

    /** Open for reading. */
    public static final int MODE_RDONLY = 2;

    /** Open for writing. */
    public static final int MODE_WRONLY = 4;

    /** Open for reading and writing. */
    public static final int MODE_RDWR = 8;

    /** Delete the file when it is closed. */
    public static final int MODE_DELETE_ON_CLOSE = 16;

    /** Nobody else opens the file at the same time. */
    public static final int MODE_UNIQUE_OPEN = 32;

    /** Fail if the file to be created exists. */
    public static final int MODE_EXCL = 64;

    /** Begin at the end of the file. */
    public static final int MODE_APPEND = 128;

    /** The file is only read or written from the beginning to the end. */
    public static final int MODE_SEQUENTIAL = 256;

    /** As a displacement of a view: where the shared pointer is. */
    public static final int DISPLACEMENT_CURRENT = -54278278;

    /** An offset from the beginning. */
    public static final int SEEK_SET = 600;

    /** An offset from the current position. */
    public static final int SEEK_CUR = 602;

    /** An offset from the end. */
    public static final int SEEK_END = 604;

    // Windows

    /** The other side has already made, or does not make, a matching call. */
    public static final int MODE_NOCHECK = 1;

    /** The fence ends no epoch in which this rank has accessed windows. */
    public static final int MODE_NOPRECEDE = 2;

    /** Until the next call of synchronisation nobody puts into this window. */
    public static final int MODE_NOPUT = 4;

    /** Since the last call of synchronisation this rank has not stored into it. */
    public static final int MODE_NOSTORE = 8;

    /** The fence begins no epoch in which this rank accesses windows. */
    public static final int MODE_NOSUCCEED = 16;

    /** A lock that excludes all others. */
    public static final int LOCK_EXCLUSIVE = 1;

    /** A lock that excludes exclusive ones. */
    public static final int LOCK_SHARED = 2;

    Constants() {
    }
}
