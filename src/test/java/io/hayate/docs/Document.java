// SPDX-License-Identifier: Apache-2.0
package io.hayate.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Markdown file of this checkout: its code blocks, links, headings and words in code style. Only
 * as much Markdown is understood as is written here.
 */
public final class Document {
    /** Tests run in the root of the checkout. */
    public static final Path ROOT = Path.of("").toAbsolutePath();

    private static final Pattern FENCE = Pattern.compile("^```(\\w*)$");
    private static final Pattern HEADING = Pattern.compile("^#+ (.*)$");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    final Path path;
    private final List<Block> blocks = new ArrayList<>();
    private final Map<Integer, String> prose = new HashMap<>();

    /**
     * A block of code.
     *
     * @param language behind the three backquotes; "indented" for a block that has none
     * @param line of its first line of code, from 1
     * @param code its text
     * @param context what a comment directly above says: {@code <!-- java: int n; -->}, or ""
     */
    public record Block(Document document, String language, int line, String code,
            String context) { }

    /** Text found on a line, from 1. */
    public record Found(Path path, int line, String text) {
        public String say(String problem) {
            return path + ":" + line + ": " + problem;
        }
    }

    private Document(Path path, List<String> lines) {
        this.path = path;
        read(lines);
    }

    public static Document of(Path path, List<String> lines) {
        return new Document(path, lines);
    }

    /** The Javadoc of a source, as if it were Markdown; its lines keep their numbers. */
    static Document ofJavadoc(Path path) {
        return new Document(path, lines(path).stream().map(Document::javadoc).toList());
    }

    private static String javadoc(String line) {
        String text = line.replaceFirst("^ *\\* ?", "");
        return text.equals(line) ? "" : text.replaceFirst("^<pre>\\{@code$", "```java")
                .replaceFirst("^\\}</pre>$", "```");
    }

    /** All Markdown files, but for those that a build or a tool leaves. */
    public static List<Document> all() {
        return files(path -> path.toString().endsWith(".md")).stream().map(Document::load).toList();
    }

    /** Files of the checkout, relative to {@link #ROOT}, without what a build makes. */
    public static List<Path> files(Predicate<Path> wanted) {
        List<Path> found = new ArrayList<>();
        for (String top : List.of("src", "docs", "man", "scripts", "kernel-module", ".ci")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(top))) {
                files.filter(Files::isRegularFile).map(ROOT::relativize).filter(wanted)
                        .forEach(found::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        try (Stream<Path> files = Files.list(ROOT)) {
            files.filter(Files::isRegularFile).map(ROOT::relativize).filter(wanted)
                    .forEach(found::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    public static Document load(Path path) {
        return new Document(path, lines(path));
    }

    public static List<String> lines(Path path) {
        try {
            return Files.readAllLines(ROOT.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(List<String> lines) {
        String context = "";
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            int end = i;
            if (fence.matches()) {
                end = next(lines, i + 1, line -> line.equals("```"));
                add(fence.group(1), lines, i + 1, end, context);
            } else if (lines.get(i).startsWith("<!--")) {
                end = next(lines, i, line -> line.endsWith("-->"));
                context = String.join("\n", lines.subList(i, end + 1));
                i = end;
                continue;
            } else if (lines.get(i).startsWith("    ") && i > 0 && lines.get(i - 1).isEmpty()) {
                end = next(lines, i, line -> !line.startsWith("    ")) - 1;
                add("indented", lines, i, end + 1, "");
            } else {
                prose.put(i + 1, lines.get(i));
            }
            context = "";
            i = end;
        }
    }

    private void add(String language, List<String> lines, int from, int to, String comment) {
        String mark = "<!-- " + language + ":";
        String context = comment.startsWith(mark)
                ? comment.substring(mark.length(), comment.length() - "-->".length()) : "";
        blocks.add(new Block(this, language, from + 1,
                String.join("\n", lines.subList(from, to)), context.strip()));
    }

    /** The next line that ends something; past the last when nothing does. */
    private static int next(List<String> lines, int from, Predicate<String> ends) {
        int at = from;
        while (at < lines.size() && !ends.test(lines.get(at))) {
            at++;
        }
        return at;
    }

    /** Blocks of code in this language. */
    public List<Block> blocks(String language) {
        return blocks.stream().filter(block -> block.language.equals(language)).toList();
    }

    private List<Found> matches(Pattern pattern) {
        List<Found> found = new ArrayList<>();
        prose.forEach((line, text) -> {
            Matcher matcher = pattern.matcher(text);
            while (matcher.find()) {
                found.add(new Found(path, line, matcher.group(1)));
            }
        });
        return found;
    }

    /** Targets of links. */
    List<Found> links() {
        return matches(LINK);
    }

    /** Text between backquotes, without the blocks. */
    public List<Found> code() {
        return matches(CODE);
    }

    /** Every line, code and comments too. */
    public List<Found> text() {
        List<Found> found = new ArrayList<>();
        List<String> lines = lines(path);
        for (int i = 0; i < lines.size(); i++) {
            found.add(new Found(path, i + 1, lines.get(i)));
        }
        return found;
    }

    /** Where "#..." may lead, as GitHub makes it of the headings. */
    Set<String> anchors() {
        Set<String> anchors = new HashSet<>();
        for (Found heading : matches(HEADING)) {
            String anchor = heading.text.toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
            for (int i = 1; !anchors.add(anchor); i++) {
                anchor = anchor.replaceFirst("(-\\d+)?$", "-" + i);
            }
        }
        return anchors;
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
