// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Numbers over all cells.
 *
 * @param cells all of them
 */
public record CheckSummary(List<Cell> cells) {
    /** A choice this much slower than the best is as good as the best. */
    public static final double NEAR = 1.1;
    /** What no choice should exceed. */
    public static final double FAR = 1.5;

    /** The three questions: nothing, put, or get asked for. */
    public enum Hint {
        /** Everything open. */
        AUTO("automatic", Cell::free),
        /** Transfer put. */
        PUT("put forced", Cell::put),
        /** Transfer get. */
        GET("get forced", Cell::get);

        private final String title;
        private final Function<Cell, Cell.Verdict> of;

        Hint(String title, Function<Cell, Cell.Verdict> of) {
            this.title = title;
            this.of = of;
        }

        /**
         * Its verdict.
         *
         * @param cell a cell
         * @return null: it has no such way
         */
        public Cell.Verdict of(Cell cell) {
            return of.apply(cell);
        }

        /**
         * Title of its part of the printed report.
         *
         * @return a few words
         */
        public String title() {
            return title;
        }
    }

    private List<Cell.Verdict> verdicts(Hint hint) {
        return cells.stream().map(hint::of).filter(Objects::nonNull).toList();
    }

    /**
     * Cells with an answer.
     *
     * @param hint what was left open
     * @return how many
     */
    public int count(Hint hint) {
        return verdicts(hint).size();
    }

    /**
     * Share of the cells whose choice is at most that much slower than the best.
     *
     * @param hint what was left open
     * @param loss such as {@link #NEAR}
     * @return percent
     */
    public double percentWithin(Hint hint, double loss) {
        List<Cell.Verdict> all = verdicts(hint);
        return all.isEmpty() ? 100
                : 100.0 * all.stream().filter(one -> one.loss() <= loss).count() / all.size();
    }

    /**
     * The cells that lose most.
     *
     * @param hint what was left open
     * @return the worst first
     */
    public List<Cell> worst(Hint hint) {
        return cells.stream().filter(cell -> hint.of(cell) != null)
                .sorted(Comparator.comparingDouble((Cell cell) -> -hint.of(cell).loss())).toList();
    }

    /**
     * Does the model know whether put or get is the better one?
     *
     * @return percent of the cells with both where it does, or where they are within 10 %
     */
    public double percentPutGetRight() {
        List<Cell> both = cells.stream().filter(cell -> !Double.isNaN(cell.putByGet())).toList();
        long right = both.stream().filter(CheckSummary::isPutGetRight).count();
        return both.isEmpty() ? 100 : 100.0 * right / both.size();
    }

    private static boolean isPutGetRight(Cell cell) {
        double measured = Math.log(cell.putByGet());
        return Math.abs(measured) <= Math.log(NEAR)
                || measured > 0 == Math.log(cell.predictedPutByGet()) > 0;
    }

    /**
     * How often put is the better one, and get, by more than 10 %.
     *
     * @param put true: put
     * @return number of cells
     */
    public long clearlyBetter(boolean put) {
        double sign = put ? -1 : 1;
        return cells.stream().filter(cell -> sign * Math.log(cell.putByGet()) > Math.log(NEAR))
                .count();
    }

    /**
     * Spearman's, mean over cells.
     *
     * @return at most 1
     */
    public double rankCorrelation() {
        return mean(Cell::rankCorrelation);
    }

    /**
     * How far predictions are off, as a factor: mean over cells.
     *
     * @return at least 1
     */
    public double meanError() {
        return mean(Cell::meanError);
    }

    private double mean(ToDoubleFunction<Cell> value) {
        return cells.stream().mapToDouble(value).filter(one -> !Double.isNaN(one)).average()
                .orElse(Double.NaN);
    }

    /**
     * For programs.
     *
     * @return names and values in their order
     */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        for (Hint hint : Hint.values()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("cells", count(hint));
            one.put("best_percent", percentWithin(hint, 1));
            one.put("within_10_percent", percentWithin(hint, NEAR));
            one.put("within_50_percent", percentWithin(hint, FAR));
            one.put("worst_loss", worst(hint).stream().findFirst()
                    .map(cell -> hint.of(cell).loss()).orElse(1.0));
            json.put(hint.name().toLowerCase(Locale.ROOT), one);
        }
        json.put("put_get_right_percent", percentPutGetRight());
        json.put("put_better", clearlyBetter(true));
        json.put("get_better", clearlyBetter(false));
        json.put("rank_correlation", rankCorrelation());
        json.put("mean_error_factor", meanError());
        return json;
    }
}
