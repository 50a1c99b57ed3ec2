// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.cli.run.Launcher;
import io.hayate.docs.Document;
import io.hayate.docs.Document.Found;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Tests that the command line accepts what documents, man pages and help texts say. */
class DocumentedCommandsTest {
    private static final Path MANUAL = Path.of("man/hayate.1");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--?[a-z][a-z-]*");
    private static final Pattern COMMAND = Pattern.compile("(?:^|[\\s`\"])(?:scripts/)?hayate"
            + " ((?:run|info|doctor|perf|stat|explain|tune)\\b[^`\"]*)");
    private static final CommandLine LINE = Main.commandLine();
    private static final Map<String, String> PLACEHOLDERS = Map.of("PID", "4", "N", "4",
            "SIZE", "4", "COLLECTIVE", "bcast", "BENCH", "pingpong");
    private static final Set<String> COMMON = Set.of("-h", "--help", "-V", "--version");

    private static String helpOfRun() throws Exception {
        Process run = new ProcessBuilder(System.getProperty(Launcher.PROPERTY), "--help").start();
        String out = new String(run.getInputStream().readAllBytes());
        assertEquals("", new String(run.getErrorStream().readAllBytes()));
        assertTrue(run.waitFor(120, TimeUnit.SECONDS));
        assertEquals(0, run.exitValue());
        return out;
    }

    private static Set<String> options(String text) {
        Set<String> options = new TreeSet<>();
        Matcher matcher = OPTION.matcher(text);
        while (matcher.find()) {
            options.add(matcher.group());
        }
        return options;
    }

    private static CommandLine command(String name) {
        CommandLine line = LINE;
        for (String word : name.isBlank() ? new String[0] : name.split(" ")) {
            line = line.getSubcommands().get(word);
        }
        return line;
    }

    /** Of every command, by its name without "hayate". */
    private static Map<String, Set<String>> optionsOfCommands() throws Exception {
        Map<String, Set<String>> all = new TreeMap<>();
        for (String name : MainTest.commands()) {
            CommandLine line = command(name);
            Set<String> options = new TreeSet<>();
            for (OptionSpec option : line.getCommandSpec().options()) {
                options.addAll(option.hidden() ? List.of() : List.of(option.names()));
            }
            all.put(name.strip(), options);
        }
        Set<String> run = new TreeSet<>();
        helpOfRun().lines().filter(line -> line.startsWith("  -"))
                .flatMap(line -> Stream.of(line.strip().split("  ")[0].split(", ")))
                .forEach(option -> run.add(option.split("[ =]")[0]));
        all.put("run", run);
        return all;
    }

    /** Why the words behind "hayate" are no command line; "" when they are one. */
    private static String check(String text, Map<String, Set<String>> options) {
        String line = text.replaceAll("\\s+(#|\\s).*", "").replaceAll("[.,;:)]*$", "")
                .replaceAll("\\$\\([^)]*\\)", "PID");
        return line.startsWith("run") ? checkRun(line, options.get("run"), options)
                : parse(line.split(" "));
    }

    private static String checkRun(String line, Set<String> own, Map<String, Set<String>> options) {
        String[] parts = line.split(" --(?= |$)", 2);
        for (String word : parts[0].split(" ")) {
            if (word.startsWith("-") && !own.contains(word)) {
                return "no option " + word;
            }
        }
        Matcher inner = COMMAND.matcher(parts.length > 1 ? parts[1] : "");
        return inner.find() ? check(inner.group(1), options) : "";
    }

    private static String parse(String... words) {
        String[] all = Arrays.stream(words).filter(word -> !word.equals("..."))
                .map(word -> PLACEHOLDERS.getOrDefault(word, word)).toArray(String[]::new);
        try {
            LINE.parseArgs(all);
            return "";
        } catch (MissingParameterException e) {
            return ""; // the command is only named
        } catch (ParameterException e) {
            return e.getMessage();
        }
    }

    private static List<Found> textOfDocumentsAndManuals() {
        List<Found> text = new ArrayList<>();
        Document.all().forEach(document -> text.addAll(document.text()));
        for (Path page : Document.files(path -> path.startsWith("man"))) {
            for (Found line : Document.load(page).text()) {
                String plain = line.text().replace("\\-", "-").replaceAll("^\\.\\w+ ", "");
                text.add(new Found(page, line.line(), plain));
            }
        }
        return text;
    }

