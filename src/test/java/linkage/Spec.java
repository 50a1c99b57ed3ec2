// SPDX-License-Identifier: Apache-2.0
package linkage;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines of a file that lists the visible types and members of a Java binding of MPI. */
final class Spec {
    private static final Pattern TYPE = Pattern.compile("(\\S+) \\| ((?:final |abstract )*)"
            + "(class|interface)(?: extends (\\S+))?(?: implements ([\\w, ]+?))?\\s*");
    private static final Pattern MEMBER = Pattern.compile("(\\S+) \\| (\\w+)(?:\\((.*?)\\))?"
            + "(?: : (\\S+))?((?: static| final| protected| abstract)*)");

    private Spec() {
    }

    /** A line: it says what a type, or a member of it, is. */
    sealed interface Line permits Type, Member {
        /** The name of the type. */
        String type();

        /** The line as it is in the file. */
        String text();
    }

    /** A class or interface; above: its superclass and interfaces. */
    record Type(String text, String type, boolean isInterface, Set<String> flags,
            List<String> above) implements Line {
    }

    /** A constructor (name new), a method, or a field, which has no parameters, not even none. */
    record Member(String text, String type, String name, List<String> parameters, String result,
            Set<String> flags) implements Line {
        boolean isField() {
            return parameters == null;
        }

        boolean isConstructor() {
            return name.equals("new");
        }

        boolean is(String flag) {
            return flags.contains(flag);
        }
    }

    /** Returns all lines of a resource. */
    static List<Line> read(String resource) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Spec.class.getResourceAsStream("/mpi/" + resource), StandardCharsets.UTF_8))) {
            return lines.lines().filter(line -> !line.startsWith("#")).map(Spec::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Line parse(String text) {
        Matcher type = TYPE.matcher(text);
        if (type.matches()) {
            return new Type(text.strip(), type.group(1), type.group(3).equals("interface"),
                    Set.copyOf(words(type.group(2), " ")),
                    words((type.group(4) == null ? "" : type.group(4) + ", ")
                            + (type.group(5) == null ? "" : type.group(5)), ", "));
        }
        Matcher member = MEMBER.matcher(text);
        if (!member.matches()) {
            throw new IllegalArgumentException("neither a type nor a member: " + text);
        }
        return new Member(text, member.group(1), member.group(2),
                member.group(3) == null ? null : words(member.group(3), ", "), member.group(4),
                Set.copyOf(words(member.group(5).strip(), " ")));
    }

    private static List<String> words(String text, String between) {
        return text.isEmpty() ? List.of() : List.of(text.split(between));
    }
}
