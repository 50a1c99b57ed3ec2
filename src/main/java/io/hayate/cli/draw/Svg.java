// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.draw;

import java.util.List;
import java.util.Locale;

/** A picture in the making: Scalable Vector Graphics with classes for its looks. */
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

    private final StringBuilder out = new StringBuilder();

    /**
     * A white sheet.
     *
     * @param width in pixels
     * @param height in pixels
     * @param title of the file
     * @param looks CSS rules of its own
     */
    public Svg(int width, int height, String title, String looks) {
        out.append(String.format(Locale.ROOT, HEAD, width, height, width, height, escaped(title)));
        out.append("<style>\n").append(LOOKS).append(looks).append("</style>\n");
        rect("paper", 0, 0, width, height, "");
    }

    /**
     * A filled rectangle.
     *
     * @param look its class
     * @param x of its left side
     * @param y of its upper side
     * @param width in pixels
     * @param height in pixels
     * @param tip to be shown by a viewer; "": none
     * @return this
     */
    public Svg rect(String look, double x, double y, double width, double height, String tip) {
        add("<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"", look, number(x),
                number(y), number(width), number(height));
        return end("rect", tip);
    }

    /**
     * A filled circle.
     *
     * @param look its class
     * @param x of its centre
     * @param y of its centre
     * @param radius in pixels
     * @param tip to be shown by a viewer; "": none
     * @return this
     */
    public Svg circle(String look, double x, double y, double radius, String tip) {
        add("<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"", look, number(x), number(y),
                number(radius));
        return end("circle", tip);
    }

    /**
     * A straight line.
     *
     * @param look its class
     * @param x1 of its start
     * @param y1 of its start
     * @param x2 of its end
     * @param y2 of its end
     * @return this
     */
    public Svg line(String look, double x1, double y1, double x2, double y2) {
        add("<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"", look, number(x1),
                number(y1), number(x2), number(y2));
        return end("line", "");
    }

    /**
     * A line through points.
     *
     * @param look its class
     * @param points of x and y
     * @return this
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
     * A line of text.
     *
     * @param look its class
     * @param x where it begins, is centred or ends, as its class says
     * @param y of its base line
     * @param text any
     * @return this
     */
    public Svg text(String look, double x, double y, String text) {
        add("<text class=\"%s\" x=\"%s\" y=\"%s\">%s</text>%n", look, number(x), number(y),
                escaped(text));
        return this;
    }

    /**
     * An arrowhead for lines with "marker-end: url(#name)".
     *
     * @param name of it
     * @param colour of it
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
