// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.cli.Command;
import io.hayate.conformance.FlightMain;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.RunningJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The flight recorders of jobs that succeed, and of one whose rank is killed. */
class FlightIT {
    private static final int RANKS = 3;

    @TempDir
    private Path place;

    private Launch launch(String... arguments) {
        return Launch.of(FlightMain.class, arguments).ranks(RANKS).unchecked()
                .environment("HAYATE_FLIGHT", place.toString());
    }

    private List<String> left() throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.map(Path::toString).toList();
        }
    }

    @Test
    void should_leave_nothing_if_the_job_succeeds() throws Exception {
        launch().start().finish().good();
        assertEquals(List.of(), left());
        Launch.of(FlightMain.class).ranks(0).unchecked() // each rank removes its own
                .environment("HAYATE_FLIGHT", place.toString()).start().finish().good();
        assertEquals(List.of(), left());
    }

    /** The ranks wait for the victim, and are looked at while they do. */
    @Test
    void should_show_what_a_killed_rank_did_last() throws Exception {
        RunningJob job = launch("hang").start();
        try {
            look(job);
        } finally { // of a failure: the job would wait for ever
            ProcessHandle.of(job.pid()).ifPresent(ProcessHandle::destroy);
        }
    }

    private void look(RunningJob job) throws Exception {
        long victim = Long.parseLong(job.await("victim (\\d+)", 1).get(0));
        String all = awaitWaits(Long.toString(job.pid()));
        Command above = Command.here("flight", Long.toString(ProcessHandle.current().pid()));
        assertTrue(above.out().contains("rank 1 of 3, process " + victim + " on "), above.err());
        RunningJob.signal("KILL", victim);
        Outcome outcome = job.finish();
        assertEquals(137, outcome.exit(), outcome::describe);
        List<String> directories = left();
        assertEquals(1, directories.size());
        String told = "hayate: what the ranks did last: hayate flight " + directories.get(0);
        assertTrue(outcome.err().contains(told), outcome::describe);

        assertTrue(all.contains("rank 1 of 3, process " + victim + " on "), all);
        assertTrue(all.contains(": in the job; "), all);
        Command dead = Command.here("flight", directories.get(0));
        assertEquals(0, dead.code(), dead.err());
        String out = dead.out();
        assertTrue(out.lines().allMatch(line -> line.length() <= 80), out);
        assertTrue(out.contains("rank 1 of 3, process " + victim + " on "), out);
        assertTrue(out.contains(": dead, last seen at "), out);
        assertTrue(out.contains("  init, "), out);
        assertTrue(out.contains("  set-up with all ranks, "), out);
        assertTrue(out.contains("  send 8 B to 2, mai 3, "), out);
        assertTrue(out.contains("  receive up to 8 B from 0, mai 3, "), out);
        assertTrue(out.contains("  receive up to 80000 B from 0, mai 4, "), out);
        assertTrue(out.contains("  allreduce #1 of 8 B, "), out);
        assertTrue(out.contains("  receive up to 8 B from 0, mai 5: not ended, for "), out);
        assertTrue(out.contains("  allreduce #1: rank 1 (ended); behind\n"), out);
        assertTrue(out.contains("  barrier #2: rank 0 (ended), 2 (ended)\n"), out);

        Command one = Command.here("flight", Long.toString(victim), "--last", "1", "--json");
        assertTrue(one.err().contains("no flight recorder of process " + victim), one.err());
    }

    /** What {@code hayate flight PID} shows of hayate run, as soon as two ranks wait in barrier. */
    private static String awaitWaits(String pid) {
        Command command;
        do {
            command = Command.here("flight", pid);
            assertEquals(0, command.code(), command.err());
        } while (command.out().split("barrier #2: not ended", -1).length < RANKS
                || !command.out().contains("mai 5: not ended"));
        return command.out();
    }
}
