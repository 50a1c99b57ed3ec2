// SPDX-License-Identifier: Apache-2.0
/**
 * Hayate, a communication runtime for Java solvers: the job and its memory, and the message
 * passing libraries on top of it. The native library is inside the jar.
 */
module io.hayate {
    requires com.sun.jna;
    requires static info.picocli;

    exports io.hayate;
    exports io.hayate.tasks;

    opens io.hayate.internal to
            com.sun.jna;
    opens io.hayate.cli to
            info.picocli;
}
