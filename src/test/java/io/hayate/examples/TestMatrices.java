// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;

/** Matrices for tests. */
final class TestMatrices {
    static final String BANNER = "%%MatrixMarket matrix coordinate real symmetric\n";

    static CsrMatrix parse(String text) throws IOException, MatrixMarketException {
        return parse(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    static CsrMatrix parse(byte[] bytes) throws IOException, MatrixMarketException {
        return MatrixMarket.read(new ByteArrayInputStream(bytes), "test.mtx");
    }

    /** A file of the data folder beside the checkout; skips the test where there is none. */
    static Path real(String name) {
        Path file = Path.of("..", "shared", "data", name).toAbsolutePath().normalize();
        Assumptions.assumeTrue(Files.isReadable(file), () -> file + " is not there");
        return file;
    }

    /**
     * Diagonally dominant, with `links` entries at random places for each row: every rank needs
     * entries of every other, unevenly many.
     */
    static String scattered(int rows, int links, long seed) {
        Random random = new Random(seed);
        double[][] dense = new double[rows][rows];
        for (int i = 0; i < rows * links; i++) {
            int row = random.nextInt(rows);
            int column = (int) (rows * Math.pow(random.nextDouble(), 2));
            if (row != column) {
                double value = random.nextDouble() - 0.5;
                dense[row][column] = value;
                dense[column][row] = value;
            }
        }
        for (int row = 0; row < rows; row++) {
            double sum = 0.01 * (1 + row % 10);
            for (double value : dense[row]) {
                sum += Math.abs(value);
            }
            dense[row][row] = sum;
        }
        return lowerHalf(dense);
    }

    private static String lowerHalf(double[][] dense) {
        StringBuilder entries = new StringBuilder();
        int count = 0;
        for (int row = 0; row < dense.length; row++) {
            for (int column = 0; column <= row; column++) {
                if (dense[row][column] != 0) {
                    entries.append(row + 1).append(' ').append(column + 1).append(' ')
                            .append(dense[row][column]).append('\n');
                    count++;
                }
            }
        }
        return BANNER + dense.length + " " + dense.length + " " + count + "\n" + entries;
    }
}
