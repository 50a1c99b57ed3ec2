// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.ScaLapackProbe;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of ScaLAPACK as users start them, on several ranks. */
class DenseExamplesIT extends ExampleSuite {
    @BeforeEach
    void needsScaLapack() {
        ScaLapackProbe.need();
    }

    private static Outcome run(Class<?> program, int ranks, String... options) throws Exception {
        return launch(program, ranks, options).arguments("--json").options("--heap", "64M").run();
    }

    @ParameterizedTest
    @CsvSource({"1,200,64,1", "3,201,16,3", "4,150,7,2"})
    void should_solve_a_system_of_random_numbers(int ranks, int rows, int block, int gridRows)
            throws Exception {
        JsonObject json = good(run(DenseSolve.class, ranks, "--rows", String.valueOf(rows),
                "--block", String.valueOf(block), "--grid-rows", String.valueOf(gridRows)));
        assertEquals(rows, json.get("rows").getAsInt());
        assertEquals(ranks / gridRows, json.get("grid_columns").getAsInt());
        double residual = json.get("residual").getAsDouble();
        assertTrue(residual > 0 && residual < 0.5, json.toString());
    }

    @Test
    void should_solve_the_system_of_a_structure() throws Exception {
        JsonObject json = good(run(DenseSolve.class, 2, "--matrix",
                TestMatrices.real("bcsstk01.mtx").toString(), "--block", "5"));
        assertEquals(48, json.get("rows").getAsInt());
        assertEquals("bcsstk01.mtx", json.get("problem").getAsString());
    }

    @Test
    void should_say_which_pivot_is_zero(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("singular.mtx");
        Files.writeString(file, "%%MatrixMarket matrix array real general\n2 2\n1\n2\n2\n4\n");
        Outcome outcome = run(DenseSolve.class, 2, "--matrix", file.toString());
        assertEquals(1, outcome.exit(), outcome.describe());
        assertEquals(List.of(), outcome.faults());
        assertTrue(outcome.err().stream().anyMatch(line -> line.contains("pivot 2 of 2")),
                outcome.describe());
    }

    /** The frequencies are in the literature; the picture shows sand and both sides of a plate. */
    @Test
    void should_find_the_modes_of_a_plate(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("modes.png");
        JsonObject json = good(run(PlateModes.class, 2, "--order", "12", "--modes", "8",
                "--picture", file.toString()));
        assertEquals(144, json.get("rows").getAsInt());
        assertEquals(8, json.get("frequencies").getAsJsonArray().size());
        assertEquals(13.468, json.get("frequencies").getAsJsonArray().get(0).getAsDouble(), 5e-3);
        BufferedImage picture = ImageIO.read(file.toFile());
        Set<Integer> colors = new HashSet<>();
        for (int i = 0; i < picture.getWidth(); i++) {
            colors.add(picture.getRGB(i, 100));
        }
        assertTrue(colors.size() > 50, colors.size() + " colors");
    }

    @ParameterizedTest
    @CsvSource({"--rows 8 --matrix x,exclude each other", "--grid-rows 3,cannot be dealt out"})
    void should_explain_itself_once_when_used_wrongly(String line, String words) throws Exception {
        assertSaid(run(DenseSolve.class, 2, line.split(" ")), 2, words);
    }
}
