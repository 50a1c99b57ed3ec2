// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("example")
class FourierOptionsTest {
    @Test
    void should_have_defaults() throws Exception {
        FourierOptions options = FourierOptions.parse();
        assertEquals(64, options.grid());
        assertEquals(100, options.steps());
        assertEquals(new Slabs(64, 4, 4), options.slabs(4));
        assertEquals(new Slabs(64, 32, 2), options.slabs(32));
        assertEquals(new Slabs(64, 64, 1), options.slabs(64));
    }

    @Test
    void should_take_every_option() throws Exception {
        FourierOptions options = FourierOptions.parse("--grid", "128", "--steps", "7",
                "--batches", "2", "--collective", "algorithm=pairwise,transfer=get", "--json");
        assertEquals(new Slabs(128, 8, 2), options.slabs(8));
        assertEquals(7, options.steps());
        assertEquals("pairwise", options.collective().algorithm());
        assertTrue(options.json());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--grid", "--grid 0", "--grid 8", "--grid 48", "--grid 1024",
        "--grid x", "--steps 0", "--steps 1000001", "--batches 0", "--batches x",
        "--collective transfer=push", "--collective algorithm", "--persistent", "64"})
    void should_refuse_what_makes_no_sense(String line) {
        UsageException e = assertThrows(
                UsageException.class, () -> FourierOptions.parse(line.split(" ")));
        assertTrue(e.getMessage().contains(line.split(" ")[0]), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"64,4,3,on 3 ranks", "64,4,6,on 6 ranks", "16,1,32,on 32 ranks",
        "16,4,8,--batches 4", "64,3,2,--batches 3", "512,4,1,on 1 rank:"})
    void should_refuse_what_does_not_fit_the_ranks(String grid, String batches, int ranks,
            String word) throws Exception {
        FourierOptions options = FourierOptions.parse("--grid", grid, "--batches", batches);
        UsageException e = assertThrows(UsageException.class, () -> options.slabs(ranks));
        assertTrue(e.getMessage().contains(word), e.getMessage());
    }
}
