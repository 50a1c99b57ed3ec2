// SPDX-License-Identifier: Apache-2.0
/**
 * Hayate, a communication runtime for Java solvers: jobs and their memory, message passing, a
 * global address space, and tasks in one address space. The jar contains the native library.
 */
@SuppressWarnings("module") // io.hayate.mpi and io.hayate.spark are compiled later
module io.hayate {
    requires com.sun.jna;
    requires static com.fasterxml.jackson.annotation; // in classes of the next one
    requires static com.github.dockerjava.api;
    requires static info.picocli;
    requires static java.management;
    requires static jdk.jfr;
    requires static micrometer.core;
    requires static org.junit.jupiter.api;
    requires static org.junit.platform.launcher;
    requires static testcontainers;

    exports io.hayate;
    exports io.hayate.junit;
    exports io.hayate.micrometer;
    exports io.hayate.scalapack;
    exports io.hayate.tasks;
    exports io.hayate.testcontainers;
    exports io.hayate.internal.bindings to io.hayate.mpi;
    exports io.hayate.internal.errors to io.hayate.mpi, io.hayate.spark;
    exports io.hayate.internal.fmpl to io.hayate.mpi;
    exports io.hayate.internal.job to io.hayate.mpi;
    exports io.hayate.internal.lifetime to io.hayate.mpi;
    exports io.hayate.internal.natives to io.hayate.mpi;
    exports io.hayate.internal.tagged to io.hayate.mpi;
    exports io.hayate.internal.windows to io.hayate.mpi;

    opens io.hayate.internal.bindings to
            com.sun.jna;
    opens io.hayate.internal.natives to
            com.sun.jna;
    opens io.hayate.internal.netlib to
            com.sun.jna;
    opens io.hayate.cli to
            info.picocli;
    opens io.hayate.cli.command to
            info.picocli;
    opens io.hayate.cli.doctor to
            info.picocli;
    opens io.hayate.cli.explain to
            info.picocli;
    opens io.hayate.cli.observe to
            info.picocli;
    opens io.hayate.cli.output to
            info.picocli;
    opens io.hayate.cli.perf to
            info.picocli;
    opens io.hayate.cli.run to
            info.picocli;
    opens io.hayate.cli.tune to
            info.picocli;
    opens io.hayate.junit to
            org.junit.platform.commons;
}