    private static String problems(List<Found> text, Map<String, Set<String>> options) {
        List<String> problems = new ArrayList<>();
        for (Found line : text) {
            Matcher matcher = COMMAND.matcher(line.text());
            while (matcher.find()) {
                String command = matcher.group(1).strip();
                String problem = isProse(line, matcher) ? "" : check(command, options);
                if (!problem.isEmpty()) {
                    problems.add(line.say("hayate " + command + ": " + problem));
                }
            }
        }
        return String.join("\n", problems);
    }

    /** A sentence about a command, not a line to type: outside of backquotes and of a block. */
    private static boolean isProse(Found line, Matcher matcher) {
        char before = line.text().charAt(matcher.start());
        boolean block = line.text().startsWith("    ") || line.text().startsWith("  hayate");
        return before != '`' && before != '"' && !block;
    }

    @Test
    void should_understand_every_command_of_the_documents() throws Exception {
        List<Found> text = textOfDocumentsAndManuals();
        assertTrue(text.stream().filter(line -> COMMAND.matcher(line.text()).find()).count() > 40);
        assertEquals("", problems(text, optionsOfCommands()));
    }

    @Test
    void should_tell_which_command_is_wrong() throws Exception {
        Path bad = Path.of("bad.md");
        List<Found> text = List.of(new Found(bad, 1, "`hayate perf pingpong --bites 8`, and"),
                new Found(bad, 2, "    scripts/hayate run -n 4 --bond core -- java X   # 4 ranks"),
                new Found(bad, 3, "    hayate run -n 4 -- hayate info --jso"),
                new Found(bad, 4, "`hayate stat PID`, `hayate tune --quick`: fine"));
        String problems = problems(text, optionsOfCommands());
        assertEquals(3, problems.lines().count(), problems);
        assertTrue(problems.contains("bad.md:1") && problems.contains("--bites"), problems);
        assertTrue(problems.contains("bad.md:2") && problems.contains("--bond"), problems);
        assertTrue(problems.contains("bad.md:3") && problems.contains("--jso"), problems);
    }

    @Test
    void should_parse_the_examples_of_every_help() throws Exception {
        Map<String, Set<String>> options = optionsOfCommands();
        int examples = 0;
        for (String name : MainTest.commands()) {
            CommandLine line = command(name);
            for (String example : line.getCommandSpec().usageMessage().footer()) {
                Matcher matcher = COMMAND.matcher(example);
                while (matcher.find()) {
                    assertEquals("", check(matcher.group(1), options), example);
                    examples++;
                }
            }
        }
        assertTrue(examples > 20, examples + " examples");
    }

    /** Text of the manual page below ".SS hayate COMMAND". */
    private static Map<String, String> sectionsOfTheManual() {
        Map<String, String> sections = new TreeMap<>();
        String at = null;
        for (String line : Document.lines(MANUAL)) {
            if (line.startsWith(".SS ") || line.startsWith(".SH ")) {
                at = line.startsWith(".SS hayate ") ? line.substring(".SS hayate ".length()) : null;
            } else if (at != null) {
                sections.merge(at, line.replace("\\-", "-"), (all, more) -> all + "\n" + more);
            }
        }
        return sections;
    }

    /** Options that an entry of a list begins with. */
    private static Set<String> described(String section) {
        Set<String> options = new TreeSet<>();
        String[] lines = section.split("\n");
        for (int i = 1; i < lines.length; i++) {
            if (lines[i - 1].equals(".TP")) {
                options.addAll(options(lines[i]));
            }
        }
        return options;
    }

    @Test
    void should_describe_every_option_in_the_manual_and_no_other() throws Exception {
        Map<String, String> manual = sectionsOfTheManual();
        List<String> problems = new ArrayList<>();
        optionsOfCommands().forEach((command, options) -> {
            if (!command.isEmpty()) {
                Set<String> own = new TreeSet<>(options);
                own.removeAll(COMMON);
                if (!own.equals(described(manual.getOrDefault(command, "")))) {
                    problems.add(command + ": " + own + " in the help, "
                            + described(manual.getOrDefault(command, "")) + " in the manual");
                }
            }
        });
        assertEquals("", String.join("\n", problems));
    }
}
