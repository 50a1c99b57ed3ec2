// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.observe;

import io.hayate.cli.job.JobCounters;
import io.hayate.cli.job.JobWaits;
import io.hayate.cli.output.Json;
import io.hayate.internal.bindings.WaitsBinding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints what the ranks of a job wait for: {@code hayate stat --waits}. */
final class WaitsReport {
    private static final double NANOS = 1e9;

    private WaitsReport() {
    }

    /** One line for each wait, each rank that waits for nothing, and each cycle of ranks. */
    static String text(JobWaits waits, List<JobCounters.Rank> ranks) {
        StringBuilder lines = new StringBuilder();
        for (JobCounters.Rank rank : ranks) {
            if (rank.state().equals("elsewhere")) {
                continue;
            }
            waits.waits().stream().filter(wait -> wait.rank() == rank.rank())
                    .forEach(wait -> lines.append(wait.text()).append('\n'));
            if (!waits.has(rank.rank())) {
                lines.append("rank ").append(rank.rank()).append(": ").append(idle(rank))
                        .append('\n');
            }
        }
        long elsewhere = ranks.stream().filter(r -> r.state().equals("elsewhere")).count();
        if (elsewhere > 0) {
            lines.append(elsewhere).append(" ranks are on other nodes, and are shown there\n");
        }
        waits.cycles().forEach(cycle -> lines.append(cycle.text()).append('\n'));
        return lines.toString();
    }

    private static String idle(JobCounters.Rank rank) {
        return rank.state().equals("joined")
                ? "waits for nothing: it computes, or waits outside of Hayate"
                : JobCounters.describe(rank);
    }

    /** The same as JSON objects, without ranks that wait for nothing. */
    static String json(JobWaits waits, double seconds) {
        StringBuilder lines = new StringBuilder();
        waits.waits().forEach(wait -> lines.append(Json.of(object(wait, seconds))).append('\n'));
        for (WaitsBinding.Cycle cycle : waits.cycles()) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("seconds", seconds);
            line.put("cycle", cycle.ranks());
            line.put("deadlock", cycle.certain());
            line.put("text", cycle.text());
            lines.append(Json.of(line)).append('\n');
        }
        return lines.toString();
    }

    private static Map<String, Object> object(WaitsBinding.View wait, double seconds) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("seconds", seconds);
        line.put("rank", wait.rank());
        line.put("thread", wait.thread());
        line.put("virtual", wait.virtual());
        line.put("operation", wait.kind());
        line.put("peer", wait.peer() < 0 ? null : wait.peer());
        switch (wait.kind()) {
            case "send", "receive" -> {
                line.put("mai", wait.place());
                line.put("bytes", wait.bytes());
            }
            case "collective", "persistent" -> {
                line.put("collective", wait.collective());
                line.put("communicator", wait.place());
                line.put("number", wait.number());
                line.put("bytes", wait.bytes());
            }
            case "word" -> {
                line.put("offset", wait.bytes());
                line.put("value", wait.number());
            }
            default -> { }
        }
        line.put("waits_s", wait.nanos() / NANOS);
        line.put("text", wait.text());
        return line;
    }
}
