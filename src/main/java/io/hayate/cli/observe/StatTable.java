// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.observe;

import io.hayate.cli.job.JobCounters;
import io.hayate.cli.output.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A table of counters with a row for each rank, cut into tables of at most 80 columns of text. */
final class StatTable {
    private static final int WIDTH = 80;

    private final List<String> names;
    private final boolean withState;
    private final List<String[]> heads = new ArrayList<>();
    private final List<String[]> cells = new ArrayList<>();

    /**
     * @param names the counters, in their order
     * @param withState whether the first table shows processes and states
     */
    StatTable(List<String> names, boolean withState) {
        this.names = names;
        this.withState = withState;
    }

    void add(JobCounters.Rank rank, Function<String, String> cell) {
        heads.add(withState
                ? new String[] {Integer.toString(rank.rank()),
                    rank.pid() == 0 ? "-" : Integer.toString(rank.pid()),
                    JobCounters.describe(rank)}
                : new String[] {Integer.toString(rank.rank())});
        cells.add(names.stream().map(cell).toArray(String[]::new));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        int from = 0;
        do {
            int to = from;
            Columns table = columns(from, to);
            while (to < names.size() && (columns(from, to + 1).width() <= WIDTH || to == from)) {
                table = columns(from, ++to);
            }
            text.append(table);
            from = to;
        } while (from < names.size());
        return text.toString();
    }

    /** Only the first table has more than the number of the rank before its counters. */
    private Columns columns(int from, int to) {
        int heading = withState && from == 0 ? 3 : 1;
        Columns table = new Columns().add((Object[]) row(new String[] {"rank", "pid", "state"},
                names.toArray(String[]::new), heading, from, to));
        for (int i = 0; i < cells.size(); i++) {
            table.add((Object[]) row(heads.get(i), cells.get(i), heading, from, to));
        }
        return table;
    }

    private static String[] row(String[] head, String[] all, int heading, int from, int to) {
        String[] row = new String[heading + to - from];
        System.arraycopy(head, 0, row, 0, heading);
        System.arraycopy(all, from, row, heading, to - from);
        return row;
    }
}
