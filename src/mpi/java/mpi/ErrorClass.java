// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.List;

/** The error classes of MPI by their short names; the numbers are those of Open MPI 5. */
final class ErrorClass {
    static final int SUCCESS = 0;
    static final int BUFFER = 1;
    static final int COUNT = 2;
    static final int TYPE = 3;
    static final int TAG = 4;
    static final int COMM = 5;
    static final int RANK = 6;
    static final int REQUEST = 7;
    static final int ROOT = 8;
    static final int GROUP = 9;
    static final int OP = 10;
    static final int TOPOLOGY = 11;
    static final int DIMS = 12;
    static final int ARG = 13;
    static final int UNKNOWN = 14;
    static final int TRUNCATE = 15;
    static final int OTHER = 16;
    static final int INTERN = 17;
    static final int IN_STATUS = 18;
    static final int PENDING = 19;
    static final int ACCESS = 20;
    static final int AMODE = 21;
    static final int ASSERT = 22;
    static final int BAD_FILE = 23;
    static final int BASE = 24;
    static final int CONVERSION = 25;
    static final int DISP = 26;
    static final int DUP_DATAREP = 27;
    static final int FILE_EXISTS = 28;
    static final int FILE_IN_USE = 29;
    static final int FILE = 30;
    static final int INFO_KEY = 31;
    static final int INFO_NOKEY = 32;
    static final int INFO_VALUE = 33;
    static final int INFO = 34;
    static final int IO = 35;
    static final int KEYVAL = 36;
    static final int LOCKTYPE = 37;
    static final int NAME = 38;
    static final int NO_MEM = 39;
    static final int NOT_SAME = 40;
    static final int NO_SPACE = 41;
    static final int NO_SUCH_FILE = 42;
    static final int PORT = 43;
    static final int QUOTA = 44;
    static final int READ_ONLY = 45;
    static final int RMA_CONFLICT = 46;
    static final int RMA_SYNC = 47;
    static final int SERVICE = 48;
    static final int SIZE = 49;
    static final int SPAWN = 50;
    static final int UNSUPPORTED_DATAREP = 51;
    static final int UNSUPPORTED_OPERATION = 52;
    static final int WIN = 53;
    static final int RMA_RANGE = 68;
    static final int RMA_ATTACH = 69;
    static final int RMA_FLAVOR = 70;
    static final int RMA_SHARED = 71;
    static final int PROC_ABORTED = 74;
    static final int PROC_FAILED = 75;
    static final int REVOKED = 77;
    static final int LASTCODE = 92;
    /** Open MPI's Java class has the name, but no current release gives it a number. */
    static final int SYSRESOURCE = -2;

    /** The names of SUCCESS to WIN, whose numbers have no gap. */
    private static final List<String> NAMES = List.of("SUCCESS", "BUFFER", "COUNT", "TYPE", "TAG",
            "COMM", "RANK", "REQUEST", "ROOT", "GROUP", "OP", "TOPOLOGY", "DIMS", "ARG", "UNKNOWN",
            "TRUNCATE", "OTHER", "INTERN", "IN_STATUS", "PENDING", "ACCESS", "AMODE", "ASSERT",
            "BAD_FILE", "BASE", "CONVERSION", "DISP", "DUP_DATAREP", "FILE_EXISTS", "FILE_IN_USE",
            "FILE", "INFO_KEY", "INFO_NOKEY", "INFO_VALUE", "INFO", "IO", "KEYVAL", "LOCKTYPE",
            "NAME", "NO_MEM", "NOT_SAME", "NO_SPACE", "NO_SUCH_FILE", "PORT", "QUOTA", "READ_ONLY",
            "RMA_CONFLICT", "RMA_SYNC", "SERVICE", "SIZE", "SPAWN", "UNSUPPORTED_DATAREP",
            "UNSUPPORTED_OPERATION", "WIN");

    private ErrorClass() {
    }

    /** Returns the name in the standard, or the number of a class that has none. */
    static String name(int errorClass) {
        if (errorClass == SUCCESS) {
            return "MPI_SUCCESS";
        }
        String name = errorClass > 0 && errorClass < NAMES.size()
                ? NAMES.get(errorClass) : laterName(errorClass);
        return name == null ? "error class " + errorClass : "MPI_ERR_" + name;
    }

    private static String laterName(int errorClass) {
        return switch (errorClass) {
            case RMA_RANGE -> "RMA_RANGE";
            case RMA_ATTACH -> "RMA_ATTACH";
            case RMA_FLAVOR -> "RMA_FLAVOR";
            case RMA_SHARED -> "RMA_SHARED";
            case PROC_ABORTED -> "PROC_ABORTED";
            case PROC_FAILED -> "PROC_FAILED";
            case REVOKED -> "REVOKED";
            case LASTCODE -> "LASTCODE";
            case SYSRESOURCE -> "SYSRESOURCE";
            default -> null;
        };
    }
}
