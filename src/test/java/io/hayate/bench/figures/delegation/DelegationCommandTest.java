// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.delegation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.hayate.bench.figures.Failure;
import io.hayate.bench.figures.FigureRun;
import io.hayate.bench.figures.Panels;
import io.hayate.bench.figures.Ranks;
import io.hayate.bench.figures.Report;
import io.hayate.bench.figures.delegation.DelegationPoint.Round;
import io.hayate.conformance.ClusterLauncher;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.knowm.xchart.XYChart;

/** Between nodes, and in one job: messages, overlap and bursts. */
class DelegationCommandTest {
    // ---- jobs ----

    @Test
    @Tag("slow")
    void should_measure_each_mode_in_turn_and_compare_it_with_none(@TempDir Path folder)
            throws Exception {
        ClusterLauncher.HYDRA.needed();
        Path file = folder.resolve("delegation.svg");
        List<JsonObject> lines = FigureRun.of(
                "delegation --bytes 8,64K --min-time 5 --rounds 1 --wait block --json"
                        + " --plot " + file).lines();
        assertEquals(List.of("8 none", "8 poll", "8 interrupt", "8 adaptive", "65536 none",
                "65536 poll", "65536 interrupt", "65536 adaptive"),
                lines.stream().map(line -> line.get("bytes") + " "
                        + line.get("delegatee").getAsString()).toList());
        for (JsonObject line : lines) {
            double min = line.get("min_us").getAsDouble();
            double median = line.get("median_us").getAsDouble();
            assertTrue(min > 1 && min <= median && median <= line.get("p99_us").getAsDouble(),
                    line.toString());
            assertEquals(line.get("delegatee").getAsString().equals("none"),
                    line.get("ratio").getAsDouble() == 1.0, line.toString());
        }
        assertTrue(Files.exists(file));
    }

    @Test
    @Tag("slow")
    void should_measure_an_alltoall_of_several_nodes() throws Exception {
        ClusterLauncher.HYDRA.needed();
        List<JsonObject> lines = FigureRun.of(
                "delegation --alltoall --nodes 3 --bytes 8,1K --min-time 5 --rounds 1"
                        + " --wait block --modes none,adaptive --json").lines();
        assertEquals(List.of("8 none", "8 adaptive", "1024 none", "1024 adaptive"),
                lines.stream().map(line -> line.get("bytes") + " "
                        + line.get("delegatee").getAsString()).toList());
        for (JsonObject line : lines) {
            assertEquals(3, line.get("blocks").getAsInt());
            assertEquals(3 * line.get("bytes").getAsInt() / line.get("median_us").getAsDouble(),
                    line.get("mb_per_s").getAsDouble(), 1e-3, line.toString());
        }
    }

    @Test
    @Tag("slow")
    void should_measure_overlap_between_nodes_with_both_collectors() throws Exception {
        ClusterLauncher.HYDRA.needed();
        List<JsonObject> lines = FigureRun.of(
                "delegation --overlap --wait block --progress delegated --place any"
                        + " --rounds 1 --json").lines();
        assertEquals(12, lines.size()); // three operations, each while three works and a gc by G1
        for (JsonObject line : lines) {
            double overlap = line.get("overlap").getAsDouble();
            assertTrue(overlap >= 0 && overlap <= 1, line.toString());
            assertTrue(line.get("pure_ms").getAsDouble() > 0, line.toString());
        }
        assertEquals(3, lines.stream().filter(line ->
                line.get("collector").getAsString().equals("G1")).count());
    }

    @Test
    @Tag("slow")
    void should_measure_bursts_in_each_mode_and_compare_adaptive_with_the_better_one()
            throws Exception {
        ClusterLauncher.HYDRA.needed();
        List<JsonObject> lines = FigureRun.of(
                "delegation --bursts --pauses 50,2000 --rounds 1 --wait block --json").lines();
        assertEquals(List.of("50 none", "50 poll", "50 interrupt", "50 adaptive", "2000 none",
                "2000 poll", "2000 interrupt", "2000 adaptive"),
                lines.stream().map(line -> line.get("pause_us") + " "
                        + line.get("delegatee").getAsString()).toList());
        for (JsonObject line : lines) {
            String mode = line.get("delegatee").getAsString();
            double median = line.get("median_us").getAsDouble();
            assertTrue(median > 1 && median <= line.get("p99_us").getAsDouble(), line.toString());
            assertTrue(line.get("first_us").getAsDouble() > 1, line.toString());
            assertEquals(!mode.equals("none"), line.get("cpu_percent").getAsDouble() > 0,
                    line.toString());
            assertEquals(mode.equals("adaptive"), !line.get("ratio").isJsonNull(), line.toString());
        }
    }

