// SPDX-License-Identifier: Apache-2.0
package launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.PvasTasks;
import io.hayate.conformance.ClusterLauncher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests programs of both dialects of MPI as users start them: with the jars, and no more. */
class MpiRunIT {
    private static final String RING = "upper 1 of 2 3 [a] [a]\n";
    private static final String SUM = "lower 1 of 2\n";
    private static final String JVM = "-XX:TieredStopAtLevel=1";

    @TempDir
    private Path folder;
    private Programs programs;

    /** Against the jar without the names that java.io and the class path of a program have, too. */
    @BeforeEach
    void compile() throws Exception {
        programs = new Programs(folder);
        for (String name : List.of("Info", "Message", "Version", "Count", "Win")) {
            programs.compileText("app", "others/" + name + ".java",
                    "package others; public class " + name + " {}");
        }
        programs.compile("app", Programs.jar("hayate-mpi", "-mpijava"), "Ring.java");
        programs.compile("app", Programs.jar("hayate-mpi", ""), "Sum.java");
        programs.pack("app.jar", "app", "Ring");
    }

    private static List<String> mpi(String... more) {
        List<String> options = new ArrayList<>(List.of("-n", "2", "--mpi", "--heap", "16M"));
        options.addAll(List.of(more));
        return options;
    }

    @ParameterizedTest
    @ValueSource(strings = {"-cp app Ring a", "-classpath nosuch:app.jar Ring a",
        "--class-path=app.jar Ring a", "-jar app.jar a", "@options Ring a"})
    void should_run_a_program_wherever_java_finds_it(String words) throws Exception {
        Files.writeString(folder.resolve("options"), "-cp app");
        programs.run(mpi(), ("java " + JVM + " " + words).split(" ")).good(RING);
    }

    @Test
    void should_run_a_program_of_the_current_directory() throws Exception {
        programs.compile(".", Programs.jar("hayate-mpi", ""), "Sum.java");
        programs.run(mpi(), "java", JVM, "Sum").good(SUM);
    }

    @Test
    void should_run_a_program_that_the_environment_names() throws Exception {
        programs.run(mpi("-x", "CLASSPATH=app.jar"), "java", JVM, "Sum").good(SUM);
    }

    @Test
    void should_run_a_source_file() throws Exception {
        Path source = Path.of("src/test/resources/mpi/programs/Sum.java").toAbsolutePath();
        programs.run(mpi(), "java", JVM, source.toString()).good(SUM);
    }

    /** Modules of the program are on a path of their own. */
    @Test
    void should_leave_the_module_path_of_the_program_in_force() throws Exception {
        programs.compileText("mods/other", "module-info.java", "module other {}");
        programs.run(mpi(), "java", JVM, "--module-path", "mods", "--add-modules", "other", "-cp",
                "app", "Sum").good(SUM);
    }

    @Test
    void should_run_in_place_of_the_mpi_that_a_program_comes_with() throws Exception {
        programs.compileText("lib", "mpi/MPI.java", "package mpi; public class MPI { static {"
                + " if (true) { throw new IllegalStateException(\"the other MPI\"); } } }");
        programs.pack("mpj.jar", "lib", "Other");
        programs.run(mpi(), "java", JVM, "-cp", "mpj.jar:app", "Sum").good(SUM);
    }

    @Test
    void should_run_both_dialects_as_tasks() throws Exception {
        PvasTasks.create().close();
        programs.run(mpi("--pvas"), "java", JVM, "-XX:+UseSerialGC", "-jar", "app.jar", "a")
                .good(RING);
        programs.run(mpi("--pvas"), "java", JVM, "-XX:+UseSerialGC", "-cp", "app", "Sum").good(SUM);
    }

    @Test
    void should_run_both_dialects_with_a_delegatee() throws Exception {
        programs.run(mpi("--delegate"), "java", JVM, "-jar", "app.jar", "a").good(RING);
        programs.run(mpi("--delegate"), "java", JVM, "-cp", "app", "Sum").good(SUM);
    }

    /** Two nodes, for whose ranks a delegatee each communicates. */
    @Test
    @Tag("cluster")
    void should_run_with_delegatees_of_several_nodes() throws Exception {
        List<String> words = new ArrayList<>(List.of(ClusterLauncher.HYDRA.needed().here()));
        words.addAll(List.of("-n", "2", Path.of(io.hayate.conformance.Launch.launcher())
                .toAbsolutePath().toString(), "--delegate", "--bind", "none"));
        words.addAll(mpi());
        words.addAll(List.of("--", "java", JVM, "-cp", "app", "Sum"));
        programs.start(Map.of(), words).good("lower 6 of 4\n");
    }

    /** What programs for MPJ Express index, and what its Init returns. */
    @Test
    void should_add_the_arguments_of_mpj_express() throws Exception {
        programs.run(mpi("--mpj-arguments"), "java", JVM, "-cp", "app", "Ring", "a")
                .good("upper 1 of 2 3 [0, 2, hayate, a] [a]\n");
    }

    @Test
    void should_need_no_more_than_the_class_path_under_mpirun() throws Exception {
        List<String> words = new ArrayList<>(List.of(ClusterLauncher.OPEN_MPI.needed().here()));
        words.addAll(List.of("-n", "2", "java", JVM, "-cp", Programs.jar("hayate-mpi", "") + ":"
                + Programs.jar("hayate", "-cli") + ":app"));
        if (Runtime.version().feature() >= 24) {
            words.add("--enable-native-access=ALL-UNNAMED");
        }
        words.addAll(List.of("Ring", "a"));
        programs.start(Map.of("HAYATE_HEAP", "16M"), words).good(RING);
    }

    /** That jar is all that the user has; the launcher and the package mpi are inside. */
    @Test
    void should_run_from_the_jar_of_the_command_line() throws Exception {
        List<String> words = new ArrayList<>(List.of("java", JVM, "-jar",
                Programs.jar("hayate", "-cli").toString(), "run"));
        words.addAll(mpi());
        words.addAll(List.of("--", "java", JVM, "-cp", "app", "Ring", "a"));
        programs.start(Map.of(), words).good(RING);
        words.set(words.indexOf("--mpi"), "--mpi-path=nosuch.jar");
        words.add(words.indexOf("--"), "--mpi");
        Programs.Said said = programs.start(Map.of(), words);
        assertEquals(2, said.code());
        assertTrue(said.err().startsWith("hayate run: --mpi: nosuch.jar: No such file"),
                said.err());
    }

    private Programs.Said alone(String classPath) throws Exception {
        return programs.start(Map.of(), List.of("java", JVM, "-cp", classPath, "Sum"));
    }

    @Test
    void should_name_the_jar_that_is_missing() throws Exception {
        Programs.Said said = alone(Programs.jar("hayate-mpi", "") + ":app");
        assertEquals(1, said.code());
        assertTrue(said.err().contains("NoClassDefFoundError: the package mpi needs the jars"
                + " hayate-"), said.err());
    }

    @Test
    void should_name_versions_that_do_not_belong_together() throws Exception {
        Path pom = folder.resolve("old/META-INF/maven/io.hayate/hayate/pom.properties");
        Files.createDirectories(pom.getParent());
        Files.writeString(pom, "version=0.1.0\n");
        Programs.Said said = alone("old:" + Programs.jar("hayate-mpi", "") + ":"
                + Programs.jar("hayate", "-cli") + ":app");
        assertEquals(1, said.code());
        assertTrue(said.err().contains("and hayate-0.1.0 do not belong together"), said.err());
    }
}
