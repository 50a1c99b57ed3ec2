// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/** How a file is opened: the flags {@code MPI.MODE_*}. */
record AccessMode(int flags) {
    private static final int ALL = 511;

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    boolean reads() {
        return has(Constants.MODE_RDONLY | Constants.MODE_RDWR);
    }

    boolean writes() {
        return has(Constants.MODE_WRONLY | Constants.MODE_RDWR);
    }

    boolean isSequential() {
        return has(Constants.MODE_SEQUENTIAL);
    }

    /** Checks that no flags contradict each other. */
    void check() {
        int access = flags & (Constants.MODE_RDONLY | Constants.MODE_WRONLY | Constants.MODE_RDWR);
        if (Integer.bitCount(access) != 1 || (flags & ~ALL) != 0) {
            throw wrong("expected exactly one of MODE_RDONLY, MODE_WRONLY and MODE_RDWR, and only"
                    + " flags of MPI");
        }
        if (!writes() && has(Constants.MODE_CREATE | Constants.MODE_EXCL)) {
            throw wrong("a file that is only read cannot be created: expected MODE_WRONLY or"
                    + " MODE_RDWR with MODE_CREATE and MODE_EXCL");
        }
        if (isSequential() && has(Constants.MODE_RDWR)) {
            throw wrong("a sequential file is either read or written: expected MODE_RDONLY or"
                    + " MODE_WRONLY with MODE_SEQUENTIAL");
        }
    }

    private MPIException wrong(String expected) {
        return new MPIException(ErrorClass.AMODE, "the access mode is " + flags + ": " + expected);
    }

    /** Returns how to open it; creating: with those flags that may create it. */
    Set<OpenOption> options(boolean creating) {
        Set<OpenOption> options = new HashSet<>();
        if (reads()) {
            options.add(StandardOpenOption.READ);
        }
        if (writes()) {
            options.add(StandardOpenOption.WRITE);
        }
        if (creating && has(Constants.MODE_CREATE)) {
            options.add(has(Constants.MODE_EXCL) ? StandardOpenOption.CREATE_NEW
                    : StandardOpenOption.CREATE);
        }
        return options;
    }

    void requireReads() {
        if (!reads()) {
            throw new MPIException(ErrorClass.ACCESS, "the file was opened with MODE_WRONLY:"
                    + " expected MODE_RDONLY or MODE_RDWR for reading");
        }
    }

    void requireWrites() {
        if (!writes()) {
            throw new MPIException(ErrorClass.READ_ONLY, "the file was opened with MODE_RDONLY:"
                    + " expected MODE_WRONLY or MODE_RDWR");
        }
    }

    void requireRandom() {
        if (isSequential()) {
            throw new MPIException(ErrorClass.UNSUPPORTED_OPERATION, "the file was opened with"
                    + " MODE_SEQUENTIAL: expected only reads and writes at the shared pointer");
        }
    }
}