    @Test
    @Tag("slow")
    void should_measure_bursts_in_a_job_of_its_own() {
        JsonObject line = FigureRun.of(
                "bursts --pauses 20000 --bytes 4K --length 3 --min-time 300 --json").lines().get(0);
        assertEquals("bursts", line.get("bench").getAsString());
        assertEquals(-1, line.get("cpu_percent").getAsDouble());
        int bursts = line.get("bursts").getAsInt();
        assertTrue(bursts >= 10 && bursts <= 16, line.toString());
    }

    /** A rank that sleeps leaves its core to the thread that works for it. */
    @Test
    @Tag("slow")
    void should_measure_overlap_in_a_job_of_its_own() {
        List<JsonObject> lines = FigureRun.of(
                "overlap --operations isend,allreduce --while sleep,gc --bytes 64K"
                        + " --window 2 --samples 3 --progress thread --json").lines();
        assertEquals(List.of("isend sleep", "isend gc", "allreduce sleep", "allreduce gc"),
                lines.stream().map(line -> line.get("operation").getAsString() + " "
                        + line.get("work").getAsString()).toList());
        for (JsonObject line : lines) {
            assertEquals(65536, line.get("bytes").getAsInt());
            assertTrue(line.get("work_ms").getAsDouble() > 0, line.toString());
        }
    }

    // ---- parts ----

    @Test
    void should_take_the_median_of_the_rounds() {
        DelegationPoint point = DelegationPoint.of("poll", "block", 1000, 1,
                List.of(new Round(3, 20, 90), new Round(1, 10, 70), new Round(2, 40, 80)),
                List.of(new Round(1, 4, 5), new Round(1, 6, 7)));
        assertEquals(new DelegationPoint("poll", "block", 1000, 1, 1, 20, 80, 3, 4.0), point);
        assertEquals(50.0, point.megabytesPerSecond());
        assertNull(DelegationPoint.of("poll", "block", 8, 1, List.of(new Round(1, 1, 1)), List.of())
                .json().get("ratio"));
    }

    @Test
    void should_take_the_medians_of_bursts() {
        BurstPoint one = new BurstPoint(50, 64, 32, 10, 3, 40, 5, 20);
        BurstPoint two = new BurstPoint(50, 64, 32, 11, 5, 20, 9, 60);
        assertEquals(new BurstPoint(50, 64, 32, 21, 4, 30, 7, 40),
                BurstPoint.of(List.of(one, two)));
        assertEquals(2.0, BurstJobs.toBetter(6, one, two));
        assertEquals(2.0, BurstJobs.toBetter(6, two, one));
        assertEquals(0.0, BurstJobs.toBetter(6, one, null));
    }

    @ParameterizedTest
    @CsvSource({"--bursts --overlap, expected one of them", "--pauses 1, for --bursts only",
        "--alltoall --bursts, expected one of them",
        "--nodes 3, for --alltoall only", "--alltoall --nodes 1, expected 2 to 64",
        "--bursts --pauses -1, expected 0 to", "--bursts --plot x.svg, are not drawn"})
    void should_refuse_options_that_do_not_go_together(String options, String why) {
        FigureRun command = FigureRun.of("delegation " + options);
        assertEquals(2, command.code(), command.err());
        assertTrue(command.err().contains(why), command.err());
    }

    @ParameterizedTest
    @CsvSource({"10, 10, 20, 0.0", "10, 10, 10, 1.0", "10, 10, 15, 0.5", "10, 40, 45, 0.5",
        "10, 10, 25, 0.0", "10, 20, 5, 1.0", "0, 1, 1, 0.0"})
    void should_compute_overlap_as_imb_does(double pure, double busy, double both, double overlap) {
        assertEquals(overlap, new OverlapPoint("isend", "gc", 8, 1, pure, busy, both, 1).overlap());
    }

