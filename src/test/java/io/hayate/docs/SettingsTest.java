// SPDX-License-Identifier: Apache-2.0
package io.hayate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.internal.bindings.SettingsBinding;
import io.hayate.internal.natives.NativeLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the tables of settings in the documents match the library: {@code settings_table.c}.
 * {@code -Dhayate.docs.write=true} rewrites them instead.
 */
class SettingsTest {
    private static final String MAN_BEGIN = ".\\\" settings: ";
    private static final String MAN_END = ".\\\" settings end";
    private static final String BEGIN = "<!-- settings: ";
    private static final String BEGIN_END = " -->";
    private static final String ALL = "all";
    private static final List<String> SHOWN_AS_THEY_ARE = List.of("name", "file", "options");

    /** A row of the table. */
    private record Row(String name, String property, String type, String fallback,
            String accepted, String reader, String meaning) {
        static Row of(int i) {
            return new Row(SettingsBinding.text(i, SettingsBinding.NAME),
                    SettingsBinding.text(i, SettingsBinding.PROPERTY),
                    SettingsBinding.text(i, SettingsBinding.TYPE),
                    SettingsBinding.text(i, SettingsBinding.DEFAULT),
                    SettingsBinding.text(i, SettingsBinding.ACCEPTED),
                    SettingsBinding.text(i, SettingsBinding.READER),
                    SettingsBinding.text(i, SettingsBinding.MEANING));
        }

        boolean isOfUsers() {
            return !type.equals("rank");
        }

        /** "-Dhayate.run" */
        String option() {
            return "-D" + property;
        }

        String title() {
            return name.isEmpty() ? option() : name;
        }

        /** What it may be, in a sentence; "" where the meaning says it. */
        String expected() {
            String text = accepted.replaceFirst(", such as .*", "");
            return SHOWN_AS_THEY_ARE.contains(type) ? "" : "Value: " + text + ". ";
        }

        /** The other way to set it, and its reader. */
        String beside() {
            return (property.isEmpty() || name.isEmpty() ? "" : " Also " + option() + ".")
                    + (reader.isEmpty() ? "" : " Read by " + reader + ".");
        }
    }

    private static List<Row> rows() {
        NativeLoader.load();
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < SettingsBinding.settingCount(); i++) {
            rows.add(Row.of(i));
        }
        return rows.stream().filter(Row::isOfUsers).toList();
    }

    /** Those that a marker names, in its order. */
    private static List<Row> chosen(String names) {
        List<Row> all = rows();
        if (names.equals(ALL)) {
            return all;
        }
        return Arrays.stream(names.split(" ")).map(name -> all.stream()
                .filter(row -> row.title().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no setting " + name))).toList();
    }

    // ---- manual ----

    private static String escaped(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-");
    }

    /** A sentence a line. */
    private static List<String> manual(String names) {
        List<String> lines = new ArrayList<>();
        for (Row row : chosen(names)) {
            lines.add(".TP");
            lines.add(".B " + escaped(row.title()));
            String text = row.expected() + "Default: " + row.fallback() + ". " + row.meaning()
                    + row.beside();
            lines.addAll(List.of(escaped(text).split("(?<=[.:]) (?=[A-Z])")));
        }
        return lines;
    }

    // ---- guide ----

    private static List<String> table(String names) {
        List<String> lines = new ArrayList<>();
        lines.add("| setting | default | |");
        lines.add("| --- | --- | --- |");
        for (Row row : chosen(names)) {
            lines.add("| `" + row.title() + "` | " + row.fallback().replace("$", "\\$") + " | "
                    + row.expected() + row.meaning() + row.beside().replace("-D", "`-D")
                            .replaceFirst("(`-D[^ ]*)\\.", "$1`.") + " |");
        }
        return lines;
    }

    // ---- blocks of documents ----

    /** The document with its blocks as they should be. */
    private static List<String> written(List<String> lines) {
        List<String> result = new ArrayList<>();
        String end = null;
        for (String line : lines) {
            if (end != null && line.equals(end)) {
                end = null;
            }
            if (end != null) {
                continue;
            }
            result.add(line);
            if (line.startsWith(MAN_BEGIN)) {
                end = MAN_END;
                result.addAll(manual(line.substring(MAN_BEGIN.length())));
            } else if (line.startsWith(BEGIN)) {
                end = "";
                result.addAll(table(line.substring(BEGIN.length(),
                        line.length() - BEGIN_END.length())));
            }
        }
        return result;
    }

    @ParameterizedTest
    @ValueSource(strings = {"man/hayate.1", "docs/guide/reference.md"})
    void should_list_settings_as_the_library_has_them(String name) throws IOException {
        Path path = Document.ROOT.resolve(name);
        List<String> lines = Files.readAllLines(path);
        List<String> expected = written(lines);
        assertTrue(lines.stream().anyMatch(line -> line.startsWith(MAN_BEGIN)
                || line.startsWith(BEGIN)), "no block of settings");
        if (Boolean.getBoolean("hayate.docs.write")) {
            Files.write(path, expected);
            return;
        }
        assertEquals(String.join("\n", expected), String.join("\n", lines),
                "mvn test -Dtest=SettingsTest -Dhayate.docs.write=true writes it");
    }

    @Test
    void should_notice_a_line_that_differs() {
        List<String> sound = written(List.of(BEGIN + "HAYATE_WAIT" + BEGIN_END, "", "end"));
        assertEquals(6, sound.size());
        String row = "| `HAYATE_WAIT` | adaptive | Value: one of adaptive, spin";
        assertTrue(sound.get(3).startsWith(row), sound.get(3));
        List<String> other = new ArrayList<>(sound);
        other.set(3, other.get(3).replace("adaptive", "spin"));
        assertEquals(sound, written(other));
        assertThrows(IllegalArgumentException.class,
                () -> written(List.of(BEGIN + "HAYATE_NOSUCH" + BEGIN_END)));
    }

    // ---- elsewhere ----

    /** The properties that Java code reads are in the table, and those of the table are read. */
    @Test
    void should_have_a_row_for_every_property_that_is_read() throws IOException {
        Set<String> read = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Document.ROOT.resolve("src/main/java"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
                java.util.regex.Pattern.compile("\"(hayate\\.(?!so)[a-z.]*[a-z])\"")
                        .matcher(Files.readString(file)).results()
                        .forEach(match -> read.add(match.group(1)));
            }
        }
        Set<String> known = new TreeSet<>();
        rows().forEach(row -> known.add(row.property()));
        known.removeIf(name -> name.isEmpty() || name.matches("hayate\\.coll\\.(?!rules).*"));
        assertEquals(known, read);
    }
}
