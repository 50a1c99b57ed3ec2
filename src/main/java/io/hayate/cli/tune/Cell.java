// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import java.util.ArrayList;
import java.util.List;

/**
 * A measured cell of the grid. Times are nanoseconds per run.
 *
 * @param collective its name
 * @param ranks number of ranks of the job
 * @param bytes size as in explain
 * @param free the choice if everything is open
 * @param put the choice if put is requested; null: no candidate uses put
 * @param get the choice if get is requested; null: no candidate uses get
 * @param putByGet time of the best put divided by that of the best get; NaN: one is missing
 * @param candidates all candidates
 */
public record Cell(String collective, int ranks, int bytes, Verdict free, Verdict put, Verdict get,
        double putByGet, List<Candidate> candidates) {
    private static final String NONE = "-";

    /**
     * A choice, compared with the best candidate.
     *
     * @param choice its options
     * @param predicted its predicted time
     * @param time its measured time
     * @param best options of the best candidate
     * @param bestPredicted predicted time of the best
     * @param bestTime measured time of the best
     * @param loss how much longer the choice takes, at least 1
     */
    public record Verdict(String choice, double predicted, double time, String best,
            double bestPredicted, double bestTime, double loss) {
        private String line() {
            return String.join("\t", choice, "" + predicted, "" + time, best, "" + bestPredicted,
                    "" + bestTime, "" + loss);
        }

        private static Verdict parse(String line) {
            String[] fields = line.split("\t");
            return line.equals(NONE) ? null : new Verdict(fields[0], number(fields[1]),
                    number(fields[2]), fields[3], number(fields[4]), number(fields[5]),
                    number(fields[6]));
        }
    }

    /**
     * A measured candidate.
     *
     * @param options options that force it
     * @param predicted predicted time
     * @param time measured time
     * @param repetitions number of measurements
     */
    public record Candidate(String options, double predicted, double time, int repetitions) { }

    /** Returns Spearman's correlation between predicted and measured times. */
    double rankCorrelation() {
        return Statistics.rankCorrelation(
                candidates.stream().mapToDouble(Candidate::predicted).toArray(),
                candidates.stream().mapToDouble(Candidate::time).toArray());
    }

    /** Returns the mean absolute logarithm of measured divided by predicted time, as a factor. */
    double meanError() {
        return Math.exp(candidates.stream()
                .mapToDouble(one -> Math.abs(Math.log(one.time() / one.predicted())))
                .average().orElse(0));
    }

    /** Returns put divided by get, as predicted. NaN: one is missing. */
    double predictedPutByGet() {
        return put == null || get == null ? Double.NaN : put.predicted() / get.predicted();
    }

    /** Writes several lines for the process that started the ranks. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.join("\t", collective, "" + ranks, "" + bytes, "" + putByGet,
                "" + candidates.size()));
        for (Verdict verdict : new Verdict[] {free, put, get}) {
            lines.add(verdict == null ? NONE : verdict.line());
        }
        candidates.forEach(one -> lines.add(String.join("\t", one.options, "" + one.predicted,
                "" + one.time, "" + one.repetitions)));
        return lines;
    }

    /** Reads cells from their lines. */
    static List<Cell> parse(List<String> lines) {
        List<Cell> cells = new ArrayList<>();
        int at = 0;
        while (at < lines.size()) {
            String[] head = lines.get(at).split("\t");
            int count = Integer.parseInt(head[4]);
            List<Candidate> candidates = lines.subList(at + 4, at + 4 + count).stream()
                    .map(Cell::candidate).toList();
            cells.add(new Cell(head[0], Integer.parseInt(head[1]), Integer.parseInt(head[2]),
                    Verdict.parse(lines.get(at + 1)), Verdict.parse(lines.get(at + 2)),
                    Verdict.parse(lines.get(at + 3)), number(head[3]), candidates));
            at += 4 + count;
        }
        return cells;
    }

    private static Candidate candidate(String line) {
        String[] fields = line.split("\t");
        return new Candidate(fields[0], number(fields[1]), number(fields[2]),
                Integer.parseInt(fields[3]));
    }

    private static double number(String text) {
        return Double.parseDouble(text);
    }
}
