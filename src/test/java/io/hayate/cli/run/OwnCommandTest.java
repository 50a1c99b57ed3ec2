// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.cli.Main;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnCommandTest {
    @Test
    void aProgramThatEmbedsTheJvmIsStartedByTheMainClass() {
        List<String> words = OwnCommand.withArguments(List.of("not", "of", "this", "JVM"));

        assertEquals(Main.class.getName(), words.get(words.size() - 5));
    }
}
