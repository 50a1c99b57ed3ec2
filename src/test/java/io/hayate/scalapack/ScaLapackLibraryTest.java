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
    void shouldNameTheFileThatIsMissing() {
        String reason = refused(folder.resolve("libnone.so"));
        assertTrue(reason.contains("libnone.so (named by HAYATE_SCALAPACK or -Dhayate.scalapack)"),
                reason);
    }

    /** NUMROC as a compiler makes it of the same source with integers of 64 bits. */
    @Test
    void shouldRefuseIntegersOf64Bits() throws Exception {
        String reason = refused(library("long numroc_(long *n, long *nb, long *p, long *src,"
                + " long *np) { long d = (*np + *p - *src) % *np, k = *n / *nb;"
                + " long r = k / *np * *nb; return d < k % *np ? r + *nb"
                + " : d == k % *np ? r + *n % *nb : r; }"));
        assertTrue(reason.contains("64-bit integers (ILP64)"), reason);
    }

    /** DESCINIT as it is in a library that calls other BLACS: they know no context. */
    @Test
    void shouldRefuseALibraryThatCallsOtherBlacs() throws Exception {
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

    private static String afterLoading(Path file) throws Exception {
        Process java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Latecomer.class.getName(), file.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String output = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, java.waitFor());
        return output;
    }

    @Test
    void shouldRefuseAScaLapackThatWasLoadedBefore() throws Exception {
        String reason = afterLoading(library("libscalapack-other.so", "int nothing;"));
        assertTrue(reason.contains("has loaded libscalapack already"), reason);
        reason = afterLoading(library("libother.so", "int nothing;"));
        assertTrue(reason.contains("none.so (named by"), reason);
    }

    /** ScaLAPACK would call the BLACS of the closed job, which ends the process. */
    @Test
    void shouldRefuseAGridWhoseJobIsClosed() {
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
    void shouldRefuseALibraryThatIsNotScaLapack() throws Exception {
        String reason = refused(library("int nothing;"));
        assertTrue(reason.contains("has no numroc_: it is not ScaLAPACK"), reason);
    }
}
