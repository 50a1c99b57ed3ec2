// SPDX-License-Identifier: Apache-2.0
package io.hayate.docs;

import io.hayate.docs.Document.Found;
import io.hayate.internal.bindings.SettingsBinding;
import io.hayate.internal.natives.NativeLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of this checkout other than documents: names of files, words of code, comments. */
final class Sources {
    /** They name what does not exist. */
    private static final Path THESE_TESTS = Path.of("src/test/java/io/hayate/docs");
    private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");

    /** Names of files, documents too, without their folders. */
    final Set<String> files = new HashSet<>();
    /** Every identifier, key word and word of a string; in C and Java none of a comment. */
    final Set<String> words = new HashSet<>();
    /** Environment variables that are read, and those that are told to ranks. */
    final Set<String> settings = new TreeSet<>();
    /** Lines of the comments of C and Java. */
    final List<Found> comments = new ArrayList<>();

    Sources() {
        NativeLoader.load();
        for (int i = 0; i < SettingsBinding.settingCount(); i++) {
            settings.add(SettingsBinding.text(i, SettingsBinding.NAME));
        }
        settings.remove("");
        Document.files(path -> true).forEach(path -> files.add(path.getFileName().toString()));
        for (Path path : Document.files(Sources::isSource)) {
            String name = path.getFileName().toString();
            words.add(name.replaceFirst("\\.\\w+$", ""));
            words.add(name.replaceFirst("_test\\.c$", ""));
            read(path, name.matches(".*\\.([ch]|java)"));
        }
    }

    private static boolean isSource(Path path) {
        String name = path.toString();
        return name.matches("(src|scripts|kernel-module|\\.ci)/.*|pom.xml|Dockerfile")
                && !name.endsWith(".md") && !name.contains("/seeds/")
                && !path.startsWith(THESE_TESTS);
    }

    private void read(Path path, boolean hasComments) {
        StringBuilder code = new StringBuilder();
        int number = 0;
        boolean inside = false;
        for (String line : Document.lines(path)) {
            number++;
            if (hasComments) {
                StringBuilder comment = new StringBuilder();
                inside = split(line, inside, code, comment);
                if (comment.length() > 0) {
                    comments.add(new Found(path, number, comment.toString()));
                }
            } else {
                code.append(line);
            }
            code.append('\n');
        }
        Matcher word = WORD.matcher(code);
        while (word.find()) {
            words.add(word.group());
        }
    }

    /** Deals a line out; whether the next begins inside of a comment. */
    private static boolean split(String line, boolean inside, StringBuilder code,
            StringBuilder comment) {
        int at = 0;
        while (at < line.length()) {
            int end;
            if (inside) {
                end = line.indexOf("*/", at);
                comment.append(line, at, end < 0 ? line.length() : end);
                at = end < 0 ? line.length() : end + 2;
                inside = end < 0;
            } else if (line.startsWith("//", at)) {
                comment.append(line, at, line.length());
                at = line.length();
            } else if (line.startsWith("/*", at)) {
                inside = true;
                at += 2;
            } else {
                end = line.charAt(at) == '"' ? endOfString(line, at) : at + 1;
                code.append(line, at, end);
                at = end;
            }
        }
        return inside;
    }

    private static int endOfString(String line, int from) {
        int at = from + 1;
        while (at < line.length() && line.charAt(at) != '"') {
            at += line.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, line.length());
    }
}
