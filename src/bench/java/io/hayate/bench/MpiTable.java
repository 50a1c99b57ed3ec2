/* SPDX-License-Identifier: Apache-2.0 */
package io.hayate.bench;

import io.hayate.bench.CollectiveLine.Cell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes mpi.md out of the mpi.jsonl and environment.txt that scripts/bench/mpi.sh leaves. */
public final class MpiTable {
    /** What is held against what. */
    private enum Comparison {
        JAVA_DIRECT("mpi-direct", "openmpi-java-direct"),
        C("mpi-direct", "openmpi"),
        FMPL_DIRECT("mpi-direct", "fmpl-direct"),
        JAVA_ARRAY("mpi-array", "openmpi-java-array"),
        FMPL_ARRAY("mpi-array", "fmpl-array");

        final String ours;
        final String peer;

        Comparison(String ours, String peer) {
            this.ours = ours;
            this.peer = peer;
        }
    }

    private static final List<String> SERIES = List.of("mpi-direct", "openmpi-java-direct",
            "openmpi", "fmpl-direct", "mpi-array", "openmpi-java-array", "fmpl-array");
    private static final long SMALL = 8;

    private MpiTable() {}

    /** The ratio that is wanted at most; 0: none is. */
    private static double wanted(Cell cell, Comparison comparison) {
        boolean small = cell.bytes() <= SMALL;
        return switch (cell.bench()) {
            case "pingpong" -> switch (comparison) {
                case JAVA_DIRECT -> small ? 0.5 : 0.7;
                case JAVA_ARRAY -> small ? 0.65 : 0.7;
                case C -> small ? 0.7 : 0.95;
                default -> small ? 0 : 1.1; // 10 ns a side
            };
            case "rate" -> switch (comparison) {
                case JAVA_DIRECT -> 0.5;
                case C -> 1;
                default -> 0;
            };
            case "farm" -> switch (comparison) {
                case C -> 0.5;
                case FMPL_DIRECT -> 1.2;
                default -> 0;
            };
            case "put" -> switch (comparison) {
                case JAVA_DIRECT -> 0.5;
                case C -> 0.8;
                default -> 0;
            };
            default -> switch (comparison) {
                case JAVA_DIRECT, JAVA_ARRAY -> 0.7;
                case C -> 0.9;
                default -> 1.05;
            };
        };
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            System.err.println("usage: MpiTable FOLDER");
            System.exit(2);
        }
        Path folder = Path.of(args[0]);
        CollectiveResults results = CollectiveResults.read(folder.resolve("mpi.jsonl"));
        if (results.isEmpty()) {
            throw new IOException(folder.resolve("mpi.jsonl") + " has no measurements");
        }
        Map<String, String> environment = Summary.environment(folder.resolve("environment.txt"));
        Files.writeString(folder.resolve("mpi.md"), "# The package mpi beside its peers\n\n"
                + Table.machine(environment)
                + "Microseconds of one call, of the slowest rank: of pingpong there and back, of"
                + " rate 64 messages and an answer, of farm an answer to each of the others. The"
                + " middle one of the repetitions' medians. A ratio is ours over the peer's, taken"
                + " turn by turn, its median in each repetition, the middle one of these, with what"
                + " is wanted at most in brackets; bold when missed.\n\n"
                + missed(results)
                + results.operations().stream().map(o -> operation(results, o))
                        .collect(Collectors.joining())
                + Summary.notes(folder));
    }

    private static String missed(CollectiveResults results) {
        int all = 0;
        int reached = 0;
        for (String operation : results.operations()) {
            for (Cell cell : results.cells(operation)) {
                for (Comparison one : Comparison.values()) {
                    var ratio = results.ratio(cell, one.ours, one.peer);
                    if (ratio.isPresent() && wanted(cell, one) > 0) {
                        all++;
                        reached += ratio.get().middle() <= wanted(cell, one) ? 1 : 0;
                    }
                }
            }
        }
        return reached + " of " + all + " goals are reached.\n";
    }

    private static String operation(CollectiveResults results, String operation) {
        List<String> series = SERIES.stream().filter(results.series(operation)::contains).toList();
        List<Comparison> comparisons = List.of(Comparison.values()).stream()
                .filter(c -> series.contains(c.ours) && series.contains(c.peer)).toList();
        StringBuilder text = new StringBuilder("\n## " + operation + "\n\n| ranks | bytes | ");
        text.append(String.join(" | ", series));
        comparisons.forEach(c -> text.append(" | ").append(c.ours).append(" / ").append(c.peer));
        text.append(" |\n|").append(" --: |".repeat(2 + series.size() + comparisons.size()))
                .append('\n');
        for (Cell cell : results.cells(operation)) {
            text.append(String.format(Locale.ROOT, "| %d | %,d |", cell.ranks(), cell.bytes()));
            for (String one : series) {
                text.append(' ').append(results.middle(cell, one, CollectiveLine::medianUs)
                        .map(Table::time).orElse("")).append(" |");
            }
            for (Comparison one : comparisons) {
                text.append(' ').append(results.ratio(cell, one.ours, one.peer)
                        .map(r -> mark(r.middle(), wanted(cell, one))).orElse("")).append(" |");
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static String mark(double ratio, double wanted) {
        if (wanted == 0) {
            return String.format(Locale.ROOT, "%.2f", ratio);
        }
        String mark = ratio <= wanted ? "" : "**";
        return String.format(Locale.ROOT, "%s%.2f%s (%.2f)", mark, ratio, mark, wanted);
    }
}
