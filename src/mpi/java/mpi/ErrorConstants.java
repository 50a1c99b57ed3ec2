// SPDX-License-Identifier: Apache-2.0
package mpi;

/** The error classes as constants of the class MPI, which inherits them. */
class ErrorConstants extends Constants {
    /** No error. */
    public static final int SUCCESS = ErrorClass.SUCCESS;

    /** A buffer is missing, too short, or of a wrong kind. */
    public static final int ERR_BUFFER = ErrorClass.BUFFER;

    /** A count is negative or too great. */
    public static final int ERR_COUNT = ErrorClass.COUNT;

    /** A datatype does not fit, is not committed, or was freed. */
    public static final int ERR_TYPE = ErrorClass.TYPE;

    /** A tag is out of range. */
    public static final int ERR_TAG = ErrorClass.TAG;

    /** A communicator does not fit, or was freed. */
    public static final int ERR_COMM = ErrorClass.COMM;

    /** A rank is out of range, or given twice. */
    public static final int ERR_RANK = ErrorClass.RANK;

    /** A request does not fit, or was freed. */
    public static final int ERR_REQUEST = ErrorClass.REQUEST;

    /** A root is out of range. */
    public static final int ERR_ROOT = ErrorClass.ROOT;

    /** A group is null, or was freed. */
    public static final int ERR_GROUP = ErrorClass.GROUP;

    /** An operation does not fit the datatype, or was freed. */
    public static final int ERR_OP = ErrorClass.OP;

    /** The communicator has another topology, or none. */
    public static final int ERR_TOPOLOGY = ErrorClass.TOPOLOGY;

    /** A dimension is out of range, or extents do not fit. */
    public static final int ERR_DIMS = ErrorClass.DIMS;

    /** An argument is wrong in another way. */
    public static final int ERR_ARG = ErrorClass.ARG;

    /** An unknown error. */
    public static final int ERR_UNKNOWN = ErrorClass.UNKNOWN;

    /** The message is longer than the buffer of the receive. */
    public static final int ERR_TRUNCATE = ErrorClass.TRUNCATE;

    /** Another error; the message says which. */
    public static final int ERR_OTHER = ErrorClass.OTHER;

    /** An error within the library. */
    public static final int ERR_INTERN = ErrorClass.INTERN;

    /** Some of several operations failed; their status has the error. */
    public static final int ERR_IN_STATUS = ErrorClass.IN_STATUS;

    /** The operation is neither complete nor failed. */
    public static final int ERR_PENDING = ErrorClass.PENDING;

    /** Access to a file is denied. */
    public static final int ERR_ACCESS = ErrorClass.ACCESS;

    /** A mode of opening a file is wrong. */
    public static final int ERR_AMODE = ErrorClass.AMODE;

    /** An assertion about a window is wrong. */
    public static final int ERR_ASSERT = ErrorClass.ASSERT;

    /** The name of a file is wrong. */
    public static final int ERR_BAD_FILE = ErrorClass.BAD_FILE;

    /** A base address is wrong. */
    public static final int ERR_BASE = ErrorClass.BASE;

    /** A conversion of data failed. */
    public static final int ERR_CONVERSION = ErrorClass.CONVERSION;

    /** A displacement is out of range. */
    public static final int ERR_DISP = ErrorClass.DISP;

    /** The data representation exists already. */
    public static final int ERR_DUP_DATAREP = ErrorClass.DUP_DATAREP;

    /** The file exists already. */
    public static final int ERR_FILE_EXISTS = ErrorClass.FILE_EXISTS;

    /** The file is open elsewhere. */
    public static final int ERR_FILE_IN_USE = ErrorClass.FILE_IN_USE;

    /** A file is closed, or does not fit. */
    public static final int ERR_FILE = ErrorClass.FILE;

    /** A key of an {@link Info} is empty or too long. */
    public static final int ERR_INFO_KEY = ErrorClass.INFO_KEY;

