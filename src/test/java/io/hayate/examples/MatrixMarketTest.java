// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("example")
class MatrixMarketTest {
    private static final String GOOD = """
            %%MatrixMarket matrix coordinate real symmetric
            % a comment

            3 3 5
            1 1 4.0
            2 1 -1
            3 3 2.5e0
            3 2 -.5
            2 2 3
            """;
    private static final String S = "%%MatrixMarket matrix coordinate real symmetric|";
    private static final String G = "%%MatrixMarket matrix coordinate real general|";

    @Test
    void should_mirror_the_half_of_a_symmetric_file() throws Exception {
        CsrMatrix matrix = TestMatrices.parse(GOOD);
        assertArrayEquals(new int[] {0, 2, 5, 7}, matrix.rowPointers());
        assertArrayEquals(new int[] {0, 1, 0, 1, 2, 1, 2}, matrix.columns());
        assertArrayEquals(new double[] {4, -1, -1, 3, -.5, -.5, 2.5}, matrix.values());
    }

    @Test
    void should_read_line_ends_of_other_systems_and_a_last_line_without_one() throws Exception {
        CsrMatrix matrix = TestMatrices.parse(GOOD.strip().replace("\n", " \t\r\n"));
        assertEquals(7, matrix.nonzeros());
    }

    @Test
    void should_read_general_integer_and_pattern_files() throws Exception {
        CsrMatrix general = TestMatrices.parse(
                (G + "2 2 4|1 1 2|1 2 1|2 1 1|2 2 2").replace('|', '\n'));
        assertArrayEquals(new double[] {2, 1, 1, 2}, general.values());
        CsrMatrix integer = TestMatrices.parse(
                "%%matrixmarket MATRIX Coordinate Integer Symmetric\n"
                        + "2 2 3\n1 1 7\n2 2 9\n2 1 -3\n");
        assertArrayEquals(new double[] {7, -3, -3, 9}, integer.values());
        CsrMatrix pattern = TestMatrices.parse(
                "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 2\n1 1\n");
        assertArrayEquals(new double[] {1, 1}, pattern.values());
    }

    /** Lines are separated by "|". */
    @ParameterizedTest
    @CsvSource(delimiter = ';', ignoreLeadingAndTrailingWhitespace = true, value = {
        "''                                             ; 1; bad banner",
        "MatrixMarket matrix coordinate real general    ; 1; bad banner",
        "%%MatrixMarket                                 ; 1; unknown object ''",
        "%%MatrixMarket vector coordinate real general  ; 1; unknown object 'vector'",
        "%%MatrixMarket matrix array real general|1 1|1 ; 1; a dense matrix) is not",
        "%%MatrixMarket matrix coordinate complex general ; 1; complex is not supported",
        "%%MatrixMarket matrix coordinate real skew-symmetric ; 1; skew-symmetric is not supported",
        "%%MatrixMarket matrix coordinate real hermitian ; 1; hermitian is not supported",
        "%%MatrixMarket matrix coordinate real funny    ; 1; unknown symmetry 'funny'",
        "%%MatrixMarket matrix coordinate real general x; 1; after the banner",
        S + "                                           ; 1; before its size line",
        S + "% only|% comments                          ; 3; before its size line",
        S + "2 2                                        ; 2; number of entries",
        S + "2 2 2 2                                    ; 2; after the size line",
        S + "two 2 2                                    ; 2; number of rows",
        S + "-2 2 2                                     ; 2; number of rows",
        S + "0 0 0                                      ; 2; out of range: 0",
        S + "99999999999999999999 1 1                   ; 2; out of range: over 2147483647",
        S + "2000000000 2000000000 1                    ; 2; expected at least one for each row",
        S + "3 2 3                                      ; 2; not square: 3 rows and 2 columns",
        S + "2 2 2000000000                             ; 2; number of entries is out of range",
        S + "2 2 2|1 1 1                                ; 3; ends after 1 entries, expected 2",
        S + "2 2 2|1 1 1|2 2 1|2 1 1                    ; 5; expected the end of the file after 2",
        S + "2 2 2|1 1 1|3 2 1                          ; 4; out of range: 3, expected 1 to 2",
        S + "2 2 2|1 1 1|0 2 1                          ; 4; the row is out of range: 0",
        S + "2 2 2|1 1 1|2 5 1                          ; 4; the column is out of range: 5",
        S + "2 2 2|1 1 1|2 2                            ; 4; expected a value, found the end",
        S + "2 2 2|1 1 1|2 2 1 7                        ; 4; after 'row column value', found '7'",
        S + "2 2 2|1 1 one|2 2 1                        ; 3; expected a value such as",
        S + "2 2 2|1 1 0x1p3|2 2 1                      ; 3; expected a value such as",
        S + "2 2 2|1 1 1e|2 2 1                         ; 3; expected a value such as",
        S + "2 2 2|1 1 1.5f|2 2 1                       ; 3; expected a value such as",
        S + "2 2 2|1 1 nan|2 2 1                        ; 3; is not finite",
        S + "2 2 2|1 1 -Inf|2 2 1                       ; 3; is not finite",
        S + "2 2 2|1 1 1e999|2 2 1                      ; 3; is not finite",
        S + "2 2 2|1 1 0|2 2 1                          ; 3; diagonal of row 1 is 0.0",
        S + "2 2 2|1 1 3|2 2 -1                         ; 4; diagonal of row 2 is -1.0",
        S + "2 2 2|1 1 3|2 1 -1                         ; 4; row 2 has no entry on the diagonal",
        S + "2 2 3|1 1 3|2 2 1|1 1 3                    ; 5; (1, 1) stands a second time",
        S + "2 2 4|1 1 3|2 2 1|1 2 3|2 1 3              ; 6; stands a second time, first on line 5",
        G + "2 2 3|1 1 3|2 2 1|2 1 3                    ; 5; entry (2, 1) differs from its mirror",
        G + "2 2 4|1 1 3|2 2 1|2 1 3|1 2 4              ; 6; entry (1, 2) differs from its mirror",
        "%%MatrixMarket matrix coordinate integer general|1 1 1|1 1 1.5; 3; is not an integer",
        "%%MatrixMarket matrix coordinate pattern general|1 1 1|1 1 1  ; 3; after 'row column'",
    })
    void should_name_line_and_reason_of_a_damage(String lines, int line, String reason) {
        MatrixMarketException e = assertThrows(MatrixMarketException.class,
                () -> TestMatrices.parse(lines.replace('|', '\n')));
        assertTrue(e.getMessage().contains(reason), e.getMessage());
        assertEquals(line, e.line(), e.getMessage());
        assertTrue(e.getMessage().startsWith("test.mtx:" + line + ": "), e.getMessage());
    }

