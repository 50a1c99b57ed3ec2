// SPDX-License-Identifier: Apache-2.0
package mpi;

import static java.util.Map.entry;

import io.hayate.ArgumentException;
import io.hayate.BrokenCommunicatorException;
import io.hayate.CorruptionException;
import io.hayate.HayateException;
import io.hayate.MemoryExhaustedException;
import io.hayate.NativeLoadException;
import io.hayate.PeerFailedException;
import io.hayate.TruncationException;
import io.hayate.UnsupportedException;
import java.util.Map;

/** Which error class of MPI an exception of Hayate has. */
final class Failures {
    /** The exceptions that fit a class of MPI; those of all others are of the class OTHER. */
    private static final Map<Class<? extends HayateException>, Integer> CLASSES = Map.ofEntries(
            entry(ArgumentException.class, ErrorClass.ARG),
            entry(BrokenCommunicatorException.class, ErrorClass.REVOKED),
            entry(CorruptionException.class, ErrorClass.INTERN),
            entry(MemoryExhaustedException.class, ErrorClass.NO_MEM),
            entry(NativeLoadException.class, ErrorClass.UNSUPPORTED_OPERATION),
            entry(PeerFailedException.class, ErrorClass.PROC_FAILED),
            entry(TruncationException.class, ErrorClass.TRUNCATE),
            entry(UnsupportedException.class, ErrorClass.UNSUPPORTED_OPERATION));

    private Failures() {
    }

    /** Returns an exception of MPI with the same reason, whose cause is the given one. */
    static MPIException of(HayateException failure) {
        return new MPIException(errorClass(failure.getClass()), failure.reason(), failure);
    }

    /** The same of any failure. */
    static MPIException ofAny(Throwable failure) {
        return failure instanceof MPIException known ? known
                : failure instanceof HayateException known ? of(known)
                : failure instanceof OutOfMemoryError
                ? new MPIException(ErrorClass.NO_MEM, "memory is exhausted", failure)
                : new MPIException(failure);
    }

    static int errorClass(Class<? extends HayateException> failure) {
        return CLASSES.getOrDefault(failure, ErrorClass.OTHER);
    }
}
