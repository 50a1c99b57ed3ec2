// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What scripts/bench.sh makes of its measurements, by the classes of its summary. */
final class ResultsTest {
    @TempDir
    private Path directory;

    private final List<String> lines = new ArrayList<>();

    private void measured(String path, double lineUs, double lineAfterUs, double medianUs) {
        lines.add("{\"round\":1,\"line_us\":" + lineUs + ",\"line_after_us\":" + lineAfterUs
                + ",\"impl\":\"raw\",\"bench\":\"pingpong\",\"bytes\":8,\"ranks\":2,\"path\":\""
                + path + "\",\"min_us\":" + medianUs + ",\"median_us\":" + medianUs + "}");
    }

    private String summary() throws IOException {
        Results results = Results.read(Files.write(directory.resolve("results.jsonl"), lines));
        Figure figure = results.find("raw x", "pingpong", 8, 2).orElseThrow();
        return figure.medianUs() + " " + figure.lowestMedianUs() + " " + figure.highestMedianUs()
                + ", without " + results.leftOut() + " of " + results.count();
    }

    @Test
    void should_take_the_median_of_all_rounds() throws Exception {
        measured("x", 0.15, 0.16, 3);
        measured("x", 0.14, 0.12, 1);
        measured("x", 0.15, 0.15, 2);
        assertEquals("2.0 1.0 3.0, without 0 of 3", summary());
    }

    @Test
    void should_leave_out_rounds_in_which_the_cpus_were_near() throws Exception {
        measured("x", 0.15, 0.15, 5);
        measured("x", 0.15, 0.03, 1);
        measured("x", 0.03, 0.15, 1);
        measured("x", 0.15, 0.14, 4);
        measured("y", 0.15, 0.15, 7);
        assertEquals("4.5 4.0 5.0, without 2 of 5", summary());
    }

    @Test
    void should_count_all_where_no_round_is_like_the_others() throws Exception {
        measured("x", 0.03, 0.03, 1);
        measured("y", 0.15, 0.15, 7);
        measured("z", 0.15, 0.15, 7);
        assertEquals("1.0 1.0 1.0, without 0 of 3", summary());
    }

    @Test
    void should_count_all_where_the_line_is_unknown() throws Exception {
        measured("x", 0, 0, 1);
        measured("x", 0, 0, 2);
        measured("x", 0, 0, 4);
        assertEquals("2.0 1.0 4.0, without 0 of 3", summary());
    }
}