    @Test
    void should_read_what_ranks_print() {
        StringWriter text = new StringWriter();
        new Report(new PrintWriter(text), true, "").add(new TreeMap<>(Map.of("bench", "exchange",
                "median_us", 1.5e-3)));
        JsonObject line = Report.read(text.toString(), "bench", "median_us");
        assertEquals(0.0015, line.get("median_us").getAsDouble());
        assertEquals("exchange", line.get("bench").getAsString());
        assertTrue(assertThrows(Failure.class, () -> Report.read("Hello", "bytes"))
                .getMessage().contains("printed 'Hello'"));
        assertThrows(Failure.class, () -> Report.read(text.toString(), "bytes"));
    }

    @Test
    void should_draw_a_curve_for_each_mode() {
        DelegationPoint none = DelegationPoint.of("none", "block", 8, 1,
                List.of(new Round(1, 2, 3)), List.of());
        DelegationPoint longer = DelegationPoint.of("none", "block", 65536, 1,
                List.of(new Round(1, 2, 3)), List.of());
        DelegationPoint interrupt = DelegationPoint.of("interrupt", "block", 8, 1,
                List.of(new Round(1, 2, 3)), List.of());
        Panels picture = new Panels("", "", "bytes", List.of("us", "MB/s"));
        DelegationCommand.draw(picture, "block", List.of(none, longer, interrupt));
        assertEquals(2, picture.charts().size());
        for (XYChart chart : picture.charts()) {
            assertEquals(2, chart.getSeries("no delegatee, ranks block").getXData().length);
            assertEquals(1, chart.getSeries("interrupt, ranks block").getXData().length);
        }
    }

    @Test
    void should_say_that_it_needs_hydra() {
        String said = assertThrows(Failure.class, () -> LocalNodes.hydra("/nowhere::no\0path"))
                .getMessage();
        assertTrue(said.startsWith("mpiexec.hydra is not in the PATH"), said);
        assertTrue(said.contains("apt-get install mpich"), said);
    }

    @Test
    void should_leave_a_cpu_to_the_delegatees() throws Exception {
        ClusterLauncher.HYDRA.needed();
        LocalNodes nodes = new LocalNodes(List.of("work"), new LocalNodes.Split(3, 5));
        String plain = String.join(" ", nodes.command(null));
        assertTrue(plain.endsWith(" -n 1 taskset -c 3 work : -n 1 taskset -c 5 work"), plain);
        String delegated = String.join(" ", nodes.command(Path.of("run")));
        assertTrue(delegated.endsWith(" -n 1 run --delegate -n 1 --bind 3 --delegate-core 5 -- work"
                + " : -n 1 taskset -c 5 run --delegate -n 1 --bind none -- work"), delegated);
    }

    @Test
    void should_replace_the_collector_of_the_jvm_only() {
        List<String> words = Ranks.java(List.of("-XX:+UseSerialGC"), "Program");
        assertEquals("-XX:+UseSerialGC", words.get(1));
        assertEquals("Program", words.get(words.size() - 1));
        assertFalse(words.contains("-XX:+UseG1GC"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "delegation --modes none,sometimes|--modes sometimes: expected some of none,poll",
        "delegation --wait never|--wait never: expected some of adaptive,block,spin",
        "delegation --rounds 0|--rounds 0: expected 1 to",
        "delegation --bytes 4|--bytes 4: expected 8 or more",
        "delegation --progress thread|--progress is for --overlap only",
        "delegation --place apart|--place is for --overlap only",
        "delegation --overlap --place here|--place here: expected some of any,apart",
        "delegation --overlap --progress calls|--progress calls: expected some of caller",
        "delegation --min-time 0|--min-time 0: expected 1 to",
        "overlap --while sing|--while sing: expected some of compute,gc,sleep",
        "overlap --operations bcast|--operations bcast: expected some of isend",
        "overlap --bytes 12|--bytes: expected one size, a multiple of 8",
        "overlap --busy 3|--busy 3: expected 1 or 2",
        "overlap --window 65|--window 65: expected 1 to 64"})
    void should_say_what_is_wrong_with_an_option(String options, String what) {
        FigureRun command = FigureRun.of(options);
        assertEquals(2, command.code(), command.err());
        assertTrue(command.err().contains(what), command.err());
        assertEquals("", command.out());
    }
}
