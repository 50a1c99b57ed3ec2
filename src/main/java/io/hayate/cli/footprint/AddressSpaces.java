// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.footprint;

import io.hayate.cli.CommandFailure;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who lives with whom. Processes that share one address space show all of it, each of them: it is
 * to be counted once.
 */
public final class AddressSpaces {
    private static final Pattern HOME = Pattern.compile("pid ([0-9]{1,10}) mm ([0-9]{1,10})");

    private final Map<Long, Long> homes = new HashMap<>();

    /**
     * As hayate-footprint tells it.
     *
     * @param lines for each process one, naming the first process of its address space
     */
    public AddressSpaces(List<String> lines) {
        for (String line : lines) {
            Matcher matcher = HOME.matcher(line);
            if (!matcher.matches()) {
                throw new CommandFailure("'" + line + "': expected 'pid P mm Q'");
            }
            homes.put(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
        }
    }

    /**
     * Every address space.
     *
     * @return one process of each
     */
    public Set<Long> all() {
        return new TreeSet<>(homes.values());
    }

    /**
     * The address spaces in which none of these lives.
     *
     * @param processes the ranks
     * @return one process of each
     */
    public Set<Long> without(Collection<Long> processes) {
        Set<Long> spaces = all();
        for (Long process : processes) {
            Long home = homes.get(process);
            if (home == null) {
                throw new CommandFailure("rank with process " + process
                        + " is no descendant of its launcher");
            }
            spaces.remove(home);
        }
        return spaces;
    }
}
