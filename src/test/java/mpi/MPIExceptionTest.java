// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hayate.ArgumentException;
import io.hayate.BrokenCommunicatorException;
import io.hayate.Cartesian;
import io.hayate.MemoryExhaustedException;
import io.hayate.MismatchException;
import io.hayate.NativeLoadException;
import io.hayate.PeerFailedException;
import io.hayate.TruncationException;
import io.hayate.UnsupportedException;
import java.lang.reflect.Field;
import org.junit.jupiter.api.Test;

/** Tests exceptions, their error classes, and those that stand for exceptions of Hayate. */
class MPIExceptionTest {
    @Test
    void should_have_class_and_text() {
        MPIException e = new MPIException(ErrorClass.RANK, "rank 7: expected 0 to 3");
        assertEquals("MPI_ERR_RANK: rank 7: expected 0 to 3", e.getMessage());
        assertEquals(6, e.getErrorClass());
        assertEquals(6, e.getErrorCode());
    }

    @Test
    void should_keep_what_a_program_gives() {
        assertNull(new MPIException().getMessage());
        MPIException own = new MPIException("mine");
        assertEquals("mine", own.getMessage());
        assertEquals(ErrorClass.OTHER, own.getErrorClass());
        RuntimeException cause = new RuntimeException("below");
        assertSame(cause, new MPIException(cause).getCause());
        assertEquals(ErrorClass.OTHER, new MPIException(cause).getErrorClass());
        MPIException tag = new MPIException(ErrorClass.TAG, "tag -5: expected 0 or more");
        assertEquals(ErrorClass.TAG, new MPIException(tag).getErrorClass());
    }

    @Test
    void should_have_the_class_that_fits_an_exception_of_hayate() {
        assertEquals(ErrorClass.ARG, Failures.errorClass(ArgumentException.class));
        assertEquals(ErrorClass.PROC_FAILED, Failures.errorClass(PeerFailedException.class));
        assertEquals(ErrorClass.TRUNCATE, Failures.errorClass(TruncationException.class));
        assertEquals(ErrorClass.NO_MEM, Failures.errorClass(MemoryExhaustedException.class));
        assertEquals(ErrorClass.OTHER, Failures.errorClass(MismatchException.class));
        assertEquals(ErrorClass.REVOKED, Failures.errorClass(BrokenCommunicatorException.class));
        assertEquals(ErrorClass.UNSUPPORTED_OPERATION,
                Failures.errorClass(UnsupportedException.class));
        assertEquals(ErrorClass.UNSUPPORTED_OPERATION,
                Failures.errorClass(NativeLoadException.class));
    }

    @Test
    void should_keep_reason_and_cause_of_an_exception_of_hayate() {
        ArgumentException below =
                assertThrows(ArgumentException.class, () -> Cartesian.dims(0, 2));
        MPIException e = Failures.of(below);
        assertSame(below, e.getCause());
        assertEquals("MPI_ERR_ARG: " + below.reason(), e.getMessage());
    }

    @Test
    void should_stand_for_any_failure() {
        MPIException known = new MPIException(ErrorClass.IO, "known");
        assertSame(known, Failures.ofAny(known));
        assertEquals(ErrorClass.ARG, Failures.ofAny(assertThrows(ArgumentException.class,
                () -> Cartesian.dims(0, 2))).getErrorClass());
        OutOfMemoryError memory = new OutOfMemoryError("heap");
        assertEquals(ErrorClass.NO_MEM, Failures.ofAny(memory).getErrorClass());
        assertSame(memory, Failures.ofAny(memory).getCause());
        assertEquals(ErrorClass.OTHER,
                Failures.ofAny(new IllegalStateException()).getErrorClass());
    }

    @Test
    void should_name_every_class_as_its_constant_is_named() throws IllegalAccessException {
        int tried = 0;
        for (Field field : ErrorConstants.class.getDeclaredFields()) {
            if (field.getType() == int.class) {
                assertEquals("MPI_" + field.getName(), ErrorClass.name(field.getInt(null)));
                tried++;
            }
        }
        assertEquals(63, tried);
        assertEquals("error class 60", ErrorClass.name(60));
        assertEquals("error class -1", ErrorClass.name(-1));
    }
}
