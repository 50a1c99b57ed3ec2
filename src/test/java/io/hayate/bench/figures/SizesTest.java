// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class SizesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"8|8", "8,128,2K|8 128 2048", "1m,0|1048576 0",
        "8:64|8 16 32 64", "8:60|8 16 32", "512K:1M,3|524288 1048576 3", "1G|1073741824"})
    void should_read_lists_and_ranges(String text, String expected) {
        assertEquals(List.of(expected.split(" ")), Sizes.of(text).bytes().stream()
                .map(String::valueOf).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8,", "x", "8x", "-1", "2G", "0:8", "16:8", "8:", "8:16:32",
        "99999999999"})
    void should_refuse_what_is_no_size(String text) {
        assertThrows(TypeConversionException.class, () -> Sizes.of(text));
    }

    @Test
    void should_write_them_as_short_as_they_are_exact() {
        assertEquals(List.of("0", "8", "1000", "2K", "3M", "1G"), List.of(Sizes.text(0),
                Sizes.text(8), Sizes.text(1000), Sizes.text(2048), Sizes.text(3 << 20),
                Sizes.text(1 << 30)));
    }
}
