// SPDX-License-Identifier: Apache-2.0
package io.hayate.docs;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Tests that the public API changes only on purpose: src/test/resources contains the signatures of
 * the exported packages, and docs/API.md their types with a sentence for each.
 */
class PublicSurfaceTest {
    private static final Path CLASSES = Document.ROOT.resolve("target/classes");
    private static final Path CLASSES_22 = CLASSES.resolve("META-INF/versions/22");
    private static final Path SOURCES = Document.ROOT.resolve("src/main/java");
    private static final Path SOURCES_22 = Document.ROOT.resolve("src/main/java22");
    private static final Path LIST = Document.ROOT.resolve("src/test/resources/public-api.txt");
    private static final Path LIST_22 =
            Document.ROOT.resolve("src/test/resources/public-api-22.txt");
    private static final Path PAGE = Document.ROOT.resolve("docs/API.md");
    private static final boolean WRITES = Boolean.getBoolean("hayate.api.write");
    private static final String ADVICE = " does not match the public types of the code. If you mean"
            + " to change those: mvn test -Dtest=PublicSurfaceTest -Dhayate.api.write=true (on JDK"
            + " 22 or later for the list of that), and commit what it writes. Otherwise give the"
            + " new type or member less access. ";

    /** A type, and the file with its comment. */
    private record Described(String name, Path source) {
    }

    private static void check(Path file, String now) throws IOException {
        if (WRITES) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, now);
        }
        String before = Files.exists(file) ? Files.readString(file) : "";
        if (!before.equals(now)) {
            fail(Document.ROOT.relativize(file) + ADVICE + difference(before, now));
        }
    }

    /** Lines that only one of them has. */
    private static String difference(String before, String now) {
        List<String> gone = new ArrayList<>(before.lines().toList());
        now.lines().forEach(gone::remove);
        List<String> come = new ArrayList<>(now.lines().toList());
        before.lines().forEach(come::remove);
        return "Gone: " + gone + ". New: " + come;
    }

    private static String signatures(Path classes, ClassLoader loader) {
        StringBuilder text = new StringBuilder();
        for (String name : PublicSurface.packages(CLASSES)) {
            if (Files.isDirectory(classes.resolve(name.replace('.', '/')))) {
                for (Class<?> type : PublicSurface.types(classes, name, loader)) {
                    text.append(String.join("\n", PublicSurface.signatures(type))).append('\n');
                }
            }
        }
        return text.toString();
    }

    @Test
    void should_have_the_signatures_of_the_list_and_no_others() throws IOException {
        check(LIST, signatures(CLASSES, getClass().getClassLoader()));
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_22)
    void should_have_the_signatures_of_the_list_for_22_and_no_others() throws IOException {
        URL[] layer = {CLASSES_22.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(layer, getClass().getClassLoader())) {
            check(LIST_22, signatures(CLASSES_22, loader));
        }
    }

    // ---- the page ----

    private static String read(Path source) {
        try {
            return Files.readString(source);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** First sentence of the comment above a type, as Markdown; empty: there is none. */
    private static String sentence(String source, String simpleName) {
        Matcher comment = Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/\\s*"
                + "(?:@\\w+(?:\\([^)]*\\))?\\s+)*public"
                + "(?: (?:static|final|abstract|sealed|non-sealed))*"
                + " (?:class|record|enum|interface|@interface) " + simpleName + "\\b",
                Pattern.DOTALL).matcher(source);
        if (!comment.find()) {
            return "";
        }
        String text = comment.group(1).replaceAll("(?m)^\\s*\\*? ?", "").strip()
                .replaceFirst("(?s)\\n\\n.*", "").replaceFirst("(?s)\\n@.*", "")
                .replaceAll("\\s+", " ").replaceFirst("(?<=\\.) (?=[A-Z<{]).*", "");
        return text.replaceAll("\\{@code ([^}]*)}", "`$1`")
                .replaceAll("\\{@link #?([^}\\s]+)}", "`$1`")
                .replaceAll("\\{@\\w+ \\S+ ([^}]+)}", "$1")
                .replaceAll("</?em>", "*").replace('#', '.');
    }

    private static List<Described> types() {
        List<Described> all = new ArrayList<>();
        for (String name : PublicSurface.packages(CLASSES)) {
            for (Class<?> type : PublicSurface.types(
                    CLASSES, name, PublicSurfaceTest.class.getClassLoader())) {
                String top = type.getName().replaceFirst("\\$.*", "").replace('.', '/');
                all.add(new Described(type.getTypeName().replace('$', '.'),
                        SOURCES.resolve(top + ".java")));
            }
        }
        return all;
    }

    /** Sources of the layer of JDK 22, all of whose types are public. */
    private static List<Described> types22() throws IOException {
        TreeSet<String> names = new TreeSet<>();
        try (var files = Files.list(SOURCES_22.resolve("io/hayate"))) {
            files.forEach(file -> names.add(file.getFileName().toString().replace(".java", "")));
        }
        return names.stream().map(name -> new Described("io.hayate." + name,
                SOURCES_22.resolve("io/hayate/" + name + ".java"))).toList();
    }

    private static void section(StringBuilder page, String title, List<Described> types) {
        page.append("\n## ").append(title).append("\n\n| type | what it is |\n| --- | --- |\n");
        for (Described type : types) {
            String simple = type.name.replaceFirst("^[a-z.]+", "");
            String sentence = sentence(read(type.source), simple.replaceFirst(".*\\.", ""));
            assertTrue(!sentence.isEmpty(), type.name + " has no comment");
            page.append("| `").append(simple).append("` | ").append(sentence).append(" |\n");
        }
    }

    @Test
    void should_describe_every_public_type_on_the_page() throws IOException {
        StringBuilder page = new StringBuilder("""
                # Public types

                These are the public types: those in the exported packages of the module
                `io.hayate`. All other types are internal and may change at any time. Each sentence
                is the first sentence of the type's Javadoc. `src/test/resources/public-api.txt`
                lists all signatures. The test `PublicSurfaceTest` compares both with the code, and
                says how to update them.
                """);
        List<Described> all = types();
        section(page, "io.hayate", all.stream().filter(
                type -> type.name.matches("io\\.hayate\\.[A-Z].*(?<!Exception)")).toList());
        section(page, "io.hayate, exceptions", all.stream().filter(
                type -> type.name.matches("io\\.hayate\\.[A-Z].*Exception")).toList());
        section(page, "io.hayate, on JDK 22 and later", types22());
        for (String name : List.of("junit", "micrometer", "scalapack", "tasks", "testcontainers")) {
            section(page, "io.hayate." + name, all.stream().filter(
                    type -> type.name.startsWith("io.hayate." + name + ".")).toList());
        }
        check(PAGE, page.toString());
    }
}
