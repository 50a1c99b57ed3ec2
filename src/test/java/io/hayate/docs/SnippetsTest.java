// SPDX-License-Identifier: Apache-2.0
package io.hayate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hayate.docs.Document.Block;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the code in the documents compiles. A block is a whole file, or the statements of a
 * method; what these need is declared in a comment above the block, as members of a class:
 * {@code <!-- java: Fmpl fmpl; int n; abstract void compute(); -->}, in C as globals.
 */
class SnippetsTest {
    private static final Pattern WHOLE_FILE =
            Pattern.compile("^public (?:final )?class (\\w+)", Pattern.MULTILINE);
    private static final Pattern WHOLE_PROGRAM = Pattern.compile("^int main\\(", Pattern.MULTILINE);
    private static final String IMPORTS = "import io.hayate.*; import io.hayate.scalapack.*;"
            + " import io.hayate.spark.*; import io.hayate.tasks.*;"
            + " import io.hayate.testcontainers.*; import org.apache.spark.api.java.JavaRDD;"
            + " import java.nio.*; import java.nio.file.*;"
            + " import java.time.*; import java.util.*; import java.util.concurrent.*; ";
    /** Programs of MPI that use Hayate's API as well. */
    private static final String MPI_IMPORTS = "import mpi.*; import io.hayate.Fmpl;"
            + " import io.hayate.Hayate; import io.hayate.HeapSpan; import io.hayate.Reduction;"
            + " import io.hayate.PersistentColl; import io.hayate.PersistentOperation;"
            + " import java.nio.DoubleBuffer; ";
    private static final String INCLUDES = "#include <hayate/fmpl.h>\n#include <hayate/ompl.h>\n"
            + "#include <hayate/pcoll.h>\n#include <hayate/pvas.h>\n#include <stdlib.h>\n";
    /** Where src/bench/adapters/openmpi-java.sh leaves mpi.jar. */
    private static final Path BENCH_CACHE = Path.of(System.getProperty("user.home"),
            ".cache/hayate/bench");

    /** Its lines have the numbers that they have in the document. */
    private static final class Source extends SimpleJavaFileObject {
        private final Block block;
        private final String text;

        Source(Block block) {
            super(URI.create("string:///" + name(block) + ".java"), Kind.SOURCE);
            this.block = block;
            String before = "\n".repeat(block.line() - 2);
            String imports = block.language().equals("openmpi") ? "import mpi.*; "
                    : block.language().equals("mpi") ? MPI_IMPORTS : IMPORTS;
            text = isWholeFile(block) ? before + "\n" + block.code()
                    : imports + "abstract class " + name(block) + " { " + block.context()
                            .replaceAll("\\s+", " ") + before + " void snippet() throws Exception {"
                            + "\n" + block.code() + "\n} }";
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static boolean isWholeFile(Block block) {
        return WHOLE_FILE.matcher(block.code()).find();
    }

    private static String name(Block block) {
        Matcher whole = WHOLE_FILE.matcher(block.code());
        return whole.find() ? whole.group(1)
                : "Line" + block.line() + "Of" + block.document().path.getFileName().toString()
                        .replaceAll("\\W", "_");
    }

    private static List<Block> blocks(List<Document> documents, String language) {
        return documents.stream().flatMap(one -> one.blocks(language).stream()).toList();
    }

    private static String compileJava(List<Block> blocks, Path classes) {
        return compileJava(blocks, classes, System.getProperty("surefire.test.class.path",
                System.getProperty("java.class.path")) + File.pathSeparator + spark());
    }

    private static String compileJava(List<Block> blocks, Path classes, String classpath) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assumeTrue(compiler != null, "this JVM is of a JRE, without a compiler");
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<Source> sources = blocks.stream().map(Source::new).toList();
        compiler.getTask(null, null, found, List.of("-d", classes.toString(), "-proc:none",
                "--release", "17", "-Xlint:deprecation,removal,rawtypes,unchecked", "-classpath",
                classpath), null, sources).call();
        List<String> problems = new ArrayList<>();
        for (Diagnostic<? extends JavaFileObject> one : found.getDiagnostics()) {
            String where = one.getSource() == null ? ""
                    : ((Source) one.getSource()).block.document() + ":" + one.getLineNumber()
                            + ": ";
            problems.add(where + one.getMessage(Locale.ROOT));
        }
        return String.join("\n", problems);
    }

