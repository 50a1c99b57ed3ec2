// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hayate.Blacs;
import io.hayate.BlacsGrid;
import io.hayate.ClosedException;
import io.hayate.Element;
import io.hayate.Hayate;
import io.hayate.NativeLoadException;
import io.hayate.Scope;
import io.hayate.Section;
import io.hayate.Span;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Libraries that cannot be used as libscalapack. */
class ScaLapackLibraryTest {
    private static final String PROPERTY = "hayate.scalapack";

    @TempDir
    private Path folder;

    @BeforeEach
    void needsTheProperty() {
        assumeTrue(System.getenv("HAYATE_SCALAPACK") == null, "HAYATE_SCALAPACK is set");
    }

    @AfterEach
    void restore() {
        System.clearProperty(PROPERTY);
    }

    private static String refused(Path file) {
        System.setProperty(PROPERTY, file.toString());
        return assertThrows(NativeLoadException.class, () -> ScaLapack.on(PlainGrid.ONE)).reason();
    }

    private Path library(String code) throws Exception {
        return library("libfake.so", code);
    }

    private Path library(String name, String code) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "no gcc");
        Path file = folder.resolve(name);
        Process gcc = new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", file.toString(), "-x",
                "c", "-").inheritIO().redirectInput(ProcessBuilder.Redirect.PIPE).start();
        try (var in = gcc.outputWriter()) {
            in.write(code);
        }
        assertTrue(gcc.waitFor(120, TimeUnit.SECONDS));
        assertEquals(0, gcc.exitValue());
        return file;
    }

    @Test
    void should_name_the_file_that_is_missing() {
        String reason = refused(folder.resolve("libnone.so"));
        assertTrue(reason.contains("libnone.so (named by HAYATE_SCALAPACK or -Dhayate.scalapack)"),
                reason);
    }

    /** NUMROC as a compiler makes it of the same source with integers of 64 bits. */
    @Test
    void should_refuse_integers_of64_bits() throws Exception {
        String reason = refused(library("long numroc_(long *n, long *nb, long *p, long *src,"
                + " long *np) { long d = (*np + *p - *src) % *np, k = *n / *nb;"
                + " long r = k / *np * *nb; return d < k % *np ? r + *nb"
                + " : d == k % *np ? r + *n % *nb : r; }"));
        assertTrue(reason.contains("64-bit integers (ILP64)"), reason);
    }

    /** DESCINIT as it is in a library that calls other BLACS: they know no context. */
    @Test
    void should_refuse_a_library_that_calls_other_blacs() throws Exception {
        Path file = library("int numroc_(void) { return 6; }"
                + " void descinit_(int *d, int *m, int *n, int *mb, int *nb, int *r, int *c,"
                + " int *context, int *lld, int *info) { *info = -6; }");
        System.setProperty(PROPERTY, file.toString());
        try (Hayate job = Hayate.init(); Blacs blacs = Blacs.open(job);
                BlacsGrid grid = blacs.grid(1, 1)) {
            String reason =
                    assertThrows(NativeLoadException.class, () -> ScaLapack.on(grid)).reason();
            assertTrue(reason.contains("does not call Hayate's BLACS"), reason);
        }
    }

    /** Loads a library, then asks for ScaLAPACK. */
    static final class Latecomer {
        public static void main(String[] args) {
            System.load(args[0]);
            System.setProperty(PROPERTY, "none.so");
            try {
                ScaLapack.on(PlainGrid.ONE);
            } catch (NativeLoadException e) {
                System.out.println(e.reason());
            }
        }
    }

    /** Computes with a library in a JVM where exceptions come by signals. */
    static final class Catcher {
        private static final int ROWS = 80;

        private static volatile int[] nothing;
        private static volatile int zero;

        private static void runInto() {
            assertThrows(NullPointerException.class, () -> nothing[0]++);
            assertThrows(ArithmeticException.class, () -> zero = 1 / zero);
        }

        private static void solve() {
            try (Hayate job = Hayate.init(); Blacs blacs = Blacs.open(job);
                    BlacsGrid grid = blacs.grid(1, 1)) {
                ScaLapack lapack = ScaLapack.on(grid);
                runInto();
                BlockCyclic layout = BlockCyclic.of(grid, ROWS, ROWS, 8);
                DistributedMatrix a = DistributedMatrix.allocate(job, layout, Element.DOUBLE);
                DistributedMatrix z = DistributedMatrix.allocate(job, layout, Element.DOUBLE);
                a.fill((row, column) -> row == column ? row + 1 : 0);
                assertEquals(ROWS, lapack.syevd(Triangle.LOWER, a, z)[ROWS - 1], 1e-9);
            }
        }

        public static void main(String[] args) {
            Thread other = new Thread(() -> {
                while (true) {
                    runInto();
                }
            });
            other.setDaemon(true);
            System.setProperty(PROPERTY, args[0]);
            if (!args[0].contains("fake")) {
                other.start();
            }
            try {
                solve();
                System.out.println("solved");
            } catch (NativeLoadException e) {
                runInto();
                System.out.println(e.reason());
            }
        }
    }

    private static String afterLoading(Path file) throws Exception {
        return run(Latecomer.class, file.toString());
    }

    private static String run(Class<?> main, String library) throws Exception {
        Process java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=/dev/null", main.getName(), library)
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String output = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, java.waitFor());
        return output;
    }

    /** It takes handlers when it is loaded, by variables that forbid it, and at two calls. */
    @Test
    void should_keep_the_signal_handlers_of_the_virtual_machine() throws Exception {
        String output = run(Catcher.class, library("#include <signal.h>\n#include <stdlib.h>\n"
                + "void _exit(int); static void die(int number) { _exit(9); }"
                + " __attribute__((constructor)) static void load(void) {"
                + " if (!getenv(\"UCX_ERROR_SIGNALS\")) _exit(8); signal(SIGTERM, die); }"
                + " int numroc_(void) { signal(SIGSEGV, die); return 6; }"
                + " void descinit_(int *d, int *m, int *n, int *mb, int *nb, int *r, int *c,"
                + " int *context, int *lld, int *info) { signal(SIGFPE, die); *info = 0; }")
                .toString());
        assertTrue(output.contains("has no pdlansy_"), output);
    }

    /** It brings libucs, which takes SIGSEGV when it is loaded. */
    @Test
    void should_run_over_the_library_of_mpich() throws Exception {
        String name = "libscalapack-mpich.so.2.2";
        String output = run(Catcher.class, name);
        assumeTrue(!output.contains("cannot open shared object"), output);
        assertEquals("solved\n", output);
    }

    @Test
    void should_refuse_a_sca_lapack_that_was_loaded_before() throws Exception {
        String reason = afterLoading(library("libscalapack-other.so", "int nothing;"));
        assertTrue(reason.contains("has loaded libscalapack already"), reason);
        reason = afterLoading(library("libother.so", "int nothing;"));
        assertTrue(reason.contains("none.so (named by"), reason);
    }

    /** ScaLAPACK would call the BLACS of the closed job, which ends the process. */
    @Test
    void should_refuse_a_grid_whose_job_is_closed() {
        Hayate job = Hayate.init();
        Blacs blacs = Blacs.open(job);
        BlacsGrid grid = blacs.grid(1, 1);
        DistributedMatrix matrix =
                DistributedMatrix.allocate(job, BlockCyclic.of(grid, 2, 2, 1), Element.DOUBLE);
        grid.send(Section.of(Span.of(new byte[80_000]), Element.DOUBLE, 100, 100), 0, 0);
        job.close();
        assertThrows(ClosedException.class, grid::context);
        assertThrows(ClosedException.class, matrix::descriptor);
        assertThrows(ClosedException.class, () -> ScaLapack.on(grid));
        assertThrows(ClosedException.class, () -> grid.barrier(Scope.ALL));
        matrix.close();
        grid.close();
        blacs.close();
        Hayate.init().close();
    }

    @Test
    void should_refuse_a_library_that_is_not_sca_lapack() throws Exception {
        String reason = refused(library("int nothing;"));
        assertTrue(reason.contains("has no numroc_: it is not ScaLAPACK"), reason);
    }
}
