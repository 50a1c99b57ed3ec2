// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import io.hayate.cli.command.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Measures the cells of one number of ranks, in their job. */
public final class Check {
    private final Grid grid;
    private final ProgressBar bar;
    private final Path results;

    /**
     * Creates a check.
     *
     * @param grid the grid of all jobs
     * @param bar progress bar of rank 0
     * @param results file to which rank 0 appends the cells, or null
     */
    public Check(Grid grid, ProgressBar bar, Path results) {
        this.grid = grid;
        this.bar = bar;
        this.results = results;
    }

    /**
     * Measures. Collective.
     *
     * @param member this rank
     * @return the cells
     */
    public List<Cell> run(Member member) {
        List<Cell> cells = new ArrayList<>();
        int before = Math.max(0, grid.ranks().indexOf(member.size())) * grid.cases().size();
        double clock = Double.NaN;
        for (Grid.Case what : grid.cases()) {
            if (member.rank() == 0) {
                show(what, member, before + cells.size());
            }
            try (Contest contest = new Contest(what, member, grid, clock)) {
                cells.add(contest.run());
                clock = contest.clock();
            }
            if (member.rank() == 0 && results != null) {
                append(cells.get(cells.size() - 1));
            }
        }
        return cells;
    }

    private void show(Grid.Case what, Member member, int done) {
        int left = grid.cells() - done;
        bar.show((double) done / grid.cells(), left * grid.seconds(), what.collective() + ", "
                + member.size() + " ranks, " + what.bytes() + " B");
    }

    private void append(Cell cell) {
        try {
            Files.write(results, cell.lines(), StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new CommandFailure("cannot write the results to " + results + ": "
                    + e.getMessage());
        }
    }

    /**
     * Reads the results of rank 0.
     *
     * @param results the file
     * @return cells in their order
     * @throws IOException if it cannot be read
     */
    public static List<Cell> read(Path results) throws IOException {
        return Cell.parse(Files.readAllLines(results));
    }
}
