// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of scripts/bench.sh --guard, from lines as {@code hayate perf --json} prints them. */
final class GuardTableTest {
    @TempDir
    private Path directory;

    private record Result(int code, String table) {
        String row(String start) {
            return table.lines().filter(line -> line.startsWith(start)).findFirst().orElse("");
        }
    }

    private static String line(int turn, String state, double median, double min) {
        return "{\"turn\":" + turn + ",\"state\":\"" + state + "\",\"bench\":\"rate\",\"bytes\":8,"
                + "\"min_us\":" + min + ",\"median_us\":" + median + "}\n";
    }

    /** Turns in which the new state takes {@code ratio} times as long; the base varies widely. */
    private Result table(int turns, double ratio) throws IOException, InterruptedException {
        StringBuilder lines = new StringBuilder();
        for (int turn = 1; turn <= turns; turn++) {
            double median = turn % 2 == 0 ? 0.5 : 0.125;
            lines.append(line(turn, "base", median, median / 2));
            lines.append(line(turn, "new", median * ratio, median * ratio / 2));
        }
        Path results = Files.writeString(directory.resolve("results.jsonl"), lines);
        Path table = directory.resolve("guard.md");
        Process awk = new ProcessBuilder("awk", "-f", "src/bench/tables/guard.awk",
                results.toString())
                .redirectErrorStream(true).redirectOutput(table.toFile()).start();
        assertTrue(awk.waitFor(120, TimeUnit.SECONDS));
        return new Result(awk.exitValue(), Files.readString(table));
    }

    @Test
    void should_say_what_became_slower() throws Exception {
        Result result = table(11, 1.2);
        assertEquals("| rate 8 | 0.125 | 0.150 | 1.200 | 1.200 to 1.200 | 1.200 | slower |",
                result.row("| rate 8"));
        assertEquals(1, result.code());
    }

    @Test
    void should_say_what_became_faster() throws Exception {
        Result result = table(11, 0.8);
        assertTrue(result.row("| rate 8").endsWith("| 0.800 | faster |"), result.table());
        assertEquals(0, result.code());
    }

    @Test
    void should_not_judge_by_fewer_than_six_turns() throws Exception {
        Result result = table(5, 1.2);
        assertTrue(result.row("| rate 8").endsWith("| too few turns |"), result.table());
        assertEquals(0, result.code());
    }
}
