// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Builds a picture as Scalable Vector Graphics, with CSS classes for the style. */
public final class Svg {
    private static final String HEAD = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\""
            + " height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">%n<title>%s</title>%n";
    private static final String LOOKS = "text { font-family: 'DejaVu Sans', Verdana, Helvetica,"
            + " sans-serif; font-size: 12px; fill: #222 }\n"
            + ".title { font-size: 17px; font-weight: bold }\n"
            + ".subtitle { fill: #555 }\n"
            + ".left { text-anchor: end }\n"
            + ".middle { text-anchor: middle }\n"
            + ".paper { fill: #fff }\n"
            + ".grid { stroke: #ddd; stroke-width: 1 }\n"
            + ".axis { stroke: #444; stroke-width: 1 }\n";

    /** Width of a letter of the normal text, in pixels: more than the average. */
    private static final int LETTER = 7;

    private final StringBuilder out = new StringBuilder();

    /**
     * Creates a white picture.
     *
     * @param width in pixels
     * @param height in pixels
     * @param title title of the file
     * @param looks additional CSS rules
     */
    public Svg(int width, int height, String title, String looks) {
        out.append(String.format(Locale.ROOT, HEAD, width, height, width, height, escaped(title)));
        out.append("<style>\n").append(LOOKS).append(looks).append("</style>\n");
        rect("paper", 0, 0, width, height, "");
    }

    /**
     * Adds a filled rectangle. @param look CSS class @param x position of the left side @param y
     * position of the upper side @param width in pixels @param height in pixels @param tip text
     * that a viewer shows; "": none @return this
     */
    public Svg rect(String look, double x, double y, double width, double height, String tip) {
        add("<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"", look, number(x),
                number(y), number(width), number(height));
        return end("rect", tip);
    }

    /**
     * Adds a filled circle. @param look CSS class @param x position of the centre @param y position
     * of the centre @param radius in pixels @param tip text that a viewer shows; "": none @return
     * this
     */
    public Svg circle(String look, double x, double y, double radius, String tip) {
        add("<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"", look, number(x), number(y),
                number(radius));
        return end("circle", tip);
    }

    /**
     * Adds a straight line. @param look CSS class @param x1 x of the start @param y1 y of the start
     * @param x2 x of the end @param y2 y of the end @return this
     */
    public Svg line(String look, double x1, double y1, double x2, double y2) {
        add("<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"", look, number(x1),
                number(y1), number(x2), number(y2));
        return end("line", "");
    }

    /**
     * Adds a line through points. @param look CSS class @param points pairs of x and y @return this
     */
    public Svg polyline(String look, List<double[]> points) {
        StringBuilder text = new StringBuilder();
        for (double[] point : points) {
            text.append(text.isEmpty() ? "" : " ").append(number(point[0])).append(',')
                    .append(number(point[1]));
        }
        add("<polyline class=\"%s\" fill=\"none\" points=\"%s\"", look, text);
        return end("polyline", "");
    }

    /**
     * Adds a line of text. @param look CSS class @param x position of the begin, centre or end,
     * depending on the class @param y position of the base line @param text the text @return this
     */
    public Svg text(String look, double x, double y, String text) {
        add("<text class=\"%s\" x=\"%s\" y=\"%s\">%s</text>%n", look, number(x), number(y),
                escaped(text));
        return this;
    }

    /**
     * Breaks a text between words, so that each line fits.
     *
     * @param text the text
     * @param width in pixels
     * @return its lines
     */
    public static List<String> lines(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (!line.isEmpty() && (line.length() + 1 + word.length()) * LETTER > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    /**
     * Adds an arrowhead for lines with "marker-end: url(#name)".
     *
     * @param name its name
     * @param colour its colour
     * @return this
     */
    public Svg arrowhead(String name, String colour) {
        add("<defs><marker id=\"%s\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"6\""
                + " markerHeight=\"6\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path"
                + " d=\"M0,0.5L6,3L0,5.5z\" fill=\"%s\"/></marker></defs>%n", name, colour);
        return this;
    }

    private void add(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values));
    }

    private Svg end(String element, String tip) {
        if (tip.isEmpty()) {
            out.append("/>\n");
        } else {
            add("><title>%s</title></%s>%n", escaped(tip), element);
        }
        return this;
    }

    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return text.replaceAll("\\.?0+$", "");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
                .replace("\"", "&quot;").replaceAll("\\p{Cntrl}", "?");
    }

    @Override
    public String toString() {
        return out + "</svg>\n";
    }
}
