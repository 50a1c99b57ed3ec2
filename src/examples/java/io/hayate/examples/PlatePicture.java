// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/** Modes of a plate as Chladni saw them: sand comes to rest where the plate does not move. */
final class PlatePicture {
    /** A mode: its frequency parameter, and the coefficients of its shape. */
    record Mode(double frequency, double[] coefficients) {
    }

    private static final int COLUMNS = 6;
    private static final int SIDE = 190;
    private static final int GAP = 18;
    private static final int LABEL = 24;
    private static final int HEAD = 64;
    private static final double SAND = 0.06; // of the largest deflection
    private static final Color PAPER = new Color(0xf7f5f0);
    private static final Color INK = new Color(0x22303c);
    private static final Color PLATE_UP = new Color(0x2b4a63);
    private static final Color PLATE_DOWN = new Color(0x1b2733);
    private static final Color GRAINS = new Color(0xf2d59a);

    private final PlateStiffness plate;
    private final List<Mode> modes;

    PlatePicture(PlateStiffness plate, List<Mode> modes) {
        this.plate = plate;
        this.modes = modes;
    }

    void write(Path file, String title) throws IOException {
        System.setProperty("java.awt.headless", "true");
        int rows = (modes.size() + COLUMNS - 1) / COLUMNS;
        int width = GAP + Math.min(COLUMNS, modes.size()) * (SIDE + GAP);
        int height = HEAD + rows * (SIDE + LABEL + GAP);
        BufferedImage image = new BufferedImage(Math.max(width, 3 * (SIDE + GAP)), height,
                BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING,
                RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setColor(PAPER);
        graphics.fillRect(0, 0, image.getWidth(), height);
        graphics.setColor(INK);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 19));
        graphics.drawString(title, GAP, 38);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        for (int i = 0; i < modes.size(); i++) {
            int x = GAP + i % COLUMNS * (SIDE + GAP);
            int y = HEAD + i / COLUMNS * (SIDE + LABEL + GAP);
            draw(image, x, y, modes.get(i).coefficients());
            graphics.drawString(String.format(Locale.ROOT, "%d:  \u03bb = %.2f", i + 1,
                    modes.get(i).frequency()), x, y + SIDE + 17);
        }
        graphics.dispose();
        if (!ImageIO.write(image, "png", file.toFile())) {
            throw new IOException("no writer of PNG for " + file);
        }
    }

    private void draw(BufferedImage image, int left, int top, double... coefficients) {
        double[][] shape = new double[SIDE][SIDE];
        double largest = 0;
        for (int i = 0; i < SIDE; i++) {
            for (int j = 0; j < SIDE; j++) {
                shape[i][j] = plate.deflection(coefficients, at(j), at(i));
                largest = Math.max(largest, Math.abs(shape[i][j]));
            }
        }
        for (int i = 0; i < SIDE; i++) {
            for (int j = 0; j < SIDE; j++) {
                image.setRGB(left + j, top + i, color(shape[i][j] / largest));
            }
        }
    }

    private static double at(int pixel) {
        return (2 * pixel + 1.0) / SIDE - 1;
    }

    /** Sand where the deflection is small; elsewhere the side of the plate that is up. */
    private static int color(double deflection) {
        double sand = Math.exp(-deflection * deflection / (2 * SAND * SAND));
        double up = 0.5 + 0.5 * deflection;
        return mix(mix(PLATE_DOWN, PLATE_UP, up), GRAINS, sand).getRGB();
    }

    private static Color mix(Color from, Color to, double share) {
        return new Color((int) (from.getRed() + share * (to.getRed() - from.getRed())),
                (int) (from.getGreen() + share * (to.getGreen() - from.getGreen())),
                (int) (from.getBlue() + share * (to.getBlue() - from.getBlue())));
    }
}
