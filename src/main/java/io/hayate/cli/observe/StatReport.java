// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.observe;

import io.hayate.cli.job.Delegatee;
import io.hayate.cli.job.JobCounters;
import io.hayate.cli.output.Json;
import io.hayate.cli.output.Scaled;
import io.hayate.internal.bindings.DelegationBinding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints one table for each reading of the counters, with rates from the second on. */
final class StatReport {
    private static final double NANOS = 1e9;
    private static final double MEGA = 1e6;

    /** Columns that a table has even if all numbers in them are 0. */
    private static final List<String> ALWAYS = List.of("sent", "bytes_sent", "received",
            "bytes_received", "collectives", "sleeps", "commands", "command_bytes");
    /** Numbers that fall as well. */
    static final List<String> GAUGES = List.of("eager_held", "lanes_held");

    private final List<String> allNames;
    private List<JobCounters.Rank> before;
    private double beforeSeconds;
    private Map<String, Long> delegateeBefore;
    private double delegateeSeconds;

    StatReport(List<String> names) {
        this.allNames = names;
    }

    /** Formats one reading of the counters. */
    String look(List<JobCounters.Rank> ranks, long nanos, boolean json) {
        double seconds = nanos / NANOS;
        String text = json ? json(ranks, seconds) : table(ranks, seconds);
        before = ranks;
        beforeSeconds = seconds;
        return text;
    }

    /** Formats one reading of the delegatee's counters; empty if there is none. */
    String delegatee(DelegationBinding.View delegatee, long nanos, boolean json) {
        if (delegatee == null) {
            return "";
        }
        double seconds = nanos / NANOS;
        Map<String, Long> counters = Delegatee.counters(delegatee);
        double passed = delegateeBefore == null ? 0 : seconds - delegateeSeconds;
        double commands = rateOf("commands", counters, passed);
        double megabytes = rateOf("bytes", counters, passed) / MEGA;
        boolean first = delegateeBefore == null;
        delegateeBefore = counters;
        delegateeSeconds = seconds;
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("seconds", seconds);
        line.put("delegatee", Delegatee.json(delegatee));
        if (!first) {
            line.put("commands_per_s", commands);
            line.put("mb_per_s", megabytes);
        }
        return json ? Json.of(line) + "\n"
                : Delegatee.line(delegatee) + (first ? "" : String.format(Locale.ROOT,
                        "; %.1f commands/s, %.1f MB/s", commands, megabytes)) + "\n";
    }

    private double rateOf(String name, Map<String, Long> now, double passed) {
        return passed > 0 ? (now.get(name) - delegateeBefore.get(name)) / passed : 0;
    }

    private String json(List<JobCounters.Rank> ranks, double seconds) {
        StringBuilder lines = new StringBuilder();
        for (JobCounters.Rank rank : ranks) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("seconds", seconds);
            line.put("rank", rank.rank());
            line.put("ranks", ranks.size());
            line.put("pid", rank.pid());
            line.put("state", JobCounters.describe(rank));
            line.putAll(rank.counters());
            if (before != null) {
                line.put("sent_per_s", rate(rank, "sent", seconds));
                line.put("received_per_s", rate(rank, "received", seconds));
                line.put("collectives_per_s", rate(rank, "collectives", seconds));
                line.put("puts_per_s", rate(rank, "puts", seconds));
                line.put("mb_put_per_s", rate(rank, "bytes_put", seconds) / MEGA);
                line.put("mb_sent_per_s", rate(rank, "bytes_sent", seconds) / MEGA);
                line.put("mb_received_per_s", rate(rank, "bytes_received", seconds) / MEGA);
            }
            lines.append(Json.of(line)).append('\n');
        }
        return lines.toString();
    }

    /** The totals, and from the second reading on what was added per second. */
    private String table(List<JobCounters.Rank> ranks, double seconds) {
        List<String> shown = allNames.stream()
                .filter(name -> ALWAYS.contains(name)
                        || ranks.stream().anyMatch(rank -> rank.count(name) != 0))
                .toList();
        StatTable totals = new StatTable(shown, true);
        for (JobCounters.Rank rank : ranks) {
            totals.add(rank, name -> Scaled.of(rank.count(name)));
        }
        if (before == null) {
            return totals.toString();
        }
        StatTable rates = new StatTable(shown.stream().filter(name -> !GAUGES.contains(name))
                .toList(), false);
        for (JobCounters.Rank rank : ranks) {
            rates.add(rank, name -> Scaled.of(rate(rank, name, seconds)));
        }
        return String.format(Locale.ROOT, "%nafter %.1f s%n%sper second%n%s", seconds, totals,
                rates);
    }

    private double rate(JobCounters.Rank now, String counter, double seconds) {
        long grown = now.count(counter) - before.get(now.rank()).count(counter);
        return seconds > beforeSeconds ? grown / (seconds - beforeSeconds) : 0;
    }
}
