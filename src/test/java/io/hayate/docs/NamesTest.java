// SPDX-License-Identifier: Apache-2.0
package io.hayate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.docs.Document.Found;
import java.lang.reflect.Member;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that everything exists that documents, manual pages and comments name: targets of links,
 * files, settings, and identifiers in code style.
 */
class NamesTest {
    private static final String ENDINGS = "(?:c|h|md|sh|java|mk)";
    private static final Pattern FILE = Pattern.compile("(?<![\\w/.{<$-])(?:\\.\\./)?"
            + "((?:[\\w.-]+/)+[\\w.-]*\\w|[\\w-]+\\." + ENDINGS + ")(?![\\w/*{<$-])");
    private static final Pattern SETTING = Pattern.compile("\\b(HAYATE_[A-Z0-9_]*[A-Z0-9])\\b");
    /** camelCase, CamelCase, with_underscores: what no word of prose looks like. */
    private static final Pattern IDENTIFIER = Pattern.compile("(?<![\\w/.$-])"
            + "((?:[a-z]+[A-Z]|[A-Z][a-z0-9]+[A-Z]|[A-Za-z]+_)\\w*)(?![\\w-])");
    private static final Pattern OURS =
            Pattern.compile("\\b((?:hy|HY|hayate|HAYATE|fmpl|FMPL|pvas|PVAS|pcoll|ompl)_\\w+)\\b");
    private static final Pattern MEMBER = Pattern.compile("\\b([A-Z]\\w+\\.\\w+)\\b");

    /** Where a file that is named may lie. */
    private static final List<String> FOLDERS = List.of("", "src/main/c/", "src/test/c/",
            "src/main/c/include/", "src/main/fortran/", "src/main/java/io/hayate/", "docs/",
            "docs/guide/", "kernel-module/", "kernel-module/tests/", "src/bench/",
            "src/test/fuzz/");
    /** Files that scripts or readers make, or that a jar of others has. */
    private static final Set<String> OTHER_FILES = Set.of("table.md", "targets.md", "threads.md",
            "Ring.java", "src/main/java/Ring.java", "bin/hayate", "lib/hayate.jar",
            "com/sun/jna/linux-x86-64", "mpjrun.sh");
    /** Words of others, names of arguments, examples. */
    private static final Set<String> OTHER_WORDS = Set.of("ParallelGCThreads", "emptyDir",
            "byteBuffer", "memorySegment", "netsK", "hayate_binding_foo_bar",
            "StartFlightRecording", "UseSystemMemoryBarrier", "macOS", "seq_cst",
            "DisableExplicitGC", "pkey_alloc");

    private static final Pattern OTHER_LIBRARIES = Pattern.compile("(?i)(FI|IBV|MPIX?|PMIX?|UCX)_");

    private static final Sources SOURCES = new Sources();

