// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.footprint;

import io.hayate.cli.CommandFailure;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which processes the ranks are, as they tell it by their lines. */
public final class Roster {
    private static final Pattern RANK = Pattern.compile("rank ([0-9]{1,5}) pid ([0-9]{1,10})");
    private static final Pattern DONE = Pattern.compile("done ([0-9]{1,18})");

    private final int ranks;
    private final Map<Integer, Long> pids = new HashMap<>();
    private long nanos;

    /**
     * Of a job whose ranks have still to tell.
     *
     * @param ranks how many
     */
    public Roster(int ranks) {
        this.ranks = ranks;
    }

    /**
     * Takes a line of theirs.
     *
     * @param line without its end
     * @return true: it was the last one, all ranks are known
     */
    public boolean take(String line) {
        Matcher done = DONE.matcher(line);
        if (done.matches()) {
            nanos = Long.parseLong(done.group(1));
            return complete();
        }
        Matcher rank = RANK.matcher(line);
        if (!rank.matches() || Integer.parseInt(rank.group(1)) >= ranks) {
            throw new CommandFailure("a rank said '" + line + "', which none of " + ranks
                    + " ranks says; are launcher and ranks of one version?");
        }
        pids.put(Integer.parseInt(rank.group(1)), Long.parseLong(rank.group(2)));
        return false;
    }

    private boolean complete() {
        if (Set.copyOf(pids.values()).size() != ranks) {
            throw new CommandFailure("only " + pids.size() + " of " + ranks
                    + " ranks told their process");
        }
        return true;
    }

    /**
     * How long the rounds took.
     *
     * @return nanoseconds on rank 0
     */
    public long nanos() {
        return nanos;
    }

    /**
     * Which processes are ranks.
     *
     * @return as many as there are ranks
     */
    public Collection<Long> processes() {
        return new HashSet<>(pids.values());
    }
}
