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
 * Statistics of all cells.
 *
 * @param cells all cells
 */
public record CheckSummary(List<Cell> cells) {
    /** A choice this much slower than the best is as good as the best. */
    public static final double NEAR = 1.1;
    /** The loss that no choice should exceed. */
    public static final double FAR = 1.5;

    /** The three requests: everything open, put, or get. */
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
         * Returns the choice of a cell for this request.
         *
         * @param cell a cell
         * @return the choice; null: the cell has no such candidate
         */
        public Cell.Verdict of(Cell cell) {
            return of.apply(cell);
        }

        /**
         * Returns the title of its part of the report.
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
     * Returns the number of cells with a choice.
     *
     * @param hint the request
     * @return the number
     */
    public int count(Hint hint) {
        return verdicts(hint).size();
    }

    /**
     * Returns the share of the cells whose choice has at most the given loss.
     *
     * @param hint the request
     * @param loss such as {@link #NEAR}
     * @return percent
     */
    public double percentWithin(Hint hint, double loss) {
        List<Cell.Verdict> all = verdicts(hint);
        return all.isEmpty() ? 100
                : 100.0 * all.stream().filter(one -> one.loss() <= loss).count() / all.size();
    }

    /**
     * Returns the cells with the largest loss.
     *
     * @param hint the request
     * @return the worst first
     */
    public List<Cell> worst(Hint hint) {
        return cells.stream().filter(cell -> hint.of(cell) != null)
                .sorted(Comparator.comparingDouble((Cell cell) -> -hint.of(cell).loss())).toList();
    }

    /**
     * Returns how often the model predicts whether put or get is faster.
     *
     * @return percentage of the cells with both where it does, or where they are within 10 %
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
     * Returns how often put, or get, is faster by more than 10 %.
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
     * Returns Spearman's correlation, as the mean of all cells.
     *
     * @return at most 1
     */
    public double rankCorrelation() {
        return mean(Cell::rankCorrelation);
    }

    /**
     * Returns the error of the predictions as a factor, as the mean of all cells.
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
     * Returns the values for JSON.
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
