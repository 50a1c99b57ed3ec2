// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.cli.job.JobCounters;
import java.util.ArrayList;
import java.util.List;

/** Finds the protocol that messages actually used from the counters of this rank. */
final class Ways {
    private static final List<String> LONGER = List.of("eager", "direct", "heap", "cma",
            "pipeline");
    /** Protocols of fewer messages than this share are omitted. */
    private static final double SHARE = 0.02;

    private Ways() {
    }

    /**
     * Returns "inline", "heap", ..., "heap+pipeline" if there were several, "schedule" for
     * collectives.
     */
    static String between(JobCounters.Rank before, JobCounters.Rank after) {
        long sent = after.count("sent") - before.count("sent");
        if (sent == 0) {
            return after.count("collectives") > before.count("collectives") ? "schedule" : "none";
        }
        long inline = sent;
        List<String> ways = new ArrayList<>();
        for (String way : LONGER) {
            long grown = after.count(way) - before.count(way);
            inline -= grown;
            if (grown > sent * SHARE) {
                ways.add(way);
            }
        }
        if (inline > sent * SHARE) {
            ways.add(0, "inline");
        }
        return String.join("+", ways);
    }
}