    @Test
    void should_refuse_an_endless_line_without_keeping_it() {
        String text = GOOD + "1".repeat(5000);
        MatrixMarketException e =
                assertThrows(MatrixMarketException.class, () -> TestMatrices.parse(text));
        assertEquals(10, e.line());
        assertTrue(e.getMessage().contains("longer than 1024"), e.getMessage());
    }

    @Test
    void should_not_put_control_characters_into_messages() {
        MatrixMarketException e = assertThrows(MatrixMarketException.class,
                () -> TestMatrices.parse(GOOD.replace("4.0", "\u001b[31m\u0000")));
        assertTrue(e.getMessage().chars().allMatch(c -> c >= ' ' && c < 127), e.getMessage());
    }

    @Test
    void should_say_which_file_is_missing(@TempDir Path folder) {
        Path none = folder.resolve("none.mtx");
        MatrixMarketException missing =
                assertThrows(MatrixMarketException.class, () -> MatrixMarket.read(none));
        assertTrue(missing.getMessage().contains("none.mtx: there is no such file"));
        MatrixMarketException directory =
                assertThrows(MatrixMarketException.class, () -> MatrixMarket.read(folder));
        assertTrue(directory.getMessage().contains(folder.toString()), directory.getMessage());
    }

    /** Nothing but a matrix or a MatrixMarketException may come of any bytes. */
    @Test
    void should_survive_random_damage() throws IOException {
        Random random = new Random(20261121);
        byte[] good = GOOD.getBytes(StandardCharsets.ISO_8859_1);
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = good.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                byte other = good[random.nextInt(good.length)];
                bytes[random.nextInt(bytes.length)] =
                        random.nextBoolean() ? other : (byte) random.nextInt();
            }
            try {
                CsrMatrix matrix = TestMatrices.parse(bytes);
                assertEquals(matrix.columns().length, matrix.nonzeros());
            } catch (MatrixMarketException e) {
                refused++;
            }
        }
        assertTrue(refused > 10_000, refused + " refused");
    }

    @Test
    void should_read_real_files() throws Exception {
        CsrMatrix small = MatrixMarket.read(TestMatrices.real("bcsstk01.mtx"));
        assertEquals(48, small.rows());
        assertEquals(2 * 224 - 48, small.nonzeros());
        CsrMatrix large = MatrixMarket.read(TestMatrices.real("bcsstk16.mtx"));
        assertEquals(4884, large.rows());
        assertEquals(2 * 147_631 - 4884, large.nonzeros());
        assertEquals(285559874.9195, large.values()[large.find(0, 0)]);
    }
}
