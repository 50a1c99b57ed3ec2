// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.cli.Command;
import io.hayate.cli.output.Printable;
import io.hayate.internal.bindings.FlightBinding.Operation;
import io.hayate.internal.bindings.FlightBinding.View;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code hayate flight} prints of records, and of files that are none. */
class FlightCommandTest {
    private static final long NOW = 10_000_000_000L;

    @TempDir
    private Path directory;

    private static Operation operation(String kind, String collective, long took, int code,
            int peer, long place, long number) {
        return new Operation(4717, kind, collective, NOW - 4_100_000_000L, took, code, peer, place,
                8000, number, 0, took >= 0 ? "cma" : null);
    }

    private static View view(int rank, boolean lives, Operation... operations) {
        return new View(rank, 4, 4713 + rank, "node7", lives, false, NOW, NOW, 300, 0,
                List.of(operations));
    }

    private static String words(Operation operation) {
        return FlightWords.of(view(0, true), operation);
    }

    @Test
    void should_describe_operations_in_words() {
        assertEquals("send 8000 B to 2, mai 7, 1.2 us by cma",
                words(operation("send", null, 1230, 0, 2, 7, 0)));
        assertEquals("allreduce #17 of 8000 B: not ended, for 4.1 s",
                words(operation("collective", "allreduce", -1, 0, -1, 0, 17)));
        assertEquals("persistent bcast, run 3 of 8000 B, root 2, communicator 5: peer failed after"
                + " 12 ms", words(operation("persistent", "bcast", 12_000_000, -5, 2, 5, 3)));
        assertEquals("fetch on 1, offset 64, 870 ns by cma",
                words(operation("atomic", null, 870, 0, 1, 0, 64)));
        assertEquals("accumulate 8000 B to 1, offset 64, 870 ns by cma",
                words(operation("accumulate", null, 870, 0, 1, 0, 64)));
        assertEquals("wait for a message of any rank, one of several mais: not ended, for 4.1 s",
                words(operation("probe", null, -1, 0, -1, -1, 0)));
        assertEquals("put 8000 B and a flag to 1, offset 64: error -99 after 2.0 s",
                words(operation("flag", null, 2_000_000_000, -99, 1, 0, 64)));
    }

    @Test
    void should_show_the_last_operations_and_those_that_have_not_ended() {
        Operation waits = operation("receive", null, -1, 0, 1, 7, 0);
        Operation ended = operation("send", null, 5, 0, 1, 7, 0);
        View view = view(0, false, waits, ended, ended, ended);
        assertEquals(List.of(waits, ended), FlightReport.shown(view, 1));
        String text = FlightReport.text(List.of(view), 1);
        assertTrue(text.contains("2 of 300 operations\n"), text);
        assertTrue(text.contains("rank 0 of 4, process 4713 on node7: dead, last seen at "), text);
    }

    @Test
    void should_name_the_ranks_that_are_behind() {
        Operation first = operation("collective", "barrier", 5, 0, -1, 0, 17);
        Operation second = operation("collective", "allreduce", -1, 0, -1, 0, 18);
        Operation elsewhere = operation("collective", "allreduce", -1, 0, -1, 3, 99);
        assertEquals(List.of(
                "collectives on the world communicator, by the last one that a rank has reached:",
                "  barrier #17: rank 1 (ended); behind", "  allreduce #18: rank 0",
                "  none in the recorder: rank 2", "  not here: rank 3"),
                FlightProgress.of(List.of(view(0, true, first, second, elsewhere),
                        view(1, true, first), view(2, true, elsewhere))));
    }

    @Test
    void should_stay_within80_columns() {
        String text = FlightReport.text(List.of(view(1, false, operation("persistent",
                "reduce_scatter", 12_000_000_000L, -5, 1_000_000, 123_456, Long.MAX_VALUE))), 1);
        assertTrue(text.lines().allMatch(line -> line.length() <= 80), text);
    }

    @Test
    void should_not_follow_links_that_anybody_may_have_put() throws Exception {
        Path target = Files.createDirectory(directory.resolve("target"));
        Files.createFile(target.resolve("a\u001b[2J.flight"));
        Path link = Path.of("/tmp", "hayate-flight-4194301-link" + System.nanoTime());
        Files.createSymbolicLink(link, target);
        try {
            refuse("4194301", "no flight recorder of process 4194301");
        } finally {
            Files.delete(link);
        }
    }

    @Test
    void should_not_obey_what_others_wrote_in_names() {
        assertEquals("a?[2J? b?", Printable.of("a\u001b[2J\u009b b\u202e"));
    }

    private void refuse(String place, String why) {
        Command command = Command.here("flight", place);
        assertEquals(1, command.code(), command.err());
        assertTrue(command.err().startsWith("hayate flight: "), command.err());
        assertTrue(command.err().contains(why), command.err());
        assertEquals(1, command.err().lines().count(), command.err());
    }

    @Test
    void should_refuse_what_is_no_flight_recorder() throws Exception {
        Path file = directory.resolve("a.flight");
        refuse(file.toString(), "no such file, directory or number of a process");
        refuse(directory.toString(), "no files of flight recorders (*.flight) in this directory");
        refuse("2147483646", "no flight recorder of process 2147483646");
        refuse("99999999999999999999", "no such file, directory or number of a process");
        Files.createFile(file);
        refuse(file.toString(), "expected the file of a flight recorder");
        byte[] garbage = new byte[600_000];
        new Random(1).nextBytes(garbage);
        Files.write(file, garbage);
        refuse(directory.toString(), file + ": its first bytes are other ones");
        System.arraycopy("HYFLIGHT".getBytes(), 0, garbage, 0, 8);
        garbage[8] = 1;
        garbage[9] = garbage[10] = garbage[11] = 0;
        Files.write(file, garbage);
        refuse(file.toString(), "is damaged: its header has impossible contents");
    }
}
