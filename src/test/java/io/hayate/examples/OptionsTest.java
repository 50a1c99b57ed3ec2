// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.CollOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("example")
class OptionsTest {
    @Test
    void should_have_defaults() throws Exception {
        Options options = Options.parse();
        assertNull(options.matrix());
        assertEquals(48, options.side());
        assertEquals(1e-10, options.tolerance());
        assertEquals(1480, options.mostIterations(48));
        assertEquals(100_000, options.mostIterations(Integer.MAX_VALUE));
    }

    @Test
    void should_take_how_sums_are_done() throws Exception {
        assertFalse(Options.parse().persistent());
        assertEquals(CollOptions.AUTO, Options.parse("--persistent").collective());
        Options options = Options.parse("--collective", "algorithm=ring", "--persistent");
        assertTrue(options.persistent());
        assertEquals("ring", options.collective().algorithm());
    }

    @Test
    void should_take_every_option_and_the_last_of_two() throws Exception {
        Options options = Options.parse("--matrix", "a/b.mtx", "--tolerance", "1e-6", "--json",
                "--max-iterations", "17", "--plot", "x.svg", "--plot", "Y.PNG");
        assertEquals("b.mtx", options.problem());
        assertEquals(1e-6, options.tolerance());
        assertEquals(17, options.mostIterations(48));
        assertEquals(Path.of("Y.PNG"), options.plot());
        assertTrue(options.json());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--grid", "--grid 0", "--grid 1291", "--grid x", "--tolerance 0",
        "--tolerance 1", "--tolerance nan", "--tolerance x", "--max-iterations 0", "--plot x.gif",
        "--plot svg", "--matrix a --grid 3", "--persistent --collective transfer=push",
        "--persistent --collective", "--collective algorithm=ring", "--what", "file.mtx"})
    void should_refuse_what_makes_no_sense(String line) {
        UsageException e = assertThrows(UsageException.class, () -> Options.parse(line.split(" ")));
        String[] words = line.replace("--persistent ", "").split(" ");
        assertTrue(e.getMessage().contains(words[0]), e.getMessage());
    }
}
