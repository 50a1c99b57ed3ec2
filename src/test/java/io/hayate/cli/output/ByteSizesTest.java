// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ByteSizesTest {
    @Test
    void should_double_from_the_first_to_the_last_of_a_range() {
        assertEquals(List.of(8, 16, 32, 64), ByteSizes.of("8:64").bytes());
        assertEquals(List.of(3, 6, 12), ByteSizes.of("3:23").bytes());
        assertEquals(List.of(1 << 29, 1 << 30), ByteSizes.of("512M:1G").bytes());
    }

    @Test
    void should_take_lists_of_sizes_and_ranges() {
        assertEquals(List.of(0, 128, 2048, 1024, 2048, 1 << 20),
                ByteSizes.of("0,128,2k,1K:2K,1M").bytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8,", "x", "-8", "8x", "8KB", "1.5K", "0:8", "64:8", "8:", ":8",
        "8:16:32", "2G", "1048577K", "99999999999999999999", "8 "})
    void should_refuse_what_is_no_size(String text) {
        Exception e = assertThrows(TypeConversionException.class, () -> ByteSizes.of(text));
        assertTrue(e.getMessage().contains("expected") || e.getMessage().contains("range"));
    }

    @ParameterizedTest
    @CsvSource({"8, 8", "1024, 1K", "1536, 1536", "65536, 64K", "1048576, 1M", "1073741824, 1G",
        "0, 0"})
    void should_write_exact_units(long bytes, String text) {
        assertEquals(text, ByteSizes.text(bytes));
    }

    @Test
    void should_round_for_people() {
        assertEquals("1000 B", ByteSizes.rounded(1000));
        assertEquals("1.5 KiB", ByteSizes.rounded(1536));
        assertEquals("64.0 GiB", ByteSizes.rounded(64L << 30));
    }
}
