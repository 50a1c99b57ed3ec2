/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import io.hayate.bench.CollectiveLine.Cell;
import io.hayate.bench.CollectiveResults.Ratio;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** The comparison as Markdown: ratios cell by cell, what they add up to, and the overlap. */
final class CollectiveTable {
    /** Ours, and whom they are held against. */
    static final List<String> OURS =
            List.of("pcoll-heap", "pcoll-malloc", "java-heap", "java-array", "pcoll-direct",
                    "pcoll-cma", "pcoll-pipeline");
    static final List<String> PEERS =
            List.of("openmpi", "openmpi-persistent", "fmpl-heap", "mpich");
    /** By what the last rank does: it computes as well, comes late, or is alone in computing. */
    static final List<String> OVERLAPS = List.of("overlap", "overlap_late", "overlap_alone");
    /** Up to here a persistent collective is meant to be that much faster than Fmpl's. */
    private static final long SMALL = 2048;
    private static final double SMALL_GAIN = 1.3;
    private static final String INIT = "allreduce_init";

    private final CollectiveResults results;

    CollectiveTable(CollectiveResults results) {
        this.results = results;
    }

    String markdown() {
        StringBuilder text = new StringBuilder(inShort());
        results.operations().forEach(o -> operation(text, o));
        return text.toString();
    }

    /** All but the tables of each operation. */
    String inShort() {
        StringBuilder text = new StringBuilder();
        text.append("Microseconds of one call, of the slowest rank: the middle one of the"
                + " repetitions' medians. A ratio is ours over the peer's, below 1 we are faster:"
                + " taken turn by turn, its median in each repetition, the middle one of these;"
                + " bold when above 1. Sums over one buffer and broadcasts: bytes of the whole,"
                + " else of one block.\n");
        summary(text);
        initTable(text);
        overlap(text, "overlap", "Overlap", "Share of an allreduce that is hidden behind a"
                + " computation as long as the allreduce: 100 (pure + cpu - both) /"
                + " min(pure, cpu), percent.");
        overlap(text, "overlap_late", "Overlap, one rank late", "The last rank starts later by"
                + " the time of an allreduce and computes nothing more; figures are of the others,"
                + " whose computation is as long as their start and wait. The wait for the late"
                + " rank alone can be hidden, which gives about 50.");
        overlap(text, "overlap_alone", "Overlap, a core is free", "A broadcast, hidden behind a"
                + " computation of its receiver. The root computes nothing and waits, blocked if"
                + " its library can, so that a helper of the receiver (a thread, a delegatee)"
                + " finds a core. Figures are of the receiver, whose computation is as long as its"
                + " start and wait. No rank is bound to a core.");
        return text.toString();
    }

    private void summary(StringBuilder text) {
        text.append("\n## In short\n\n| ours | over | wanted | cells | reached | worst | at |\n");
        text.append("| --- | --- | --- | --: | --: | --: | --- |\n");
        for (String ours : OURS) {
            for (String peer : PEERS) {
                claim(text, ours, peer, 1.0, c -> true, "at most 1.00");
            }
            claim(text, ours, "fmpl-heap", 1 / SMALL_GAIN, c -> c.bytes() <= SMALL,
                    String.format(Locale.ROOT, "at most %.2f up to 2 KB", 1 / SMALL_GAIN));
        }
    }

    private void claim(StringBuilder text, String ours, String peer, double bound,
            Predicate<Cell> where, String wanted) {
        int cells = 0;
        int reached = 0;
        double worst = 0;
        String at = "";
        for (Cell cell : allCells()) {
            Optional<Ratio> ratio = where.test(cell)
                    ? results.ratio(cell, ours, peer) : Optional.empty();
            if (ratio.isEmpty()) {
                continue;
            }
            cells++;
            reached += ratio.get().middle() <= bound ? 1 : 0;
            if (ratio.get().middle() > worst) {
                worst = ratio.get().middle();
                at = name(cell);
            }
        }
        if (cells > 0) {
            text.append(String.format(Locale.ROOT, "| %s | %s | %s | %d | %s | %.2f | %s |%n",
                    ours, peer, wanted, cells,
                    reached == cells ? "all" : "**" + reached + "**", worst, at));
        }
    }

    private List<Cell> allCells() {
        return results.operations().stream().filter(o -> !o.equals(INIT))
                .flatMap(o -> results.cells(o).stream()).toList();
    }

