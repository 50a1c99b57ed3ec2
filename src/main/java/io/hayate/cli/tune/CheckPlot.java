// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import io.hayate.cli.draw.LogPlot;
import java.util.List;
import java.util.Locale;

/** Draws how much slower the choices are than the fastest candidates: a panel for each N ranks. */
public final class CheckPlot {
    private CheckPlot() { }

    /**
     * Draws the automatic choices.
     *
     * @param cells all cells
     * @param model human-readable name of the model that made the choices
     * @return an SVG file's text
     */
    public static String of(List<Cell> cells, String model) {
        List<Integer> ranks = cells.stream().map(Cell::ranks).distinct().sorted().toList();
        LogPlot plot = new LogPlot("time of the choice, divided by that of the fastest candidate",
                model, "bytes", ranks.stream().map(n -> n + " ranks").toList());
        for (Cell cell : cells) {
            if (cell.free() != null) {
                plot.add(ranks.indexOf(cell.ranks()), cell.collective(), cell.bytes(),
                        cell.free().loss(), String.format(Locale.ROOT, "%s, %d ranks, %d bytes:"
                                + " %s, %.2f times the fastest, %s", cell.collective(),
                                cell.ranks(), cell.bytes(), cell.free().choice(),
                                cell.free().loss(), cell.free().best()));
            }
        }
        return plot.draw();
    }
}
