// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.ArgumentException;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Ompl;
import io.hayate.OmplPiece;
import io.hayate.Span;
import io.hayate.cli.Command;
import io.hayate.cli.job.JobCounters;
import io.hayate.cli.output.Scaled;
import io.hayate.cli.run.Launcher;
import io.hayate.internal.bindings.DelegationBinding;
import java.io.BufferedReader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatCommandTest {
    private static final String PID = String.valueOf(ProcessHandle.current().pid());

    @Test
    void should_read_the_counters_of_another_process() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            HeapSpan span = job.allocate(64);
            for (int i = 0; i < 5; i++) {
                fmpl.isend(span, 0, 1);
                fmpl.recv(span, 0, 1);
            }
            Command command = Command.run("stat", PID, "--json");
            assertEquals(0, command.code(), command.err());
            JsonObject line = JsonParser.parseString(command.out()).getAsJsonObject();
            assertEquals(0, line.get("rank").getAsInt());
            assertEquals(PID, line.get("pid").getAsString());
            assertEquals("joined", line.get("state").getAsString());
            assertEquals(5, line.get("sent").getAsLong());
            assertEquals(5, line.get("received").getAsLong());
            assertEquals(320, line.get("bytes_sent").getAsLong());
            assertFalse(line.has("sent_per_s"));
        }
    }

    /** As of {@code java -jar ...-cli.jar run}, and of a shell. */
    @Test
    void should_find_the_job_below_the_process_that_has_started_it() throws Exception {
        Command one = below("\"$0\" -n 2 -- sh -c 'echo up >&2; sleep 60'; true", 2);
        assertEquals(0, one.code(), one.err());
        assertEquals(2, one.out().lines().filter(line -> line.matches(" *[01] .*expected.*"))
                .count(), one.out());
        Command two = below("for i in 1 2; do \"$0\" -n 1 -- sh -c 'echo up >&2; sleep 60' & done;"
                + " wait", 2);
        assertEquals(1, two.code(), two.out());
        assertTrue(two.err().matches("hayate stat: several processes below process \\d+ are in a"
                + " Hayate job: give one of \\[\\d+, \\d+]\n"), two.err());
    }

    /** Looks at a shell, when the processes that it has started have said so. */
    private static Command below(String script, int processes) throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", script,
                System.getProperty(Launcher.PROPERTY)).start();
        try (BufferedReader lines = shell.errorReader()) {
            for (int i = 0; i < processes; i++) {
                assertEquals("up", lines.readLine());
            }
            return Command.here("stat", String.valueOf(shell.pid()));
        } finally {
            shell.children().forEach(ProcessHandle::destroy);
            shell.destroy();
        }
    }

    @Test
    void should_tell_what_eager_buffers_take() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            HeapSpan span = job.allocate(3000);
            for (int i = 0; i < 8; i++) {
                fmpl.send(span, 0, 1);
            }
            assertEquals(8 * 4096, eagerHeld());
            for (int i = 0; i < 8; i++) {
                fmpl.recv(span, 0, 1);
            }
            assertEquals(8 * 4096, fmpl.trim());
            assertEquals(0, eagerHeld());
        }
    }

    private static long eagerHeld() {
        return counters().get("eager_held").getAsLong();
    }

    private static JsonObject counters() {
        Command command = Command.run("stat", PID, "--json");
        assertEquals(0, command.code(), command.err());
        return JsonParser.parseString(command.out()).getAsJsonObject();
    }

    @Test
    void should_count_what_the_global_space_does() {
        try (Hayate job = Hayate.init(); Ompl ompl = Ompl.open(job, 4096)) {
            assertFalse(Command.run("stat", PID).out().contains("bytes_put"));
            Span span = Span.of(new byte[100]);
            ompl.put(span, 0, 0);
            ompl.putStart(Span.of(ByteBuffer.allocateDirect(8)), 0, 0);
            ompl.putVector(0, List.of(new OmplPiece(span, 0), new OmplPiece(span, 200)));
            ompl.putSignal(span, 0, 0, 1024, 1);
            ompl.putWord(0, 1024);
            ompl.get(span, 0, 0);
            ompl.fetchAdd(0, 2048, 1);
            ompl.put(Span.of(new byte[0]), 0, 0);
            assertThrows(ArgumentException.class, () -> ompl.put(span, 0, 4000));
            assertThrows(ArgumentException.class, () -> ompl.putWord(0, 5));
            JsonObject seen = counters();
            assertEquals(5, seen.get("puts").getAsLong());
            assertEquals(408, seen.get("bytes_put").getAsLong());
            assertEquals(1, seen.get("gets").getAsLong());
            assertEquals(100, seen.get("bytes_got").getAsLong());
            assertEquals(2, seen.get("flags").getAsLong());
            assertEquals(1, seen.get("atomics").getAsLong());
            assertTrue(Command.run("stat", PID).out().contains("bytes_put"));
        }
    }

    @Test
    void should_give_rates_from_the_second_look_on() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            fmpl.barrier();
            Command command = Command.run("stat", PID, "--json", "--watch", "0.05", "--count", "3");
            assertEquals(0, command.code(), command.err());
            String[] lines = command.out().split("\n");
            assertEquals(3, lines.length);
            JsonObject last = JsonParser.parseString(lines[2]).getAsJsonObject();
            assertTrue(last.get("seconds").getAsDouble() >= 0.1);
            assertEquals(0.0, last.get("sent_per_s").getAsDouble());
        }
    }

    @Test
    void should_find_the_job_by_its_launcher() throws Exception {
        Command ranks = Command.run("run", "-n", "2", "--", "sh", "-c",
                "exec " + String.join(" ", Command.words(List.of())) + " stat $PPID");
        assertEquals(0, ranks.code(), ranks.err());
        assertTrue(ranks.out().contains("expected"), ranks.out());
    }

    @Test
    void should_compute_rates_from_differences() {
        StatReport report = new StatReport(List.of("sent", "bytes_sent", "eager_held"));
        String first = report.look(List.of(rank(10, 1_000_000)), 0, false);
        String second = report.look(List.of(rank(30, 9_000_000)), 2_000_000_000L, false);
        assertEquals("rank  pid  state   sent  bytes_sent\n"
                + "   0    7  joined    10       1.00M\n", first);
        assertEquals("\nafter 2.0 s\n"
                + "rank  pid  state   sent  bytes_sent\n"
                + "   0    7  joined    30       9.00M\n"
                + "per second\n"
                + "rank  sent  bytes_sent\n"
                + "   0  10.0       4.00M\n", second);
    }

    /** A rank that has used everything, for a long time. */
    @Test
    void should_keep_to80_columns() {
        try (Hayate job = Hayate.init(); JobCounters counters = JobCounters.of(
                ProcessHandle.current().pid())) {
            Map<String, Long> full = counters.names().stream()
                    .collect(Collectors.toMap(name -> name, name -> Long.MAX_VALUE));
            StatTable table = new StatTable(counters.names(), true);
            table.add(new JobCounters.Rank(1_048_575, 4_194_304, "dead", 265, full),
                    name -> Scaled.of(full.get(name)));
            String text = table.toString();
            text.lines().forEach(line -> assertTrue(line.length() <= 80, line));
            counters.names().forEach(name -> assertTrue(text.contains(" " + name), name));
            assertTrue(text.contains("  9.22E"), text);
            assertEquals(0, job.rank());
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0.0", "9999, 9999, 9999.0", "10000, 10.0k, 10.0k", "12345, 12.3k, 12.3k",
        "99949, 99.9k, 99.9k", "99951, 100k, 100k", "999499, 999k, 999k", "999500, 1.00M, 1.00M",
        "1234567, 1.23M, 1.23M", "9994999999, 9.99G, 9.99G", "9995000000, 10.0G, 10.0G",
        "9223372036854775807, 9.22E, 9.22E", "-12345, -12.3k, -12.3k"})
    void should_write_numbers_in_few_characters(long number, String count, String rate) {
        assertEquals(count, Scaled.of(number));
        assertEquals(rate, Scaled.of((double) number));
    }

    @Test
    void should_write_metrics_for_prometheus() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            HeapSpan span = job.allocate(64);
            fmpl.isend(span, 0, 1);
            fmpl.recv(span, 0, 1);
            Command command = Command.here("stat", PID, "--prometheus");
            assertEquals(0, command.code(), command.err());
            String text = command.out();
            assertTrue(text.contains("# HELP hayate_sent_total Messages sent.\n"
                    + "# TYPE hayate_sent_total counter\n"
                    + "hayate_sent_total{rank=\"0\"} 1\n"), text);
            assertTrue(text.contains("# TYPE hayate_eager_held gauge\n"), text);
            assertTrue(text.contains("hayate_rank_joined{rank=\"0\",state=\"joined\"} 1\n"), text);
            text.lines().forEach(line -> assertTrue(line.matches(
                    "# (HELP|TYPE) hayate_[a-z_]+ .+|hayate_[a-z_]+\\{.*} \\d+"), line));
            assertEquals(2, Command.here("stat", PID, "--prometheus", "--json").code());
        }
    }

    @Test
    void should_explain_each_metric() {
        try (Hayate job = Hayate.init(); JobCounters counters = JobCounters.of(
                ProcessHandle.current().pid())) {
            counters.names().forEach(name -> assertTrue(StatPrometheus.helpOf(name) != null, name));
            JobCounters.OF_DELEGATEE.forEach(
                    name -> assertTrue(StatPrometheus.helpOf(name) != null, name));
            assertEquals(0, job.rank());
        }
    }

    @Test
    void should_escape_labels_for_prometheus() {
        StringBuilder text = new StringBuilder();
        StatPrometheus.sample(text, "m", Map.of("b", "a\\b\"c\nd", "a", 1), 5);
        assertEquals("m{a=\"1\",b=\"a\\\\b\\\"c\\nd\"} 5\n", text.toString());
    }

    private static DelegationBinding.View delegatee(int state, int why, long commands) {
        return new DelegationBinding.View(new long[] {9, state, why, 2, commands, 8_000_000 + 1000
                * commands, 4, 5, 6, 7}, "net");
    }

    @Test
    void should_show_a_delegatee_in_a_line_of_its_own() {
        StatReport report = new StatReport(List.of());
        assertEquals("", report.delegatee(null, 0, false));
        assertEquals("delegatee 9 serves, commands 100, bytes 8100000, sleeps 4, turns 5,"
                + " connections 6, registered_bytes 7\n",
                report.delegatee(delegatee(1, 0, 100), 0, false));
        String later = report.delegatee(delegatee(2, 265, 2100), 2_000_000_000L, false);
        assertTrue(later.startsWith("delegatee 9 ended (signal 9), commands 2100"), later);
        assertTrue(later.endsWith("; 1000.0 commands/s, 1.0 MB/s\n"), later);
        JsonObject line = JsonParser.parseString(
                new StatReport(List.of()).delegatee(delegatee(1, 0, 1), 0, true)).getAsJsonObject();
        assertEquals("interrupt", line.getAsJsonObject("delegatee").get("wait").getAsString());
        assertFalse(line.has("commands_per_s"));
    }

    @Test
    void should_say_how_a_rank_died() {
        assertEquals("dead (signal 9)", JobCounters.describe(new JobCounters.Rank(0, 1, "dead", 265,
                Map.of())));
        assertEquals("never started",
                JobCounters.describe(new JobCounters.Rank(0, 1, "dead", 0xffff, Map.of())));
        assertEquals("dead (exit 3)", JobCounters.describe(new JobCounters.Rank(0, 1, "dead", 3,
                Map.of())));
        assertEquals("dead (unreachable)",
                JobCounters.describe(new JobCounters.Rank(0, 0, "dead", 0xfffe, Map.of())));
        assertEquals("left", JobCounters.describe(new JobCounters.Rank(0, 1, "left", 0, Map.of())));
    }

    private static JobCounters.Rank rank(long sent, long bytes) {
        return new JobCounters.Rank(0, 7, "joined", 0, Map.of("sent", sent, "bytes_sent", bytes));
    }
}
