// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.hayate.conformance.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The solver. */
class ConjugateGradientIT extends ExampleSuite {
    private static final int[] RANKS = {1, 2, 3, 4, 7};

    @TempDir
    Path folder;

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"bcsstk01.mtx", "bcsstk16.mtx"})
    void should_solve_stiffness_matrices_alike_on_any_number_of_ranks(String name)
            throws Exception {
        alike("--matrix", TestMatrices.real(name).toString());
    }

    @Test
    void should_solve_the_poisson_problem_alike_on_any_number_of_ranks() throws Exception {
        alike("--grid", "20");
    }

    /** Every rank needs entries of every other, unlike in matrices of meshes. */
    @Tag("long")
    @Test
    void should_solve_a_scattered_matrix_alike_on_any_number_of_ranks() throws Exception {
        Path file = folder.resolve("scattered.mtx");
        Files.writeString(file, TestMatrices.scattered(700, 5, 42));
        List<JsonObject> runs = alike("--matrix", file.toString());
        assertTrue(runs.get(4).get("halo").getAsInt() > 300, runs.get(4).toString());
    }

    @Test
    void should_work_with_more_ranks_than_rows() throws Exception {
        assertEquals(1, solved(solve(5, "--grid", "1")).get("rows").getAsInt());
        assertEquals(8, solved(solve(7, "--grid", "2")).get("rows").getAsInt());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void should_end_all_ranks_with_the_line_of_a_damage(int ranks) throws Exception {
        Path file = folder.resolve("damaged.mtx");
        Files.writeString(file, TestMatrices.BANNER + "2 2 2\n1 1 1\n2 2 x\n");
        Outcome outcome = solve(ranks, "--matrix", file.toString());
        assertSaid(outcome, 1, "damaged.mtx:4: expected a value such as -1.5e3, found 'x'");
        assertFalse(outcome.describe().contains("peer"), outcome.describe());
    }

    @Test
    void should_say_once_that_a_file_is_missing() throws Exception {
        assertSaid(solve(3, "--matrix", folder.resolve("none.mtx").toString()), 1,
                "none.mtx: there is no such file");
    }

    @Test
    void should_explain_itself_once_when_used_wrongly() throws Exception {
        assertSaid(solve(2, "--grid", "many"), 2, "Usage: ConjugateGradient");
    }

    @Test
    void should_end_with_one_when_not_converged() throws Exception {
        Outcome outcome = solve(2, "--grid", "8", "--max-iterations", "3");
        JsonObject json = json(outcome);
        assertFalse(json.get("good").getAsBoolean());
        assertEquals(3, json.get("iterations").getAsInt());
        assertSaid(outcome, 1, "not converged within the iterations allowed");
    }

    @Test
    void should_draw_the_convergence_and_print_text() throws Exception {
        Path picture = folder.resolve("convergence.svg");
        Outcome outcome = launch(ConjugateGradient.class, 2, "--grid", "6", "--plot",
                picture.toString()).run();
        assertEquals(0, outcome.exit(), outcome.describe());
        assertTrue(Files.readString(picture).contains("<svg"));
        assertPrinted(outcome, "matrix ", "ranks ", "iterations ", "residual ", "time ",
                "communication ", "picture ");
    }

    @Test
    void should_fail_when_the_picture_cannot_be_written() throws Exception {
        assertSaid(solve(2, "--grid", "4", "--plot", folder.resolve("no/x.svg").toString()), 1,
                "cannot write the picture");
    }

    /** Of two ranks there is only one order to add in; of more the algorithms choose. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void should_do_the_same_bits_with_persistent_sums(int ranks) throws Exception {
        JsonObject plain = solved(solve(ranks, "--grid", "12"));
        JsonObject persistent = solved(solve(ranks, "--grid", "12", "--persistent"));
        for (String name : List.of("iterations", "residual", "error", "condition",
                "solution_norm", "solution_sum", "solution_wave")) {
            assertEquals(plain.get(name), persistent.get(name), name);
        }
        assertFalse(plain.get("persistent").getAsBoolean());
        assertTrue(persistent.get("persistent").getAsBoolean());
        assertTrue(persistent.get("sums").getAsString().startsWith("persistent allreduce"));
    }

    @Test
    void should_solve_alike_with_persistent_sums_on_any_number_of_ranks() throws Exception {
        alike("--grid", "12", "--persistent");
    }

    @Test
    void should_do_persistent_sums_as_it_is_told() throws Exception {
        JsonObject ring = solved(solve(3, "--grid", "6", "--persistent", "--collective",
                "algorithm=ring transfer=get"));
        assertTrue(ring.get("sums").getAsString().contains("ring get"), ring.toString());
    }

    @Test
    void should_refuse_an_algorithm_that_there_is_not_once() throws Exception {
        assertSaid(solve(3, "--persistent", "--collective", "algorithm=none_such"), 2,
                "no algorithm \"none_such\"");
    }

    @ParameterizedTest
    @CsvSource({"1,", "3,", "1,persistent", "3,persistent"})
    void should_allocate_nothing_in_products_and_sums(int ranks, String how) throws Exception {
        assertAllocatesNothing(AllocationProbe.class, ranks, words(how == null ? "" : how));
    }

    @Test
    void should_greet_from_all_ranks_in_order() throws Exception {
        Outcome outcome = launch(HelloRanks.class, 3).run().good();
        List<String> greetings =
                outcome.out().stream().filter(line -> line.startsWith("Hello")).toList();
        assertEquals(3, greetings.size(), outcome.describe());
        for (int rank = 0; rank < 3; rank++) {
            assertTrue(greetings.get(rank).startsWith("Hello from rank " + rank));
        }
    }

    /** Solves on each number of ranks; iterations and solutions may differ by rounding only. */
    private static List<JsonObject> alike(String... problem) throws Exception {
        JsonObject first = solved(solve(RANKS[0], problem));
        List<JsonObject> runs = new ArrayList<>(List.of(first));
        for (int i = 1; i < RANKS.length; i++) {
            JsonObject run = solved(solve(RANKS[i], problem));
            assertEquals(RANKS[i], run.get("ranks").getAsInt());
            assertEquals(number(first, "iterations"), number(run, "iterations"), 2);
            double norm = number(first, "solution_norm");
            double most = 1e-10 * norm * Math.sqrt(number(first, "rows"));
            assertEquals(norm, number(run, "solution_norm"), 1e-9 * norm);
            assertEquals(number(first, "solution_sum"), number(run, "solution_sum"), 10 * most);
            assertEquals(number(first, "solution_wave"), number(run, "solution_wave"), 10 * most);
            runs.add(run);
        }
        return runs;
    }

    private static Outcome solve(int ranks, String... options) throws Exception {
        return launch(ConjugateGradient.class, ranks, options).arguments("--json").run();
    }

    private static JsonObject solved(Outcome outcome) {
        JsonObject json = good(outcome);
        assertTrue(number(json, "residual") <= number(json, "tolerance"), json.toString());
        assertTrue(number(json, "error") < 1e-7, json.toString());
        assertTrue(number(json, "communication_mean") <= number(json, "communication_max"));
        assertTrue(number(json, "communication_max") <= 1, json.toString());
        return json;
    }
}
