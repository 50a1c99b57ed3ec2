// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hayate.conformance.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Open MPI's Java binding, where src/bench/adapters/openmpi-jar.sh has built it. */
final class OpenMpiJava {
    private static final Path JARS = Path.of(System.getProperty("user.home"),
            ".cache/hayate/bench");
    private static final String LIBRARY = System.mapLibraryName("mpi_java");

    private OpenMpiJava() {
    }

    /** The program over Open MPI in place of Hayate; skips the test where it is not possible. */
    static Launch launch(Launch program) throws IOException {
        Optional<Path> jar = find(JARS, 2, "mpi.jar");
        assumeTrue(jar.isPresent(), "Open MPI's mpi.jar is not in " + JARS);
        Optional<Path> library = find(Path.of("/usr/lib"), 2, LIBRARY);
        assumeTrue(library.isPresent(), LIBRARY + " is not installed");
        assumeTrue(find(Path.of("/usr/bin"), 1, "mpirun.openmpi").isPresent(), "no mpirun.openmpi");
        return program.by("mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--quiet")
                .classesFirst(jar.get()).jvm("-Djava.library.path=" + library.get().getParent())
                .unchecked();
    }

    private static Optional<Path> find(Path folder, int depth, String name) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.find(folder, depth, (path, is) -> path.endsWith(name))) {
            return files.min(Comparator.naturalOrder());
        }
    }
}
