// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.ArgumentException;
import io.hayate.Element;
import io.hayate.Span;
import io.hayate.SystemFailureException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatrixMarketTest {
    @TempDir
    private Path folder;

    private MatrixMarket file(String banner, String rest) throws IOException {
        Path file = folder.resolve("a.mtx");
        Files.writeString(file,
                "%%MatrixMarket matrix " + banner + "\n" + rest.replace('/', '\n') + "\n");
        return MatrixMarket.of(file);
    }

    /** Rows by ";", numbers by " "; complex ones as a+bi. */
    private static String read(MatrixMarket file) {
        BlockCyclic layout = BlockCyclic.of(PlainGrid.ONE, file.rows(), file.columns(), 2);
        int bytes = (int) DistributedMatrix.bytes(layout, Element.COMPLEX_DOUBLE);
        DistributedMatrix matrix = DistributedMatrix.of(layout, Element.COMPLEX_DOUBLE,
                Span.of(ByteBuffer.allocateDirect(bytes)));
        matrix.fill((i, j) -> 99);
        matrix.read(file);
        StringJoiner rows = new StringJoiner(";");
        for (int i = 0; i < file.rows(); i++) {
            StringJoiner row = new StringJoiner(" ");
            for (int j = 0; j < file.columns(); j++) {
                double re = matrix.get(i, j);
                double im = matrix.getImaginary(i, j);
                row.add((re + (im == 0 ? "" : (im < 0 ? "" : "+") + im + "i")).replace(".0", ""));
            }
            rows.add(row.toString());
        }
        return rows.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "coordinate real general, 2 3 2/1 3 5e-1/2 1 -4, 0 0 0.5;-4 0 0",
        "COORDINATE Integer General, % note/%%/2 2 3/1 1 1//2 2 2/1 1 10, 11 0;0 2",
        "coordinate pattern symmetric, 3 3 2/2 1/3 3, 0 1 0;1 0 0;0 0 1",
        "coordinate real skew-symmetric, 2 2 1/2 1 3, 0 -3;3 0",
        "coordinate complex hermitian, 2 2 2/1 1 1 0/2 1 3 4, 1 3-4i;3+4i 0",
        "array real general, 2 3/1/2/3/4/5/6, 1 3 5;2 4 6",
        "array real symmetric, 3 3/1/2/3/4/5/6, 1 2 3;2 4 5;3 5 6",
        "array real skew-symmetric, 3 3/1/2/3, 0 -1 -2;1 0 -3;2 3 0",
        "array complex general, 1 2/1 2/3 -4, 1+2i 3-4i"})
    void should_read_every_format(String banner, String rest, String expected) throws IOException {
        assertEquals(expected, read(file(banner, rest)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "vector real general|1 1|:1: bad banner: found 'vector'",
        "array pattern general|1 1|:1: bad banner: these words exclude",
        "coordinate real hermitian|1 1 0|:1: bad banner: these words exclude",
        "array real symmetric|2 3|:2: a symmetric matrix of 2 x 3",
        "array real general|0 3|:2: rows '0': expected an integer from 1",
        "array real general|3000000000 3|:2: rows '3000000000'",
        "array real general|2|:2: columns ''",
        "coordinate real general|2 2|:2: entries ''",
        "coordinate real general|2 2 1 1|:2: unexpected '1'",
        "coordinate real general|2 2 1/3 1 1|:3: row '3': expected an integer from 1 to 2",
        "coordinate real general|2 2 1/1 1 x|:3: value 'x': expected a number",
        "coordinate real general|2 2 1/1 1 1 1|:3: unexpected '1'",
        "coordinate real general|2 2 2/1 1 1|:4: the file ends after 1 entries, expected 2",
        "coordinate real general|2 2 1/1 1 1/2 2 2|:4: expected the end of the file"})
    void should_name_the_line_that_is_wrong(String banner, String rest, String words) {
        String reason =
                assertThrows(ArgumentException.class, () -> read(file(banner, rest))).reason();
        assertTrue(reason.contains("a.mtx" + words), reason);
    }

    @Test
    void should_survive_any_file() throws IOException {
        Path file = folder.resolve("noise");
        Files.write(file, new byte[100_000]);
        String reason = assertThrows(ArgumentException.class, () -> MatrixMarket.of(file)).reason();
        assertTrue(reason.endsWith("the line is longer than 1024 characters"), reason);
        Files.write(file, new byte[] {'\33', '[', '2', 'J'});
        reason = assertThrows(ArgumentException.class, () -> MatrixMarket.of(file)).reason();
        assertTrue(reason.contains("found '?[2j'"), reason);
        Files.write(file, new byte[0]);
        assertThrows(ArgumentException.class, () -> MatrixMarket.of(file));
        assertThrows(SystemFailureException.class, () -> MatrixMarket.of(folder.resolve("none")));
        assertThrows(SystemFailureException.class, () -> MatrixMarket.of(folder));
        assertThrows(ArgumentException.class, () -> MatrixMarket.of(null));
    }

    @Test
    void should_refuse_a_matrix_that_does_not_fit() throws IOException {
        MatrixMarket file = file("array complex general", "1 1/1 2");
        DistributedMatrix wide = real(BlockCyclic.of(PlainGrid.ONE, 1, 2, 1));
        assertThrows(ArgumentException.class, () -> wide.read(file));
        DistributedMatrix real = real(BlockCyclic.of(PlainGrid.ONE, 1, 1, 1));
        String reason = assertThrows(ArgumentException.class, () -> real.read(file)).reason();
        assertTrue(reason.contains("is complex, the elements are DOUBLE"), reason);
    }

    private static DistributedMatrix real(BlockCyclic layout) {
        return DistributedMatrix.of(layout, Element.DOUBLE, Span.of(ByteBuffer.allocateDirect(16)));
    }
}