    private static List<String> matches(Pattern pattern, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    /** Names in these lines that do not exist, a line each. */
    private static String missing(List<Found> lines, Pattern pattern, Predicate<String> exists) {
        List<String> missing = new ArrayList<>();
        for (Found line : lines) {
            for (String name : matches(pattern, line.text())) {
                if (!exists.test(name)) {
                    missing.add(line.say(name));
                }
            }
        }
        return String.join("\n", missing);
    }

    private static List<Found> manuals() {
        return Document.files(path -> path.startsWith("man")).stream().map(Document::load)
                .flatMap(page -> page.text().stream()).toList();
    }

    private static List<Found> text() {
        return Document.all().stream().flatMap(one -> one.text().stream()).toList();
    }

    private static List<Found> code() {
        return Document.all().stream().flatMap(one -> one.code().stream()).toList();
    }

    /** Without what belongs to the module, which names much of the kernel. */
    private static List<Found> ofTheRuntime(List<Found> all) {
        return all.stream().filter(one -> !one.path().startsWith("kernel-module")).toList();
    }

    private static List<Found> line(String text) {
        return List.of(new Found(Path.of("bad.md"), 7, text));
    }

    // ---- links ----

    private static String broken(Document document, Found link) {
        String[] parts = link.text().split("#", 2);
        Path target = parts[0].isEmpty() ? document.path
                : document.path.resolveSibling(parts[0]).normalize();
        if (parts[0].matches("\\w+://.*")) {
            return "";
        } else if (!parts[0].isEmpty() && !Files.exists(Document.ROOT.resolve(target))) {
            return link.say("no file " + target);
        }
        Document there = parts[0].isEmpty() || parts.length == 1 ? document : Document.load(target);
        return parts.length == 1 || there.anchors().contains(parts[1]) ? ""
                : link.say("no heading #" + parts[1] + " in " + target);
    }

    private static String broken(List<Document> documents) {
        List<String> problems = new ArrayList<>();
        documents.forEach(one -> one.links().forEach(link -> problems.add(broken(one, link))));
        problems.removeIf(String::isEmpty);
        return String.join("\n", problems);
    }

    @Test
    void should_link_to_files_and_headings_that_exist() {
        List<Document> documents = Document.all();
        assertTrue(documents.stream().mapToInt(one -> one.links().size()).sum() > 30);
        assertEquals("", broken(documents));
    }

    @Test
    void should_tell_which_link_is_broken() {
        Document bad = Document.of(Path.of("docs/bad.md"), List.of("# A heading, with `code`", "",
                "[a](nosuch.md) [b](#a-heading-with-code) [c](#b) [d](guide/README.md#guide)",
                "[e](guide/README.md#nosuch) [f](https://example.org/x)"));
        assertEquals("docs/bad.md:3: no file docs/nosuch.md\n"
                + "docs/bad.md:3: no heading #b in docs/bad.md\n"
                + "docs/bad.md:4: no heading #nosuch in docs/guide/README.md",
                broken(List.of(bad)));
    }

    // ---- files ----

    /** From the root or a folder above, alone, or as the program that a C test is. */
    private static boolean isFile(String name) {
        return SOURCES.files.contains(name) || OTHER_FILES.contains(name)
                || name.startsWith("target/") || isPlaceholder(name)
                || FOLDERS.stream().anyMatch(folder -> exists(folder + name)
                        || exists(folder + name + ".c"));
    }

    private static boolean exists(String path) {
        return Files.exists(Document.ROOT.resolve(path));
    }

    /** "adapters/NAME.sh", "X/y.c" */
    private static boolean isPlaceholder(String name) {
        return name.matches("(.*[/-])?[A-Z]+([/_.].*)?");
    }

    @Test
    void should_name_files_that_exist() {
        assertEquals("bad.md:7: choose/nosuch.h", missing(
                line("`choose/hint.h`, `choose/nosuch.h`"), FILE, NamesTest::isFile));
        assertEquals("", missing(ofTheRuntime(code()), FILE, NamesTest::isFile));
    }

    @Test
    void should_name_files_that_exist_in_comments() {
        assertTrue(SOURCES.comments.size() > 5000);
        assertEquals("", missing(ofTheRuntime(SOURCES.comments), FILE,
                name -> !name.matches(".*\\." + ENDINGS) || isFile(name)));
    }

    // ---- settings ----

    private static boolean isSetting(String name) {
        return SOURCES.settings.contains(name) || SOURCES.words.contains(name)
                || name.startsWith("HAYATE_COLL_");
    }

    @Test
    void should_name_settings_that_are_read() {
        assertEquals("bad.md:7: HAYATE_NOSUCH",
                missing(line("`HAYATE_HEAP`, `HAYATE_NOSUCH`"), SETTING, NamesTest::isSetting));
        assertEquals("", missing(text(), SETTING, NamesTest::isSetting));
        assertEquals("", missing(manuals(), SETTING, NamesTest::isSetting));
    }

    @Test
    void should_describe_every_setting_in_the_manuals() {
        Set<String> silent = new TreeSet<>(SOURCES.settings);
        assertTrue(silent.size() > 15, silent.toString());
        manuals().forEach(line -> silent.removeAll(matches(SETTING, line.text())));
        assertEquals(Set.of(), silent);
    }

    // ---- identifiers ----

    private static boolean isIdentifier(String name) {
        return SOURCES.words.contains(name) || OTHER_WORDS.contains(name)
                || SOURCES.files.stream().anyMatch(file -> file.contains(name))
                || OTHER_LIBRARIES.matcher(name).lookingAt() || name.startsWith("NAME_")
                || name.endsWith("_")
                        && SOURCES.words.stream().anyMatch(word -> word.startsWith(name));
    }

    @Test
    void should_name_identifiers_that_exist() {
        assertEquals("bad.md:7: irecvAny", missing(line("`irecv`, `waitAny`, `irecvAny`"),
                IDENTIFIER, NamesTest::isIdentifier));
        assertEquals("", missing(ofTheRuntime(code()), IDENTIFIER, NamesTest::isIdentifier),
                "no such identifier here; one of others belongs into OTHER_WORDS");
    }

    @Test
    void should_name_identifiers_that_exist_in_comments() {
        assertEquals("bad.md:7: HY_SPACE_PART", missing(line("HY_CAP_MAPPED, HY_SPACE_PART"), OURS,
                NamesTest::isIdentifier));
        assertEquals("", missing(SOURCES.comments, OURS, NamesTest::isIdentifier));
    }

    private static boolean isMember(String name) {
        String[] parts = name.split("\\.");
        for (String folder : List.of("io.hayate.", "io.hayate.junit.", "io.hayate.scalapack.",
                "io.hayate.tasks.", "io.hayate.testcontainers.")) {
            try {
                Class<?> type = Class.forName(folder + parts[0]);
                return Stream.of(type.getMethods(), type.getFields(), type.getClasses())
                        .flatMap(Stream::of).anyMatch(one -> nameOf(one).equals(parts[1]));
            } catch (ClassNotFoundException e) {
                continue;
            }
        }
        return true; // no class of ours, or one of a newer JDK
    }

    private static String nameOf(Object member) {
        return member instanceof Class ? ((Class<?>) member).getSimpleName()
                : ((Member) member).getName();
    }

    @Test
    void should_name_members_that_classes_have() {
        assertTrue(isMember("Fmpl.trim") && isMember("TaskGraph.CONTROL_BYTES"));
        assertFalse(isMember("Fmpl.Request"));
        assertEquals("", missing(code(), MEMBER, NamesTest::isMember));
    }
}
