// SPDX-License-Identifier: Apache-2.0
package linkage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import linkage.Spec.Line;
import linkage.Spec.Member;
import org.junit.jupiter.api.Test;

/**
 * Tests that class files of both dialects link: package mpi has every type and member of Open MPI's
 * binding and of mpiJava by exact descriptor. The files do not say what methods throw: MPIException
 * is unchecked here, and class files do not care.
 */
class DescriptorTest {
    private static final List<Line> OPEN_MPI = Spec.read("openmpi-5.0.txt");
    private static final List<Line> MPI_JAVA = Stream.of("mpijava-1.2.txt",
            "mpijava-inherited.txt").map(Spec::read).flatMap(List::stream).toList();

    /** Lines that need not hold, and why. */
    private static final Map<String, String> ALLOWED = Map.of(
            "Datatype | new()", "only MPJ Express itself extends its abstract class",
            "Datatype | abstract class implements Freeable", "may be final, as that of Open MPI",
            "Datatype | baseType : int", "may be final: to write it would break the datatype",
            "Comm | group : Group", "may be final: to write it would break the communicator",
            "Op | opCode : int", "may be final: to write it would break the operation");

    private static Stream<Line> both() {
        return Stream.of(OPEN_MPI, MPI_JAVA).flatMap(List::stream);
    }

    /** Returns what does not link and why: lines, or "Type | *" for a type that is not there. */
    static Map<String, String> missing() {
        Map<String, String> missing = new TreeMap<>();
        for (List<Line> dialect : List.of(OPEN_MPI, MPI_JAVA)) {
            Linker linker = new Linker(dialect);
            dialect.forEach(line -> {
                if (!Linker.exists(line.type())) {
                    missing.put(line.type() + " | *", "is not there");
                } else if (linker.problem(line) != null && !ALLOWED.containsKey(line.text())) {
                    missing.put(line.text(), linker.problem(line));
                }
            });
        }
        return missing;
    }

    @Test
    void should_have_allowed_members_that_may_only_be_final() throws ReflectiveOperationException {
        for (String line : ALLOWED.keySet()) {
            if (Spec.parse(line) instanceof Member member && member.isField()
                    && Linker.exists(member.type())) {
                assertEquals(Linker.classOf(member.result()), Linker.classOf(member.type())
                        .getField(member.name()).getType());
            }
        }
    }

    @Test
    void should_have_every_member_except_those_of_not_yet() throws IOException {
        Map<String, String> missing = missing();
        Set<String> expected = new TreeSet<>(notYet());
        Set<String> done = new TreeSet<>(expected);
        done.removeAll(missing.keySet());
        assertEquals(Set.of(), done, "these link now: remove them from not-yet.txt");
        missing.keySet().removeAll(expected);
        assertEquals(Map.of(), missing, "these do not link");
    }

    private static List<String> notYet() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                DescriptorTest.class.getResourceAsStream("/mpi/not-yet.txt"),
                StandardCharsets.UTF_8))) {
            return lines.lines().filter(line -> !line.startsWith("#")).toList();
        }
    }

    @Test
    void should_read_every_line() {
        assertEquals(List.of(41L, 26L, 539L, 167L), counts(OPEN_MPI));
        assertEquals(List.of(17L, 10L, 131L, 80L), counts(MPI_JAVA));
        assertEquals(44, both().map(Line::type).distinct().count());
    }

    /** Returns the numbers of types, constructors, methods and fields. */
    private static List<Long> counts(List<Line> lines) {
        List<Member> members = lines.stream().filter(Member.class::isInstance)
                .map(Member.class::cast).toList();
        long constructors = members.stream().filter(Member::isConstructor).count();
        long fields = members.stream().filter(Member::isField).count();
        return List.of(lines.stream().map(Line::type).distinct().count(), constructors,
                members.size() - constructors - fields, fields);
    }

    @Test
    void should_find_only_exact_descriptors() {
        assertNull(problem("Group | getSize() : int"));
        assertNotNull(problem("Group | getSize() : long"));
        assertNotNull(problem("Group | getSize(int) : int"));
        assertNotNull(problem("Group | getSize() : int static"));
        assertNotNull(problem("Group | compare(Group, Group) : int"));
        assertNotNull(problem("Group | members() : Members"));
        assertNotNull(problem("Group | new(int[], int)"));
        assertNull(problem("Group | code : int"));
        assertNotNull(problem("Group | code : long"));
        assertNotNull(problem("Group | code : int static"));
        assertNull(problem("Info | clone() : Info"));
        assertNull(problem("Info | clone() : Object"));
        assertNotNull(problem("Info | clone() : Cloneable"));
    }

    @Test
    void should_compare_declarations_of_types() {
        assertNull(problem("Info | final class implements Freeable, Cloneable"));
        assertNotNull(problem("Info | final class extends Group"));
        assertNotNull(problem("Info | interface"));
        assertNull(problem("Freeable | interface"));
        assertNotNull(problem("Members | final class"));
        assertNotNull(problem("NoSuchType | final class"));
    }

    private static String problem(String line, String... others) {
        return new Linker(Stream.of(others).map(Spec::parse).toList()).problem(Spec.parse(line));
    }

    @Test
    void should_let_programs_extend_what_the_binding_lets_them_extend() {
        assertNotNull(problem("Info | class", "Info | class", "Info | new()"));
        assertNull(problem("Info | class", "Info | final class", "Info | new()"));
        assertNull(problem("Info | class", "Info | class"));
        assertNotNull(problem("Group | getSize() : int", "Group | new()"));
        assertNull(problem("Group | getSize() : int final", "Group | new()"));
        assertNull(problem("Group | finalize() : void", "Group | new()"));
    }

    @Test
    void should_list_where_the_dialects_differ_in_a_type_only() {
        Map<String, Set<String>> results = both().filter(Member.class::isInstance)
                .map(Member.class::cast).filter(member -> !member.isConstructor())
                .collect(Collectors.groupingBy(
                        member -> member.type() + "." + member.name() + member.parameters(),
                        TreeMap::new,
                        Collectors.mapping(Member::result, Collectors.toCollection(TreeSet::new))));
        results.values().removeIf(types -> types.size() == 1);
        assertEquals(Map.of("Comm.clone[]", Set.of("Comm", "Object"),
                "Intercomm.clone[]", Set.of("Intercomm", "Object"),
                "Intracomm.clone[]", Set.of("Intracomm", "Object"),
                "MPI.COMM_SELFnull", Set.of("Comm", "Intracomm")), results);
    }
}
