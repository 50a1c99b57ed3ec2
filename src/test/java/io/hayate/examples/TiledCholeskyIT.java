// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.hayate.conformance.ClusterLauncher;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class TiledCholeskyIT extends ExampleSuite {
    /** Tiles that the matrix fills and does not, one tile in all, fewer tiles than ranks. */
    @ParameterizedTest
    @CsvSource({"1,96,16,1", "2,96,16,2", "3,100,16,2", "4,130,32,3", "2,48,64,2", "4,33,32,1"})
    void should_be_right_on_any_number_of_ranks(int ranks, int rows, int tile, int threads)
            throws Exception {
        JsonObject run = factored(solve(ranks, "--rows", String.valueOf(rows), "--tile",
                String.valueOf(tile), "--threads", String.valueOf(threads)));
        int tiles = (rows + tile - 1) / tile;
        assertEquals(tiles * (tiles + 1) * (tiles + 2) / 6, run.get("tasks").getAsInt());
        assertEquals(ranks > 1 && tiles > 1, run.get("started_by_others").getAsInt() > 0);
    }

    /** Nodes that are all this machine: between them tiles and flags go by the network. */
    @ParameterizedTest
    @CsvSource({"1,1,2", "2,1,1"})
    void should_be_right_between_nodes(int first, int second, int threads) throws Exception {
        JsonObject run = factored(factor(first + second, "--rows", "100", "--tile", "16",
                "--threads", String.valueOf(threads))
                .by(ClusterLauncher.HYDRA.needed().nodes(first, second))
                .environment("HAYATE_HEAP", "64M").run());
        assertEquals(first + second, run.get("ranks").getAsInt());
        assertEquals(84, run.get("tasks").getAsInt());
        assertTrue(run.get("started_by_others").getAsInt() > 0, run.toString());
    }

    @Test
    void should_factor_a_matrix_of_a_structure() throws Exception {
        JsonObject run = factored(solve(2, "--matrix", TestMatrices.real("bcsstk01.mtx").toString(),
                "--tile", "8"));
        assertEquals(48, run.get("rows").getAsInt());
        assertEquals("bcsstk01.mtx", run.get("problem").getAsString());
    }

    @Test
    void should_run_in_virtual_threads() throws Exception {
        Assumptions.assumeTrue(Runtime.version().feature() >= 21, "needs Java 21");
        assertTrue(factored(solve(2, "--rows", "96", "--tile", "16", "--virtual"))
                .get("virtual").getAsBoolean());
    }

    /** A bar for each task, and lines between ranks. */
    @Test
    void should_draw_who_computed_what_when(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("trace.svg");
        JsonObject run = factored(solve(2, "--rows", "96", "--tile", "16", "--picture",
                file.toString()));
        Element picture = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(file.toFile()).getDocumentElement();
        NodeList tips = picture.getElementsByTagName("title");
        long bars = 0;
        for (int i = 0; i < tips.getLength(); i++) {
            bars += tips.item(i).getTextContent().contains(" after it was ready") ? 1 : 0;
        }
        assertEquals(run.get("tasks").getAsLong(), bars);
        assertTrue(picture.getElementsByTagName("line").getLength() > 9);
        assertTrue(picture.getTextContent().contains("rank 1"));
    }

    /** The pivot that is not positive is one rank's; all end, and rank 0 says why. */
    @Test
    void should_end_on_all_ranks_when_the_matrix_is_not_definite(@TempDir Path folder)
            throws Exception {
        Path file = folder.resolve("indefinite.mtx");
        StringBuilder text = new StringBuilder(TestMatrices.BANNER).append("40 40 41\n35 34 2\n");
        for (int i = 1; i <= 40; i++) {
            text.append(i).append(' ').append(i).append(" 1\n");
        }
        Files.writeString(file, text);
        Outcome outcome = solve(3, "--matrix", file.toString(), "--tile", "8");
        assertSaid(outcome, 1, "not positive definite");
        assertTrue(outcome.err().stream().anyMatch(line -> line.contains("task factor 4 (rank")
                && line.contains("not positive definite")), outcome.describe());
    }

    @ParameterizedTest
    @CsvSource({"--rows 0,expected an integer", "--tile none,expected an integer",
        "--picture a.png,expected a name ending in .svg",
        "--rows 8 --matrix x,exclude each other", "--what,unknown option"})
    void should_explain_itself_once_when_used_wrongly(String line, String words) throws Exception {
        assertSaid(solve(2, line.split(" ")), 2, words);
    }

    private static Outcome solve(int ranks, String... options) throws Exception {
        return factor(ranks, options).options("--heap", "64M").run();
    }

    private static Launch factor(int ranks, String... options) {
        return launch(TiledCholesky.class, ranks, options).arguments("--json");
    }

    private static JsonObject factored(Outcome outcome) {
        JsonObject json = good(outcome);
        assertTrue(number(json, "residual") < 1, json.toString());
        return json;
    }
}