    /** An {@link Info} does not contain the key. */
    public static final int ERR_INFO_NOKEY = ErrorClass.INFO_NOKEY;

    /** A value of an {@link Info} is empty or too long. */
    public static final int ERR_INFO_VALUE = ErrorClass.INFO_VALUE;

    /** An {@link Info} is null, or was freed. */
    public static final int ERR_INFO = ErrorClass.INFO;

    /** Input or output failed. */
    public static final int ERR_IO = ErrorClass.IO;

    /** A key of an attribute is not one, or was freed. */
    public static final int ERR_KEYVAL = ErrorClass.KEYVAL;

    /** A kind of lock is wrong. */
    public static final int ERR_LOCKTYPE = ErrorClass.LOCKTYPE;

    /** A service name is not published. */
    public static final int ERR_NAME = ErrorClass.NAME;

    /** Memory is exhausted. */
    public static final int ERR_NO_MEM = ErrorClass.NO_MEM;

    /** Arguments of the ranks of a collective differ. */
    public static final int ERR_NOT_SAME = ErrorClass.NOT_SAME;

    /** The file system is full. */
    public static final int ERR_NO_SPACE = ErrorClass.NO_SPACE;

    /** The file does not exist. */
    public static final int ERR_NO_SUCH_FILE = ErrorClass.NO_SUCH_FILE;

    /** A name of a port is wrong. */
    public static final int ERR_PORT = ErrorClass.PORT;

    /** The quota of the file system is exceeded. */
    public static final int ERR_QUOTA = ErrorClass.QUOTA;

    /** The file or the file system can only be read. */
    public static final int ERR_READ_ONLY = ErrorClass.READ_ONLY;

    /** Accesses to a window are in conflict. */
    public static final int ERR_RMA_CONFLICT = ErrorClass.RMA_CONFLICT;

    /** Calls of synchronisation of a window are in a wrong order. */
    public static final int ERR_RMA_SYNC = ErrorClass.RMA_SYNC;

    /** A service cannot be unpublished. */
    public static final int ERR_SERVICE = ErrorClass.SERVICE;

    /** A size is out of range. */
    public static final int ERR_SIZE = ErrorClass.SIZE;

    /** Processes cannot be started. */
    public static final int ERR_SPAWN = ErrorClass.SPAWN;

    /** The data representation is not supported. */
    public static final int ERR_UNSUPPORTED_DATAREP = ErrorClass.UNSUPPORTED_DATAREP;

    /** The operation is not supported. */
    public static final int ERR_UNSUPPORTED_OPERATION = ErrorClass.UNSUPPORTED_OPERATION;

    /** A window is null, or was freed. */
    public static final int ERR_WIN = ErrorClass.WIN;

    /** The memory is outside of the window. */
    public static final int ERR_RMA_RANGE = ErrorClass.RMA_RANGE;

    /** The memory cannot be attached to the window. */
    public static final int ERR_RMA_ATTACH = ErrorClass.RMA_ATTACH;

    /** The window is of another flavour. */
    public static final int ERR_RMA_FLAVOR = ErrorClass.RMA_FLAVOR;

    /** The memory cannot be shared. */
    public static final int ERR_RMA_SHARED = ErrorClass.RMA_SHARED;

    /** A rank has aborted. */
    public static final int ERR_PROC_ABORTED = ErrorClass.PROC_ABORTED;

    /** A rank has died, or was stopped. */
    public static final int ERR_PROC_FAILED = ErrorClass.PROC_FAILED;

    /** The communicator can no longer be used: a member gave up a collective on it. */
    public static final int ERR_REVOKED = ErrorClass.REVOKED;

    /** The system is short of a resource. */
    public static final int ERR_SYSRESOURCE = ErrorClass.SYSRESOURCE;

    /** The greatest error code that the library itself uses. */
    public static final int ERR_LASTCODE = ErrorClass.LASTCODE;

    ErrorConstants() {
    }
}
