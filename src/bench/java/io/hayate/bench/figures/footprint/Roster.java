// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import io.hayate.bench.figures.Failure;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Collects the process ids of the ranks from their output lines. */
public final class Roster {
    private static final Pattern RANK = Pattern.compile("rank ([0-9]{1,5}) pid ([0-9]{1,10})");
    private static final Pattern DONE = Pattern.compile("done ([0-9]{1,18})");

    private final int ranks;
    private final Map<Integer, Long> pids = new HashMap<>();
    private long nanos;

    /**
     * Creates the roster of a job before its ranks have printed.
     *
     * @param ranks number of ranks
     */
    public Roster(int ranks) {
        this.ranks = ranks;
    }

    /**
     * Reads an output line.
     *
     * @param line the line without its end
     * @return true if it was the last one, and all ranks are known
     */
    public boolean take(String line) {
        Matcher done = DONE.matcher(line);
        if (done.matches()) {
            nanos = Long.parseLong(done.group(1));
            return complete();
        }
        Matcher rank = RANK.matcher(line);
        if (!rank.matches() || Integer.parseInt(rank.group(1)) >= ranks) {
            throw new Failure("unexpected line '" + line + "' from one of " + ranks
                    + " ranks; are launcher and ranks of the same version?");
        }
        pids.put(Integer.parseInt(rank.group(1)), Long.parseLong(rank.group(2)));
        return false;
    }

    private boolean complete() {
        if (Set.copyOf(pids.values()).size() != ranks) {
            throw new Failure("only " + pids.size() + " of " + ranks
                    + " ranks printed their process id");
        }
        return true;
    }

    /**
     * Returns how long the rounds took.
     *
     * @return nanoseconds on rank 0
     */
    public long nanos() {
        return nanos;
    }

    /**
     * Returns the processes of the ranks.
     *
     * @return one process id for each rank
     */
    public Collection<Long> processes() {
        return new HashSet<>(pids.values());
    }
}
