// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import io.hayate.bench.figures.Failure;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which processes share an address space. Each of them reports the whole address space, so it must
 * be counted once.
 */
public final class AddressSpaces {
    private static final Pattern HOME = Pattern.compile("pid ([0-9]{1,10}) mm ([0-9]{1,10})");

    private final Map<Long, Long> homes = new HashMap<>();

    /**
     * Reads the output of the program "footprint".
     *
     * @param lines one line for each process, which names the first process of its address space
     */
    public AddressSpaces(List<String> lines) {
        for (String line : lines) {
            Matcher matcher = HOME.matcher(line);
            if (!matcher.matches()) {
                throw new Failure("'" + line + "': expected 'pid P mm Q'");
            }
            homes.put(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
        }
    }

    /**
     * Returns all address spaces.
     *
     * @return one process of each
     */
    public Set<Long> all() {
        return new TreeSet<>(homes.values());
    }

    /**
     * Returns the address spaces that contain none of the given processes.
     *
     * @param processes the ranks
     * @return one process of each
     */
    public Set<Long> without(Collection<Long> processes) {
        Set<Long> spaces = all();
        for (Long process : processes) {
            Long home = homes.get(process);
            if (home == null) {
                throw new Failure("rank with process " + process
                        + " is not a descendant of its launcher");
            }
            spaces.remove(home);
        }
        return spaces;
    }
}
