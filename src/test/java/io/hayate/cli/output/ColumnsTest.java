// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ColumnsTest {
    @Test
    void should_align_numbers_right_and_words_left() {
        String table = new Columns().add("rank", "state", "MB/s").add(0, "joined", 1234.5)
                .add(11, "-", "-").toString();
        assertEquals("rank  state     MB/s\n"
                + "   0  joined  1234.5\n"
                + "  11  -            -\n", table);
    }
}
