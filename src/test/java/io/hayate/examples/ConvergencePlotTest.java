// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("example")
class ConvergencePlotTest {
    private static final double[] HISTORY = {1, 3, 0.1, 1e-4, 1e-9, 0};

    @TempDir
    Path folder;

    @Test
    void should_draw_the_curve_into_a_png() throws IOException {
        Path file = folder.resolve("picture.PNG");
        ConvergencePlot.write(file, "title", HISTORY, 1e-8);
        BufferedImage image = ImageIO.read(file.toFile());
        assertEquals(900, image.getWidth());
        assertTrue(count(image, 0xc8102e) > 300, "pixels of the curve");
    }

    @Test
    void should_draw_an_svg() throws IOException {
        Path file = folder.resolve("picture.svg");
        ConvergencePlot.write(file, "title", HISTORY, 1e-8);
        String text = Files.readString(file);
        assertTrue(text.contains("<svg") && text.stripTrailing().endsWith("</svg>"));
        assertTrue(text.contains("rgb(200,16,46)"), "the curve's colour");
    }

    @Test
    void should_draw_long_and_single_histories() throws IOException {
        double[] many = new double[100_000];
        for (int i = 0; i < many.length; i++) {
            many[i] = Math.exp(-i * 1e-4);
        }
        Path file = folder.resolve("many.svg");
        ConvergencePlot.write(file, "many", many, 1e-4);
        assertTrue(Files.size(file) < 1 << 20, Files.size(file) + " bytes");
        ConvergencePlot.write(folder.resolve("one.png"), "one", new double[] {1}, 1e-10);
        assertTrue(Files.size(folder.resolve("one.png")) > 0);
    }

    @Test
    void should_say_when_the_folder_is_missing() {
        Path file = folder.resolve("none").resolve("x.png");
        assertThrows(IOException.class, () -> ConvergencePlot.write(file, "", HISTORY, 1e-8));
    }

    private static int count(BufferedImage image, int rgb) {
        int count = 0;
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                count += (image.getRGB(x, y) & 0xffffff) == rgb ? 1 : 0;
            }
        }
        return count;
    }
}