    /** The classes of hayate-spark, and the jars of Spark that the build has fetched. */
    private static String spark() {
        Path target = Document.ROOT.resolve("target");
        try (Stream<Path> jars = Files.list(target.resolve("spark-api"))) {
            return Stream.concat(Stream.of(target.resolve("spark-classes")), jars)
                    .map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String compileC(Block block) throws Exception {
        Process gcc = new ProcessBuilder("gcc", "-std=gnu11", "-fsyntax-only", "-Wall", "-Wextra",
                "-Werror", "-Isrc/main/c/include", "-x", "c", "-").directory(Document.ROOT.toFile())
                .redirectErrorStream(true).start();
        try (var in = gcc.outputWriter()) {
            String line = "\n#line " + block.line() + " \"" + block.document() + "\"\n";
            in.write(WHOLE_PROGRAM.matcher(block.code()).find() ? line + block.code() + "\n"
                    : INCLUDES + block.context() + "\nvoid snippet(void)\n{" + line + block.code()
                            + "\n}\n");
        }
        String said = new String(gcc.getInputStream().readAllBytes());
        assertTrue(gcc.waitFor(120, TimeUnit.SECONDS));
        return gcc.exitValue() == 0 ? "" : said;
    }

    @Test
    void should_compile_all_java_of_the_documents(@TempDir Path classes) {
        List<Block> blocks = blocks(Document.all(), "java");
        assertTrue(blocks.size() >= 15, blocks.size() + " blocks");
        assertEquals("", compileJava(blocks, classes));
    }

    @Test
    void should_compile_the_programs_for_mpi(@TempDir Path classes) {
        List<Block> blocks = blocks(Document.all(), "mpi");
        assertEquals(2, blocks.size());
        assertEquals("", compileJava(blocks, classes));
    }

    @Test
    void should_compile_the_examples_of_the_javadoc(@TempDir Path classes) {
        List<Document> sources = Document.files(path -> path.toString()
                .matches("src/(main/java/io/hayate|spark/java)/.*\\.java")).stream()
                .map(Document::ofJavadoc).toList();
        List<Block> blocks = blocks(sources, "java");
        assertTrue(blocks.size() >= 10, blocks.size() + " blocks");
        assertEquals("", compileJava(blocks, classes));
    }

    /** mpi.jar of Open MPI, where its benchmark has been run: Debian has no package of it. */
    private static Path openMpi() throws IOException {
        assumeTrue(Files.isDirectory(BENCH_CACHE), "Open MPI's mpi.jar is not in " + BENCH_CACHE);
        try (var files = Files.find(BENCH_CACHE, 2, (path, is) -> path.endsWith("mpi.jar"))) {
            Path jar = files.sorted().findFirst().orElse(null);
            assumeTrue(jar != null, "Open MPI's mpi.jar is not in " + BENCH_CACHE);
            return jar;
        }
    }

    @Test
    void should_compile_the_programs_for_open_mpi(@TempDir Path classes) throws IOException {
        List<Block> blocks = blocks(Document.all(), "openmpi");
        assertEquals(3, blocks.size());
        assertEquals("", compileJava(blocks, classes, openMpi().toString()));
    }

    @Test
    void should_compile_all_c_of_the_documents() throws Exception {
        List<Block> blocks = blocks(Document.all(), "c");
        assertTrue(blocks.size() >= 1, blocks.size() + " blocks");
        for (Block block : blocks) {
            assertEquals("", compileC(block));
        }
    }

    @Test
    void should_tell_the_line_of_what_does_not_compile(@TempDir Path classes) throws IOException {
        Document bad = Document.of(Path.of("docs/bad.md"), List.of("# Bad", "",
                "<!-- java:", "Fmpl fmpl;", "-->", "```java", "fmpl.barrier();",
                "Fmpl.Request halo;", "```"));
        String said = compileJava(bad.blocks("java"), classes);
        assertTrue(said.startsWith("docs/bad.md:8: cannot find symbol"), said);
        assertEquals(1, said.split("docs/bad").length - 1, said);
        try (var files = Files.list(classes)) {
            assertEquals(0, files.count());
        }
    }
}