    private static String name(Cell cell) {
        return cell.bench() + (cell.bytes() > 0 ? " " + Plots.size(cell.bytes()) : "") + ", "
                + cell.ranks() + " ranks";
    }

    private void initTable(StringBuilder text) {
        List<Cell> cells = results.cells(INIT);
        if (cells.isEmpty()) {
            return;
        }
        List<String> series = results.series(INIT);
        text.append("\n## Init of an allreduce of a known shape\n\n| bytes | ranks | ")
                .append(String.join(" | ", series)).append(" |\n| --: | --: |")
                .append(" --: |".repeat(series.size())).append('\n');
        for (Cell cell : cells) {
            text.append("| ").append(cell.bytes()).append(" | ").append(cell.ranks()).append(" |");
            series.forEach(s -> text.append(time(cell, s)));
            text.append('\n');
        }
    }

    private void operation(StringBuilder text, String operation) {
        if (operation.equals(INIT)) {
            return;
        }
        List<String> series = results.series(operation);
        List<String[]> ratios = OURS.stream().filter(series::contains)
                .flatMap(o -> PEERS.stream().filter(series::contains)
                        .filter(p -> o.equals(OURS.get(0)) || p.startsWith("openmpi"))
                        .map(p -> new String[] {o, p}))
                .toList();
        text.append("\n## ").append(operation).append("\n\n");
        head(text, ratios.stream().map(r -> r[0] + " / " + r[1]).toList(), " chosen |", " --- |");
        for (Cell cell : results.cells(operation)) {
            begin(text, cell);
            ratios.forEach(r -> text.append(' ').append(results.ratio(cell, r[0], r[1])
                    .map(CollectiveTable::mark).orElse("")).append(" |"));
            text.append(' ').append(choice(cell, OURS.get(0))).append(" |\n");
        }
        text.append('\n');
        head(text, series, "", "");
        for (Cell cell : results.cells(operation)) {
            begin(text, cell);
            series.forEach(s -> text.append(time(cell, s)));
            text.append('\n');
        }
    }

    private static void head(StringBuilder text, List<String> columns, String last, String line) {
        text.append("| ranks | bytes |");
        columns.forEach(c -> text.append(' ').append(c).append(" |"));
        text.append(last).append("\n|").append(" --: |".repeat(2 + columns.size())).append(line)
                .append('\n');
    }

    private static void begin(StringBuilder text, Cell cell) {
        text.append("| ").append(cell.ranks()).append(" | ")
                .append(String.format(Locale.ROOT, "%,d", cell.bytes())).append(" |");
    }

    private static String mark(Ratio ratio) {
        String text = String.format(Locale.ROOT, "%.2f", ratio.middle());
        return ratio.middle() > 1 ? "**" + text + "**" : text;
    }

    /** What the last repetition chose, up to the reason. */
    private String choice(Cell cell, String series) {
        List<CollectiveLine> lines = results.lines(cell, series);
        String choice = lines.isEmpty() ? null : lines.get(lines.size() - 1).choice();
        return choice == null
                ? "" : choice.split("[,;]", 2)[0].replaceFirst("^" + cell.bench() + " ", "");
    }

    private String time(Cell cell, String series) {
        return " " + results.middle(cell, series, CollectiveLine::medianUs).map(Table::time)
                .orElse("") + " |";
    }

    private void overlap(StringBuilder text, String bench, String title, String note) {
        List<Cell> cells = results.cells(bench);
        if (cells.isEmpty()) {
            return;
        }
        text.append("\n## ").append(title).append("\n\n").append(note).append("\n\n");
        text.append("| ranks | bytes | series | pure | cpu | both | hidden |\n");
        text.append("| --: | --: | --- | --: | --: | --: | --: |\n");
        for (Cell cell : cells) {
            for (String series : results.series(bench)) {
                overlapRow(text, cell, series);
            }
        }
    }

    private void overlapRow(StringBuilder text, Cell cell, String series) {
        if (results.lines(cell, series).isEmpty()) {
            return;
        }
        text.append(String.format(Locale.ROOT, "| %d | %,d | %s | %s | %s | %s | %.0f %% |%n",
                cell.ranks(), cell.bytes(), series,
                Table.time(results.middle(cell, series, CollectiveLine::pureUs).orElseThrow()),
                Table.time(results.middle(cell, series, CollectiveLine::cpuUs).orElseThrow()),
                Table.time(results.middle(cell, series, CollectiveLine::bothUs).orElseThrow()),
                results.middle(cell, series, CollectiveLine::overlapPercent).orElseThrow()));
    }
}
