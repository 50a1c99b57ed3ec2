// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.function.Executable;

/** Calls that fail with an error class, whose message has the class and what was expected. */
final class Refused {
    private Refused() {
    }

    static void with(int errorClass, Executable call) {
        MPIException e = assertThrows(MPIException.class, call);
        assertEquals(ErrorClass.name(errorClass), ErrorClass.name(e.getErrorClass()),
                e.getMessage());
        assertEquals(errorClass, e.getErrorCode());
        assertTrue(e.getMessage().startsWith(ErrorClass.name(errorClass) + ": "), e.getMessage());
    }
}
